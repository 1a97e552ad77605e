import DaybookTestSupport
import DaybookTools
import Foundation
import LMDB
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// The format numbers of stores with and without named events.
@Suite(.hangLimit) struct NamedEventFormatTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path("store") }
  private let first = StoreFormat(version: 1, readableBy: 1)
  private let raised = StoreFormat(version: 2, readableBy: 1)

  init() throws { directory = try TemporaryDirectory() }

  @Test func aStoreWithoutThemKeepsTheFirstFormat() throws {
    let store = try Store(at: path, model: FeedModel.model)
    let id = try store.insertRecipes("cake")[0]
    try store.write { try $0.rename(id, to: "torte") }
    var changed = FeedModel.model
    changed.entities[0].attributes.append(Attribute(name: "note", type: .string, isOptional: true))
    try store.apply(changed)
    try store.write { try $0.delete(id) }
    #expect(try store.format == first)
    // The row is the one byte that the first version wrote.
    let row = try store.files.withJournal { try $0.meta(JournalMeta.format) }
    #expect(row == [1])
    store.close()
    #expect(try Store.verify(at: path).notes == [])
  }

  @Test func aModelWithThemRaisesTheFirstNumber() throws {
    let store = try Store(at: path, model: FeedModel.model)
    try store.apply(RecordingModel.model)
    #expect(try store.format == raised)
    // The number stays when the model loses them, because the journal keeps them.
    try store.apply(FeedModel.model)
    #expect(try store.format == raised)
    store.close()
    #expect(try Store.verify(at: path).faults == [])
    let other = directory.path("other")
    let created = try Store(at: other, model: RecordingModel.model)
    #expect(try created.format == raised)
    let row = try created.files.withJournal { try $0.meta(JournalMeta.format) }
    #expect(row == [2, 1])
    created.close()
  }

  /// The commit that first needs a format, and the format, are in one transaction.
  @Test func aCommitThatFailsRaisesNothing() throws {
    let store = try Store(at: path, model: FeedModel.model)
    var broken = RecordingModel.model
    broken.entities[0].unique = [["servings"]]
    try store.write { tx in
      try tx.insert("Recipe", ["name": "a", "servings": 1])
      try tx.insert("Recipe", ["name": "b", "servings": 1])
    }
    #expect(throws: StoreError.self) { try store.apply(broken) }
    #expect(try store.format == first)
    store.close()
  }

  @Test func theFirstRecordedEventRaisesItWhereTheModelDidNot() throws {
    let store = try Store(at: path, model: RecordingModel.model)
    let cake = try store.insertRecipes("cake")[0]
    // As if another program had lost the number.
    try store.files.writeJournal {
      try $0.putMeta(JournalMeta.format, first.bytes, in: store.files.journalTables)
    }
    store.close()
    #expect(try !Store.verify(at: path).faults.isEmpty)
    let again = try Store(at: path)
    try again.cook(cake)
    #expect(try again.format == raised)
    again.close()
    #expect(try Store.verify(at: path).faults == [])
  }

  @Test func aGreaterFormatIsKept() throws {
    var options = StoreOptions()
    options.newerVersion = .ignore
    let store = try Store(at: path, model: FeedModel.model, options: options)
    let later = StoreFormat(version: JournalMeta.formatVersion + 1, readableBy: 2)
    try store.files.writeJournal {
      try $0.putMeta(JournalMeta.format, later.bytes, in: store.files.journalTables)
    }
    try store.apply(RecordingModel.model)
    #expect(try store.format == later)
    store.close()
  }

  /// An older program reads such a store if its policy allows it; the events are of a kind that it passes over.
  @Test func theFirstVersionMayReadItOn() throws {
    #expect(raised.readableBy == 1)
    let store = try Store(at: path, model: RecordingModel.model)
    let cake = try store.insertRecipes("cake")[0]
    try store.cook(cake)
    let body = try store.files.withJournal { journal in
      try journal.withCommit(at: 3) { [UInt8]($0.body) }
    }
    #expect(body[0] & 0x77 == 7)
    // Projections that left the events out are rebuilt by a program that knows them.
    var state = try store.keeper.projectionsEnvironment.withSnapshot {
      try #require(try store.keeper.currentProjections.state(in: $0))
    }
    #expect(state.checkpoint.omittingFormat == 0)
    state.checkpoint.omittingFormat = 1
    #expect(BuiltInTablesState(state.bytes.rawSpan) == nil)
    #expect(BuiltInTablesState(state.bytes.rawSpan, knowing: 1) == state)
    store.close()
  }

  @Test func projectionsThatLeftThemOutAreRebuilt() throws {
    let store = try Store(at: path, model: RecordingModel.model)
    let cake = try store.insertRecipes("cake")[0]
    try store.cook(cake)
    var state = try store.keeper.projectionsEnvironment.withSnapshot {
      try #require(try store.keeper.currentProjections.state(in: $0))
    }
    state.checkpoint.omittingFormat = 1
    store.close()
    // The first version would write the record with the event's position too, and the format that it knew.
    try RawStore.change(path, "projections") { transaction in
      let table = try #require(try transaction.openTable(BuiltInTablesState.tableName, create: false))
      try transaction.put(BuiltInTablesState.key, state.bytes, in: table)
    }
    let again = try Store(at: path)
    #expect(try again.fetch(FeedModel.byName).rows.count == 1)
    state = try again.keeper.projectionsEnvironment.withSnapshot {
      try #require(try again.keeper.currentProjections.state(in: $0))
    }
    #expect(state.checkpoint.omittingFormat == 0)
    again.close()
    #expect(try Store.verify(at: path).faults == [])
  }

  @Test func anImportRaisesItToo() throws {
    let store = try Store(at: path, model: FeedModel.model)
    let cake = try store.insertRecipes("cake")[0]
    try store.apply(RecordingModel.model)
    try store.cook(cake)
    var text: [UInt8] = []
    var log = try store.log()
    while try log.writeNext(.export, to: &text) {}
    let hash = try store.read { try $0.stateHash() }
    store.close()
    let other = directory.path("other")
    var input: [UInt8]? = text
    let summary = try Importer(to: other).run {
      defer { input = nil }
      return input
    }
    #expect(summary.head == 4)
    let imported = try Store(at: other)
    #expect(try imported.format == raised)
    #expect(try imported.read { try $0.stateHash() } == hash)
    imported.close()
    #expect(try Store.verify(at: other).faults == [])
  }
}
