import Daybook
import DaybookTestSupport
import Testing
import Tracing

/// The task-local context of commits, and the context of a tracer.
@Suite(.hangLimit, .serialized) struct CommitContextTests {
  private func last(_ store: Store) throws -> Commit {
    var log = try store.log(reversed: true, limit: 1)
    return try #require(try log.next())
  }

  private func insert(_ tx: borrowing Transaction) throws { try tx.insert("Tag", ["name": "a"]) }

  @Test func aContextFillsInWhatAWriteLeavesOut() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try CommitContext(author: "a", message: "m", metadata: ["x": 1, "y": 2], causedBy: 1, correlation: "c").perform {
        try store.write { try insert($0) }
        var commit = try last(store)
        #expect(commit.author == "a" && commit.message == "m" && commit.metadata == ["x": 1, "y": 2])
        #expect(commit.causation == 1 && commit.correlation == "c")
        try store.write(
          CommitInfo(author: "b", message: "n", metadata: ["y": 3, "z": 4], causedBy: 2, correlation: "d")
        ) {
          try insert($0)
        }
        commit = try last(store)
        #expect(commit.author == "b" && commit.message == "n" && commit.metadata == ["x": 1, "y": 3, "z": 4])
        #expect(commit.causation == 2 && commit.correlation == "d")
      }
      try store.write { try insert($0) }
      #expect(try last(store).author == nil && last(store).metadata.isEmpty)
    }
  }

  @Test func innerContextsWinAndMerge() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try CommitContext(author: "a", metadata: ["x": 1, "y": 2], correlation: "c").perform {
        try CommitContext(message: "m", metadata: ["y": 3], correlation: "d").perform {
          try store.write { try insert($0) }
        }
        let commit = try last(store)
        #expect(commit.author == "a" && commit.message == "m" && commit.correlation == "d")
        #expect(commit.metadata == ["x": 1, "y": 3])
        #expect(CommitContext.current.correlation == "c")
      }
      #expect(CommitContext.current == CommitInfo())
    }
  }

  @Test func anAsynchronousWriteHasTheContextOfItsCall() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask {
            try await CommitContext(author: "a\(number)", metadata: ["n": .integer(Int64(number))]).perform {
              try await store.write(CommitInfo(correlation: "c\(number)")) { tx in
                #expect(CommitContext.current == CommitInfo())
                try tx.insert("Tag", ["name": "a"])
              }
            }
          }
        }
        try await group.waitForAll()
      }
      var log = try store.log(from: 2)
      var numbers: Set<String> = []
      while let commit = try log.next() {
        let number = try #require(commit.author?.dropFirst())
        #expect(commit.correlation == "c\(number)" && commit.metadata["n"]?.text == String(number))
        numbers.insert(String(number))
      }
      #expect(numbers.count == 20)
    }
  }

  @Test func batchesContextsRevertsAndModelsHaveItToo() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try CommitContext(author: "a", correlation: "c").perform {
        try store.batch { batch in
          try batch.commit { try insert($0) }
          try batch.commit(CommitInfo(author: "b")) { try insert($0) }
        }
        let context = try store.makeContext()
        try context.insert("Tag", ["name": "b"])
        try context.save()
        try store.undo(.commit(4))
        var model = FeedModel.model
        model.entities[0].attributes.append(Attribute(name: "note", type: .string, isOptional: true))
        try store.apply(model)
      }
      var log = try store.log(from: 2)
      var authors: [String?] = []
      while let commit = try log.next() {
        authors.append(commit.author)
        #expect(commit.correlation == "c")
      }
      #expect(authors == ["a", "b", "a", "a", "a"])
    }
  }

  /// Injects fixed values; installed once for the process, and silent outside of a traced task.
  private struct FakeInstrument: Instrument {
    func extract<Carrier, Extract: Extractor>(
      _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {}

    func inject<Carrier, Inject: Injector>(
      _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
      guard let trace = context[TraceKey.self] else { return }
      injector.inject(trace.parent, forKey: "traceparent", into: &carrier)
      if let state = trace.state { injector.inject(state, forKey: "tracestate", into: &carrier) }
      injector.inject("private", forKey: "baggage", into: &carrier)
    }

    static let isInstalled: Bool = {
      InstrumentationSystem.bootstrap(FakeInstrument())
      return true
    }()
  }

  private struct Trace {
    var parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    var state: String?
  }

  private enum TraceKey: ServiceContextKey {
    typealias Value = Trace
  }

  private func traced<Result>(_ trace: Trace, _ body: () throws -> Result) rethrows -> Result {
    #expect(FakeInstrument.isInstalled)
    var context = ServiceContext.topLevel
    context[TraceKey.self] = trace
    return try ServiceContext.withValue(context, operation: body)
  }

  @Test func whatATracerInjectsGoesIntoTheMetadata() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try traced(Trace(state: "congo=t61rcWkgMzE")) {
        try store.write(CommitInfo(metadata: ["a": 1])) { try insert($0) }
      }
      #expect(
        try last(store).metadata == [
          "a": 1, "traceparent": .string(Trace().parent), "tracestate": "congo=t61rcWkgMzE",
        ])
      try traced(Trace()) { try store.write(CommitInfo(metadata: ["traceparent": "mine"])) { try insert($0) } }
      #expect(try last(store).metadata == ["traceparent": "mine"])
      try store.write { try insert($0) }
      #expect(try last(store).metadata.isEmpty)
    }
  }

  @Test func anAsynchronousWriteHasTheTraceOfItsCall() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      #expect(FakeInstrument.isInstalled)
      var context = ServiceContext.topLevel
      context[TraceKey.self] = Trace()
      try await ServiceContext.withValue(context) {
        try await store.write { _ = try $0.insert("Tag", ["name": "a"]) }
      }
      #expect(try last(store).metadata == ["traceparent": .string(Trace().parent)])
    }
  }

  @Test func aTraceForWhichThereIsNoRoomIsLeftOut() throws {
    try withTemporaryStore(FeedModel.model) { store in
      var many = CommitMetadata()
      for number in 0..<64 { many["k\(number)"] = 1 }
      try traced(Trace()) { try store.write(CommitInfo(metadata: many)) { try insert($0) } }
      #expect(try last(store).metadata == many)
      many["k0"] = nil
      try traced(Trace(state: "x")) { try store.write(CommitInfo(metadata: many)) { try insert($0) } }
      #expect(try last(store).metadata == many.merging(["traceparent": .string(Trace().parent)]))
      try traced(Trace(state: String(repeating: "x", count: 20_000))) { try store.write { try insert($0) } }
      #expect(try last(store).metadata == ["traceparent": .string(Trace().parent)])
    }
  }
}
