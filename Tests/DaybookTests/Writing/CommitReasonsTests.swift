import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Metadata, cause and correlation of commits.
@Suite(.hangLimit) struct CommitReasonsTests {
  private func format(_ store: Store) throws -> StoreFormat? { try store.files.withJournal { try $0.format() } }

  private func last(_ store: Store) throws -> Commit {
    var log = try store.log(reversed: true, limit: 1)
    return try #require(try log.next())
  }

  @Test func aWriteRecordsWhyItHappened() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = ObjectID(high: 4, low: 4)
      _ = try store.commit(CommitInfo(commitID: id)) { try $0.insert("Tag", ["name": "a"]) }
      try store.write(CommitInfo(author: "a", metadata: ["ticket": "A-17", "n": 2], causedBy: 2, correlation: "flow")) {
        try $0.insert("Tag", ["name": "b"])
      }
      var commit = try last(store)
      #expect(commit.metadata == ["n": 2, "ticket": "A-17"] && commit.causation == .position(2))
      #expect(commit.correlation == "flow" && commit.author == "a" && commit.undoes == [])
      try store.write(CommitInfo(causedBy: .commitID(id))) { try $0.insert("Tag", ["name": "c"]) }
      commit = try last(store)
      #expect(commit.causation == .commitID(id) && commit.metadata.isEmpty && commit.correlation == nil)
      let raw = try store.files.withJournal { try $0.header(at: 3) }
      #expect(raw.header.version == 2)
    }
  }

  @Test func anAsynchronousWriteRecordsWhyItHappened() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      try await store.write(CommitInfo(metadata: ["a": 1], causedBy: 1, correlation: "x")) {
        _ = try $0.insert("Tag", ["name": "a"])
      }
      let commit = try last(store)
      #expect(commit.metadata == ["a": 1] && commit.causation == 1 && commit.correlation == "x")
    }
  }

  @Test func theFirstReasonRaisesBothFormatNumbers() throws {
    let uses: [CommitInfo] = [
      CommitInfo(metadata: ["a": nil]), CommitInfo(causedBy: 1), CommitInfo(correlation: ""),
    ]
    for info in uses {
      try withTemporaryStore(FeedModel.model) { store in
        let plain = CommitInfo(author: "a", message: "b", commitID: ObjectID(high: 1, low: 1))
        _ = try store.commit(plain) { try $0.insert("Tag", ["name": "a"]) }
        #expect(try format(store) == .first)
        // Nothing is raised by a commit that fails, or changes nothing.
        _ = try store.commit(info) { _ in }
        #expect(throws: StoreError.self) { _ = try store.commit(info) { try $0.insert("Nothing") } }
        #expect(try format(store) == .first)
        _ = try store.commit(info) { try $0.insert("Tag", ["name": "b"]) }
        #expect(try format(store) == StoreFormat(version: 2, readableBy: 2))
        #expect(try format(store)?.bytes == [2])
        try store.write { try $0.insert("Tag", ["name": "c"]) }
        #expect(try format(store) == StoreFormat(version: 2, readableBy: 2))
      }
    }
  }

  @Test func aFormatIsRaisedToTheMaximumOfBothNumbers() {
    let events = StoreFormat(version: 2, readableBy: 1)
    #expect(StoreFormat.first.raised(to: events) == events)
    #expect(events.raised(to: .first) == events)
    #expect(events.raised(to: StoreFormat(version: 2, readableBy: 2)) == StoreFormat(version: 2, readableBy: 2))
    #expect(
      StoreFormat(version: 3, readableBy: 1).raised(to: .init(version: 2, readableBy: 2))
        == .init(version: 3, readableBy: 2))
  }

  @Test func aStoreWithoutReasonsStaysAsItWasByteForByte() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.write(author: "a") { try $0.insert("Tag", ["name": "a"]) }
      let headers = try store.files.withJournal { journal in
        try [1, 2].map { try journal.header(at: $0).header }
      }
      #expect(headers.map(\.version) == [1, 1])
      #expect(try format(store)?.bytes == [1])
    }
  }

  @Test func aCauseThatTheStoreLacksIsRefused() throws {
    try withTemporaryStore(FeedModel.model) { store in
      for cause: CommitReference in [0, 2, .position(Position(.max)), .commitID(ObjectID(high: 1, low: 1))] {
        let error = #expect(throws: StoreError.self) {
          try store.write(CommitInfo(causedBy: cause)) { try $0.insert("Tag", ["name": "a"]) }
        }
        #expect(error?.code == .notFound && error?.message.contains("\(cause)") == true)
      }
      #expect(try store.position == 1)
      try store.batch { batch in
        try batch.commit { try $0.insert("Tag", ["name": "a"]) }
        try batch.commit(CommitInfo(causedBy: 2)) { try $0.insert("Tag", ["name": "b"]) }
      }
      #expect(try last(store).causation == 2)
    }
  }

  @Test func limitsAreCheckedBeforeAnythingIsWritten() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let cases: [(CommitInfo, StoreError.Code)] = [
        (CommitInfo(correlation: String(repeating: "é", count: 101)), .tooLarge),
        (CommitInfo(metadata: ["": 1]), .badValue), (CommitInfo(metadata: ["a": .double(.nan)]), .badValue),
        (CommitInfo(metadata: ["a": .string(String(repeating: "x", count: 20_000))]), .tooLarge),
      ]
      for (info, code) in cases {
        let error = #expect(throws: StoreError.self) {
          _ = try store.commit(info) { try $0.insert("Tag", ["name": "a"]) }
        }
        #expect(error?.code == code)
      }
      #expect(try store.position == 1)
      _ = try store.commit(CommitInfo(correlation: String(repeating: "é", count: 100))) {
        try $0.insert("Tag", ["name": "a"])
      }
    }
  }

  @Test func aSavedContextAndAModelChangeHaveReasonsToo() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let context = try store.makeContext()
      try context.insert("Tag", ["name": "a"])
      try context.save(CommitInfo(metadata: ["a": 1], correlation: "x"))
      #expect(try last(store).metadata == ["a": 1])
      var model = FeedModel.model
      model.entities[0].attributes.append(Attribute(name: "note", type: .string, isOptional: true))
      try store.apply(model, info: CommitInfo(metadata: ["b": 2]))
      #expect(try last(store).metadata == ["b": 2] && last(store).model != nil)
    }
  }

  @Test func aGrowingMapKeepsTheRaisedFormat() throws {
    var options = StoreOptions()
    options.journalMapSizeInBytes = 256 << 10
    options.projectionsMapSizeInBytes = 256 << 10
    try withTemporaryStore(FeedModel.model, options: options) { store in
      try store.batch { batch in
        try batch.commit(CommitInfo(correlation: "x")) { try $0.insert("Tag", ["name": "a"]) }
        try batch.commit { try $0.insert("Tag", ["name": .string(String(repeating: "x", count: 8 << 20))]) }
      }
      #expect(try format(store) == StoreFormat(version: 2, readableBy: 2))
    }
  }

  @Test func aVerificationFindsReasonsThatTheFormatDoesNotAllow() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let store = try Store(at: path, model: FeedModel.model)
    try store.write(CommitInfo(correlation: "x")) { try $0.insert("Tag", ["name": "a"]) }
    try store.files.writeJournal { transaction in
      try transaction.putMeta(JournalMeta.format, StoreFormat.first.bytes, in: store.files.journalTables)
    }
    store.close()
    let faults = try Store.verify(at: path).faults
    #expect(faults.count == 1 && faults[0].message.contains("version 2"), "\(faults)")
  }

  @Test func aVerificationFindsReasonsThatAreWrong() throws {
    let wrong: [(inout CommitReasons) -> Void] = [
      { $0.metadata = Array("{}".utf8) + [0x20] }, { $0.causation = .position(2) },
      { $0.causation = .commitID(ObjectID(high: 1, low: 1)) }, { $0.undoes = PositionList(1, through: 1) },
      { $0.redoes = PositionList(3, through: 3) }, { $0.correlation = String(repeating: "x", count: 201) },
    ]
    for change in wrong {
      let directory = try TemporaryDirectory()
      let path = directory.path("store")
      let store = try Store(at: path, model: FeedModel.model)
      try append(change, to: store)
      store.close()
      #expect(try Store.verify(at: path).faults.contains { $0.place.contains("2") })
    }
  }

  /// Appends a commit with wrong reasons as commit 2, which inserts a tag.
  private func append(_ change: (inout CommitReasons) -> Void, to store: Store) throws {
    try store.writer.write { session in
      var reasons = CommitReasons()
      change(&reasons)
      var writer = EventWriter(position: 2, time: Timestamp(microseconds: 4_000_000_000_000_000))
      let entity = session.model.entities[try session.model.requireEntity("Tag")]
      var fields: [UInt8] = []
      fields.appendField(entity.attributes[0].tag, .string("a"))
      try writer.inserted(ObjectID(high: 1, low: 1), entity: entity.tag, previous: nil, fields: fields.rawSpan)
      let header = CommitHeader(
        position: 2, previousHash: session.headHash, bodyDigest: Digest(hashing: writer.bytes.rawSpan),
        recordedAt: Timestamp(microseconds: 4_000_000_000_000_000), happenedAt: nil, commitID: nil, author: nil,
        message: nil, eventCount: 1, bodySize: writer.bytes.count, isModel: false, reasons: reasons)
      let commit = PendingCommit(header: header, body: writer.bytes)
      #expect(throws: CommitRefusal.self) { try session.append(checking: commit, model: nil) }
      try session.append(commit)
    }
  }

  @Test(arguments: [ProjectionFailurePolicy.quarantine, .stop])
  func `a projection leaves out a commit whose metadata are damaged`(_ policy: ProjectionFailurePolicy) throws {
    let names = ClosureProjection(onFailure: policy) { commit, rows in
      for name in try commit.insertedNames() { try rows.add(to: name) }
    }
    // The journal stays damaged, so it is not verified at the end.
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: FeedModel.model, options: .knowing(names))
    defer { store.close() }
    try append({ $0.metadata = Array("{}".utf8) + [0x20] }, to: store)
    try store.write { _ = try $0.insert("Tag", ["name": "b"]) }
    let projection = try store.projection("mine")
    if policy == .stop {
      #expect { try projection.catchUp() } throws: { ($0 as? StoreError)?.code == .projectionStopped }
      try projection.skip(2)
    }
    try projection.catchUp()
    #expect(try projection.quarantine().map(\.position) == [2])
    #expect(try store.numbers() == ["b": 1])
  }
}
