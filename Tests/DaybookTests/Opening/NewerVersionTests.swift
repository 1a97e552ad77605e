import DaybookModel
import DaybookTestSupport
import Foundation
import LMDB
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Stores that a later version of Daybook has written.
@Suite(.hangLimit) struct NewerVersionTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path("store") }
  private let cake = ObjectID(high: 1, low: 1)
  private let pie = ObjectID(high: 1, low: 2)

  init() throws {
    directory = try TemporaryDirectory()
    let store = try Store(at: path, model: FeedModel.model)
    try store.write { tx in
      try tx.insert("Recipe", ["name": "cake"], id: cake)
      try tx.insert("Recipe", ["name": "pie"], id: pie)
    }
    store.close()
  }

  /// Sets a store's format, like a later version.
  private func setFormat(_ format: StoreFormat) throws {
    let store = try Store(at: path, options: policy(.ignore))
    try store.files.writeJournal { transaction in
      try transaction.putMeta(JournalMeta.format, format.bytes, in: store.files.journalTables)
    }
    store.close()
  }

  /// Writes a commit like a later version, with events of unknown kinds.
  private func commitUnknownEvent() throws {
    try setFormat(.later)
    let store = try Store(at: path, options: policy(.ignore))
    try store.writer.write { session in
      let tag = session.model.entities[try session.model.requireEntity("Recipe")].tag
      let header = { (body: [UInt8], count: Int) in
        CommitHeader(
          position: session.head.next, previousHash: session.headHash,
          bodyDigest: Digest(hashing: body.rawSpan), recordedAt: Timestamp(microseconds: 4_000_000_000_000_000),
          happenedAt: nil, commitID: nil, author: "later", message: nil, eventCount: count, bodySize: body.count,
          isModel: false)
      }
      let first: [UInt8] = [9, 1, 2, 3]
      let second: [UInt8] = [10]
      var writer = EventWriter(position: session.head.next, time: Timestamp(microseconds: 4_000_000_000_000_000))
      try writer.unknown(cake, entity: tag, previous: 2, content: first.rawSpan)
      try writer.unknown(cake, entity: tag, previous: 2, content: second.rawSpan)
      try session.append(PendingCommit(header: header(writer.bytes, writer.count), body: writer.bytes))
    }
    store.close()
  }

  private func policy(_ policy: StoreOptions.NewerVersionPolicy, _ projections: any Projection...) -> StoreOptions {
    var options = StoreOptions.knowing()
    options.projections = projections
    options.newerVersion = policy
    return options
  }

  @Test func aFormatThatCannotBePassedOverIsAlwaysRefused() throws {
    try setFormat(.unreadable)
    for policy in [StoreOptions.NewerVersionPolicy.fail, .readOnly, .ignore] {
      let error = #expect(throws: StoreError.self) { try Store(at: path, options: self.policy(policy)) }
      #expect(error?.code == .newerFormat)
    }
    #expect(try Store.verify(at: path).faults.count == 1)
  }

  @Test func failingIsWhatHappensUnlessOneAsksForMore() throws {
    try commitUnknownEvent()
    let error = #expect(throws: StoreError.self) { try Store(at: path) }
    #expect(error?.code == .newerFormat)
    #expect(error?.description.contains("format \(StoreFormat.later.version)") == true)
  }

  @Test func aStoreForReadingShowsWhatIsKnown() throws {
    try commitUnknownEvent()
    let store = try Store(at: path, options: policy(.readOnly))
    #expect(try store.fetch(FeedModel.byName).rows.map { $0["name"] } == ["cake", "pie"])
    #expect(try store.position == 3)
    var changed = FeedModel.model
    changed.entities[0].attributes.append(Attribute(name: "note", type: .string, isOptional: true))
    let calls: [() throws -> Void] = [
      { try store.write { _ = try $0.insert("Recipe", ["name": "no"]) } },
      { try store.batch { _ = try $0.commit { _ = try $0.insert("Recipe", ["name": "no"]) } } },
      { try store.apply(changed) }, { try store.undo(.commit(2), options: .force) },
    ]
    for call in calls {
      let error = #expect(throws: StoreError.self) { try call() }
      #expect(error?.code == .newerFormat)
    }
    #expect(try store.position == 3)
    store.close()
    try FileManager.default.removeItem(atPath: "\(path)/projections")
    let again = try Store(at: path, options: policy(.readOnly))
    #expect(try again.fetch(FeedModel.byName).rows.map { $0["name"] } == ["cake", "pie"])
  }

  @Test func whatIsUnknownIsKeptAndTold() throws {
    try commitUnknownEvent()
    let store = try Store(at: path, options: policy(.readOnly))
    var log = try store.log(from: 3)
    let commit = try #require(try log.next())
    #expect(commit.events.map(\.kind) == [.unknown, .unknown])
    #expect(commit.events.map(\.content) == [.unknown([9, 1, 2, 3]), .unknown([10])])
    #expect(commit.events.map(\.object) == [cake, cake])
    var history = try store.history(of: cake)
    var positions: [Position] = []
    while let commit = try history.next() { positions.append(commit.position) }
    #expect(positions == [2, 3])
    var line: [UInt8] = []
    var lines = try store.log(from: 3)
    _ = try lines.writeNext(.export, to: &line)
    let text = String(decoding: line, as: UTF8.self)
    #expect(
      text.contains(
        #"[{"event": "unknown", "entity": "Recipe", "object": "\#(cake)", "content": "CQECAw==", "previous": 2}, "#))
    store.close()
    let verification = try Store.verify(at: path)
    #expect(verification.faults == [])
    #expect(verification.notes.contains { $0.contains("format \(StoreFormat.later.version)") })
  }

  @Test func anExportGivesTheSameHashes() throws {
    try commitUnknownEvent()
    let store = try Store(at: path, options: policy(.ignore))
    let names = try store.names(at: 3)
    let copied = try store.files.withJournal { journal in
      try journal.withCommit(at: 3) { CopiedCommit($0, names: names) }
    }
    var writer = EventWriter(position: 3, time: copied.header.time)
    for event in try copied.decoded().events { try writer.append(event, names: names) }
    #expect(writer.bytes == copied.body)
    var line: [UInt8] = []
    var lines = try store.log(from: 3)
    _ = try lines.writeNext(.export, to: &line)
    let json = try JSONValue(parsing: Array(line.dropLast()))
    let events = try #require(json["events"]?.elements)
    #expect(try events.map { try Event(json: $0, names: names) } == copied.decoded().events)
  }

  @Test func writesGoOnWhereWhatIsUnknownIsIgnored() throws {
    try commitUnknownEvent()
    let store = try Store(at: path, options: policy(.ignore))
    try store.write { try $0.rename(cake, to: "torte") }
    try store.write { try $0.delete(pie) }
    var log = try store.log(from: 4, to: 4)
    // The unknown event counts as the previous one.
    #expect(try log.next()?.events.first?.previous == 3)
    #expect(try store.fetch(FeedModel.byName).rows.map { $0["name"] } == ["torte"])
    let past = try store.read { try $0.ids(of: FeedModel.byName, at: 2).sections.flatMap(\.rows) }
    #expect(past == [cake, pie])
    let between = try store.read { try $0.ids(of: FeedModel.byName, at: 3).sections.flatMap(\.rows) }
    #expect(between == [cake, pie])
    let conflict = #expect(throws: StoreError.self) {
      try store.write(CommitInfo(when: .untouched(cake, since: 2))) { _ in }
    }
    #expect(conflict?.conflict?.positions == [3, 4])
    let revert = #expect(throws: StoreError.self) { try store.undo(.commit(3), options: .force) }
    #expect(revert?.code == .newerFormat)
    store.close()
    #expect(try Store.verify(at: path).faults == [])
    let state = try stateOfProjections()
    #expect(state.checkpoint.omittingFormat == JournalMeta.formatVersion)
  }

  private func stateOfProjections() throws -> BuiltInTablesState {
    let store = try Store(at: path, options: policy(.ignore))
    defer { store.close() }
    return try store.keeper.projectionsEnvironment.withSnapshot {
      try #require(try store.keeper.currentProjections.state(in: $0))
    }
  }

  @Test func whoeverKnowsMoreBuildsAgain() throws {
    try commitUnknownEvent()
    let state = try stateOfProjections()
    #expect(state.checkpoint.omittingFormat == JournalMeta.formatVersion)
    #expect(BuiltInTablesState(state.bytes.rawSpan) == state)
    // The result of a later version.
    #expect(BuiltInTablesState(state.bytes.rawSpan, knowing: JournalMeta.formatVersion + 1) == nil)
    // Rebuilding records it too.
    let store = try Store(at: path, options: policy(.readOnly))
    try store.rebuild()
    store.close()
    #expect(try stateOfProjections().checkpoint.omittingFormat == JournalMeta.formatVersion)
    #expect(try Store.verify(at: path).faults == [])
  }

  @Test(arguments: [ProjectionMode.catchUp, .inline]) func projectionsLeaveOutWhatIsUnknown(mode: ProjectionMode) throws
  {
    let counter = ClosureProjection(mode: mode) { commit, rows in
      try rows.add(commit.inserted("Recipe").count, to: "inserted")
      try rows.add(commit.changed("Recipe").count, to: "changed")
      try rows.add(try commit.events().count { $0.kind == .unknown }, to: "unknown")
    }
    try commitUnknownEvent()
    let store = try Store(at: path, options: policy(.ignore, counter))
    try store.insertRecipes("tart")
    try store.projection("mine").catchUp()
    #expect(try store.numbers() == ["inserted": 3, "changed": 0, "unknown": 2])
    #expect(try store.projections().first?.checkpoint == 4)
    let record = try store.keeper.projectionsEnvironment.withSnapshot {
      try store.keeper.currentProjections.record(of: "mine", in: $0)
    }
    #expect(record.live?.checkpoint.omittingFormat == JournalMeta.formatVersion)
  }

  @Test func aStoreThatIsRaisedWhileItIsOpenIsNoticedByTheNextWrite() throws {
    let store = try Store(at: path)
    try store.files.writeJournal { transaction in
      try transaction.putMeta(
        JournalMeta.format, StoreFormat.later.bytes, in: store.files.journalTables)
    }
    let error = #expect(throws: StoreError.self) { try store.insertRecipes("no") }
    #expect(error?.code == .newerFormat)
    #expect(try store.fetch(FeedModel.byName).rows.count == 2)
  }

  @Test func anUnknownEventIsAFaultWhereTheFormatDoesNotAllowIt() throws {
    try commitUnknownEvent()
    try setFormat(.known)
    #expect(try !Store.verify(at: path).faults.isEmpty)
  }

  @Test func partsOfAModelThatAreUnknownAreKept() throws {
    let store = try Store(at: path)
    var json = try store.read { $0.resolvedModel.storedJSON }
    guard case .object(var members) = json else { return }
    members.append(("x-rules", ["a", "b"]))
    json = .object(members)
    let model = try ResolvedModel(stored: json)
    #expect(model.hasLaterParts)
    #expect(throws: ModelError.self) {
      try ResolvedModel(stored: .object(members + [("rules", [])]))
    }
    // Like a later version: the commit contains its own model.
    try store.writer.write { session in
      var body: [UInt8] = []
      json.write(to: &body)
      let header = CommitHeader(
        position: session.head.next, previousHash: session.headHash,
        bodyDigest: Digest(hashing: body.rawSpan), recordedAt: Timestamp(microseconds: 4_000_000_000_000_000),
        happenedAt: nil, commitID: nil, author: nil, message: nil, eventCount: 0, bodySize: body.count, isModel: true)
      try session.append(PendingCommit(header: header, body: body))
    }
    store.close()
    try setFormat(.later)
    let again = try Store(at: path, options: policy(.ignore))
    try again.insertRecipes("tart")
    var changed = FeedModel.model
    changed.entities[0].attributes.append(Attribute(name: "note", type: .string, isOptional: true))
    let error = #expect(throws: StoreError.self) { try again.apply(changed) }
    #expect(error?.code == .newerFormat)
  }
}

private extension StoreFormat {
  /// A format of the next version, which this version may read in parts.
  static let later = StoreFormat(version: known.version + 1, readableBy: known.version)
  /// A format that this version cannot read.
  static let unreadable = StoreFormat(version: known.version + 2, readableBy: known.version + 1)
}
