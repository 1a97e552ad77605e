import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Tables that are followed while another process writes.
@Suite(.hangLimit) struct TableProcessTests {
  /// The key of a table with one row.
  private struct OnlyKey: TableKey, Equatable {
    static let keyTypes: [AttributeType] = []
    init() {}
    init(keyValues: [Value]) {}
    func keyValues() -> [Value] { [] }
  }

  /// The number of applied commits, which equals the position.
  private static let commits = TableRequest(ProjectedTable<OnlyKey, Int>("commits"))

  /// Follows a store from before another process writes to it until it has written ten commits.
  private func follow(_ store: Store, _ projection: String, _ start: () throws -> Void) async throws {
    var (rows, last, count) = ([TableRow<OnlyKey, Int>](), Position.empty, 0)
    for try await step in store.changes(of: Self.commits, in: projection) {
      switch step {
      case .state(let present):
        #expect(count == 0)
        rows = try present.rows
        try start()
      case .change(let change):
        #expect(change.from == last && change.to > last)
        rows = try change.difference.applied(to: rows)
      }
      last = step.position
      #expect(rows.first?.value == Int(last.number))
      count += 1
      if last >= 12 { break }
    }
    #expect(count > 1)
  }

  /// Makes a store with rows of a projection, and opens it with the projections that this process is to know.
  private func openStore(
    in directory: TemporaryDirectory, with projection: ChainProjection, knowing known: [any Projection]
  ) throws -> Store {
    let path = directory.path("store")
    let made = try Store(at: path, model: CrashRun.model, options: .knowing(projection))
    try made.writeNow { try $0.insert("Tag", ["name": "all"]) }
    try made.projection(projection.name).catchUp()
    made.close()
    var options = StoreOptions()
    options.projections = known
    return try Store(at: path, options: options)
  }

  @Test func aProjectionThatThisProcessDoesNotKnowIsFollowed() async throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(in: directory, with: ChainProjection("catchUp", mode: .catchUp), knowing: [])
    let writer = KilledWriter(seed: 1, first: 0)
    try await follow(store, "catchUp") {
      try writer.start(store.path, durability: "relaxed", mode: "one", probe: "none", count: 1, projections: "catchUp")
    }
    _ = try writer.kill()
    try closeAndVerify(store)
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func commitsOfAProcessThatDoesNotKnowAProjectionAreFollowed(mode: ProjectionMode) async throws {
    let directory = try TemporaryDirectory()
    let chain = ChainProjection("chain", mode: mode)
    let store = try openStore(in: directory, with: chain, knowing: [chain])
    let writer = KilledWriter(seed: 1, first: 0)
    try await follow(store, "chain") {
      try writer.start(store.path, durability: "relaxed", mode: "one", probe: "none", count: 1)
    }
    _ = try writer.kill()
    try closeAndVerify(store)
  }

  @Test func aFeedOfAProjectionThatTheStoreLacksThrows() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      var feed = store.changes(of: Self.commits, in: "chain").makeAsyncIterator()
      await #expect { try await feed.next() } throws: { ($0 as? StoreError)?.code == .notFound }
    }
  }

  @Test func aFeedEndsWithTheStoreAndWithItsTask() async throws {
    let options = StoreOptions.knowing(ChainProjection("chain", mode: .inline))
    try await withTemporaryStore(FeedModel.model, options: options) { store in
      let (states, seen) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        for try await _ in store.changes(of: Self.commits, in: "chain") { seen.yield() }
      }
      var iterator = states.makeAsyncIterator()
      await iterator.next()
      task.cancel()
      try await task.value
      var feed = store.changes(of: Self.commits, in: "chain").makeAsyncIterator()
      _ = try await feed.next()
      store.close()
      await #expect { try await feed.next() } throws: { ($0 as? StoreError)?.code == .closed }
    }
  }
}
