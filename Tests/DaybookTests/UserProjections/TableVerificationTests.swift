import DaybookTestSupport
import LMDB
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime
@testable import DaybookTools

/// `verify` folds deterministic projections again.
@Suite(.hangLimit) struct TableVerificationTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path("store") }

  init() throws { directory = try TemporaryDirectory() }

  private func makeStore(_ projection: LedgerProjection) throws {
    let store = try Store(at: path, model: FeedModel.model, options: .knowing(projection))
    try store.insertRecipes("a", "bad", "c")
    for number in 0..<30 { try store.insertRecipes("\(number)") }
    try store.projection("ledger").catchUp()
    store.close()
  }

  private func change(_ body: (inout WriteTransaction, Table) throws -> Void) throws {
    try RawStore.change(path, "projections") { transaction in
      let name = try #require(try transaction.tableNames().first { $0.hasPrefix("projection/ledger.") })
      try body(&transaction, try #require(try transaction.openTable(name, create: false)))
    }
  }

  private func faults(_ projection: LedgerProjection) throws -> [StoreVerification.Fault] {
    try Store.verify(at: path, options: .knowing(projection)).faults
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func rowsThatFollowFromTheJournalAreSound(mode: ProjectionMode) throws {
    let projection = LedgerProjection(mode: mode)
    try makeStore(projection)
    let result = try Store.verify(at: path, options: .knowing(projection))
    #expect(result.faults.isEmpty && result.notes.isEmpty)
  }

  @Test func aWrongRowAMissingOneAndOneTooManyAreFound() throws {
    let projection = LedgerProjection()
    try makeStore(projection)
    let (a, b, c) = (try "a".keyBytes(), try "b".keyBytes(), try "c".keyBytes())
    let (wrong, added, removed) = (
      try ProjectionKey.full(a, in: "by-name"), try ProjectionKey.full(b, in: "by-name"),
      try ProjectionKey.full(c, in: "by-name")
    )
    let (nine, one) = (try LedgerProjection.Count(times: 9).rowBytes(), try LedgerProjection.Count(times: 1).rowBytes())
    try change { transaction, table in
      try transaction.put(wrong, nine, in: table)
      try transaction.put(added, one, in: table)
      _ = try transaction.delete(removed.rawSpan, in: table)
    }
    // A projection that does not declare that it is deterministic is not compared.
    #expect(try faults(LedgerProjection(isDeterministic: false)).isEmpty)
    let found = try faults(projection)
    #expect(
      found.map(\.location)
        == [a, b, c].map {
          "projection ledger, table by-name, row \(hexadecimalText(of: $0.rawSpan))"
        })
    #expect(
      found.map(\.what) == [
        "it differs from what the journal gives", "the journal gives no such row", "it is missing",
      ])
    // The store builds the rows again.
    let store = try Store(at: path, options: .knowing(projection))
    try store.projection("ledger").catchUp()
    #expect(try store.verify().faults.isEmpty)
    store.close()
    #expect(try faults(projection).isEmpty)
  }

  @Test func aWrongFigureOfTheActivityIsFound() throws {
    var options = StoreOptions()
    options.projections = [ActivityProjection()]
    let store = try Store(at: path, model: FeedModel.model, options: options)
    try store.insertRecipes("a", "b")
    try store.projection("activity").catchUp()
    store.close()
    #expect(try Store.verify(at: path, options: options).faults.isEmpty)
    try RawStore.change(path, "projections") { transaction in
      let names = try transaction.tableNames().filter { $0.hasPrefix("projection/activity.") }
      let name = try #require(names.first { $0.hasSuffix(".objects") })
      let table = try #require(try transaction.openTable(name, create: false))
      var cursor = try transaction.snapshot.makeCursor(in: table)
      #expect(try cursor.moveToFirst())
      let key = [UInt8](cursor.key)
      var value = [UInt8](cursor.value)
      value[value.count - 1] ^= 1
      try transaction.put(key, value, in: table)
    }
    let faults = try Store.verify(at: path, options: options).faults
    #expect(faults.count == 1 && faults[0].location.hasPrefix("projection activity, table objects, @ActivityDay "))
  }

  @Test func whatIsNotDeterministicIsReportedOnlyIfItSaysSo() throws {
    let weight = Shared(1)
    var projection = LedgerProjection(
      isDeterministic: false,
      weight: {
        weight.change { $0 += 1 }
        return weight.now
      })
    try makeStore(projection)
    #expect(try faults(projection).isEmpty)
    projection.isDeterministic = true
    #expect(try faults(projection).count > 20)
  }

  @Test func setAsideEventsAreLeftOutAgain() throws {
    let refused = Shared("bad")
    let projection = LedgerProjection(refuses: { $0.hasPrefix(refused.now) })
    try makeStore(projection)
    // The code was mended, but the event has not been retried.
    refused.now = "worse"
    #expect(try faults(projection).isEmpty)
    let store = try Store(at: path, options: .knowing(projection))
    try store.projection("ledger").retry()
    #expect(try store.verify().faults.isEmpty)
    store.close()
    // An event that was applied is refused now.
    refused.now = "c"
    let stopping = LedgerProjection(onFailure: .stop, refuses: { $0.hasPrefix(refused.now) })
    #expect(try faults(stopping).map(\.location) == ["projection ledger"])
  }

  @Test func rowsOfAnotherVersionAreNotCompared() throws {
    try makeStore(LedgerProjection())
    let result = try Store.verify(at: path, options: .knowing(LedgerProjection(version: 2)))
    #expect(result.faults.isEmpty && result.notes.count == 1)
    #expect(try faults(LedgerProjection()).isEmpty)
  }

  /// Where a byte changes in the projections' file, by the beginning of the table's name and of the row's key.
  struct Place {
    let table: String
    var key: [UInt8] = []
    let row: String

    static func state(_ key: String) -> Place {
      Place(table: BuiltInTablesState.tableName, key: Array(key.utf8), row: "the row “\(key)”")
    }
  }

  /// A store whose rows nothing reads while it is verified, as the projection's code is not given.
  private func makeUnknownStore() throws {
    let projection = LedgerProjection(refuses: { $0 == "bad" })
    let store = try Store(at: path, model: FeedModel.model, options: .knowing(projection))
    for number in 0..<300 { try store.insertRecipes("\(number)") }
    try store.insertRecipes("bad")
    try store.projection("ledger").catchUp()
    try store.rebuild(.commitIndex)
    store.close()
    #expect(try Store.verify(at: path).faults.isEmpty)
  }

  private func table(_ prefix: String, in transaction: inout WriteTransaction) throws -> Table {
    let name = try #require(try transaction.tableNames().first { $0.hasPrefix(prefix) })
    return try #require(try transaction.openTable(name, create: false))
  }

  @Test(arguments: [
    Place(table: "projection/ledger.", key: [1], row: "row "), Place(table: "projection/ledger.", row: "row "),
    .state("commit-index"), .state("projection ledger"), .state("built-in"),
    Place(table: CommitIndexRow.tableName, row: "row "),
  ])
  func aDamagedRowIsFoundInEachTable(place: Place) throws {
    try makeUnknownStore()
    try RawStore.change(path, "projections", sealing: false) { transaction in
      let table = try table(place.table, in: &transaction)
      var cursor = try transaction.snapshot.makeCursor(in: table)
      #expect(try place.key.isEmpty ? cursor.moveToFirst() : cursor.seek(atOrAfter: place.key.rawSpan))
      let key = [UInt8](cursor.key)
      var value = [UInt8](cursor.value)
      value[value.count - 1] ^= 1
      try transaction.put(key, value, in: table)
    }
    let faults = try Store.verify(at: path).faults
    #expect(
      faults.contains { $0.location.hasPrefix("table \(place.table)") && $0.what.hasPrefix(place.row) }, "\(faults)")
    let store = try Store(at: path, options: .knowing(LedgerProjection()))
    #expect(try store.verify().faults.isEmpty)
    store.close()
  }

  @Test(arguments: ["projection/ledger.", CommitIndexRow.tableName])
  func aTableThatIsGoneIsFound(prefix: String) throws {
    try makeUnknownStore()
    try RawStore.change(path, "projections") { transaction in
      try transaction.drop(try table(prefix, in: &transaction))
    }
    let faults = try Store.verify(at: path).faults
    #expect(faults.map(\.what) == ["it is missing"])
    #expect(faults.first?.location.hasPrefix("table \(prefix)") == true)
    let store = try Store(at: path, options: .knowing(LedgerProjection()))
    #expect(try store.verify().faults.isEmpty)
    store.close()
  }
}
