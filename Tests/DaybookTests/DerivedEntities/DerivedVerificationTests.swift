import DaybookTestSupport
import LMDB
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime
@testable import DaybookTools

/// `verify` checks derived rows, with the code of their projection and without it.
@Suite(.hangLimit) struct DerivedVerificationTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path("store") }
  private let rows = Request(entity: "AuthorMonth")

  init() throws { directory = try TemporaryDirectory() }

  /// Makes a store whose derived rows are read through links and indexes, some of them of deleted objects.
  private func makeStore(_ projection: MonthProjection) throws {
    let store = try Store(at: path, model: MonthProjection.model, options: .knowing(projection))
    for name in ["Emma", "Paul", "Zoe"] {
      let author = try store.write { try $0.insert("Author", ["name": .string(name)]) }
      for month in ["2026-01", "2026-02", "2026-01"] {
        try store.write { tx in
          let revision = try tx.insert("Revision", ["month": .string(month), "size": .integer(2)])
          try tx.relate(revision, "author", to: author)
        }
      }
      try store.write { try $0.rename(author, to: "\(name) 2") }
    }
    let last = try #require(try store.fetch(Request(entity: "Revision")).rows.last)
    try store.write { try $0.delete(last.id) }
    try store.projection(projection.name).catchUp()
    store.close()
  }

  private func options(_ projection: MonthProjection, isKnown: Bool) -> StoreOptions {
    isKnown ? .knowing(projection) : StoreOptions()
  }

  /// Changes the first row, or the last one, of a table of the projection.
  private func change(
    _ name: String, atEnd: Bool = false, sealing: Bool = true,
    _ body: (inout WriteTransaction, Table, _ key: [UInt8], _ value: [UInt8]) throws -> Void
  ) throws {
    try RawStore.change(path, "projections", sealing: sealing) { transaction in
      let names = try transaction.tableNames()
      let name = try #require(names.first { $0.hasPrefix("projection/author-months.") && $0.hasSuffix(".\(name)") })
      let table = try #require(try transaction.openTable(name, create: false))
      var cursor = try transaction.snapshot.makeCursor(in: table)
      try #require(try atEnd ? cursor.moveToLast() : cursor.moveToFirst())
      try body(&transaction, table, [UInt8](cursor.key), [UInt8](cursor.value))
    }
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp], [true, false])
  func `rows that follow from the journal are sound`(mode: ProjectionMode, isKnown: Bool) throws {
    let projection = MonthProjection(mode: mode)
    try makeStore(projection)
    let result = try Store.verify(at: path, options: options(projection, isKnown: isKnown))
    #expect(result.faults.isEmpty && result.notes.isEmpty, "\(result)")
  }

  /// What a program that knows the format changes, so that all checksums are right.
  enum Damage: CaseIterable {
    case record, missingRecord, addedRecord, missingIndexRow, missingInverseRow, wrongCount
    case changes, missingChanges, laterChanges

    var table: String {
      switch self {
      case .record, .missingRecord, .addedRecord: "objects"
      case .missingIndexRow: "views"
      case .missingInverseRow: "links"
      case .wrongCount: "counts"
      case .changes, .missingChanges, .laterChanges: "changes"
      }
    }

    /// The fault of the row.
    var what: String {
      switch self {
      case .record, .wrongCount, .changes: "it differs from what the journal gives"
      case .missingRecord, .missingIndexRow, .missingInverseRow, .missingChanges: "it is missing"
      case .addedRecord, .laterChanges: "the journal gives no such row"
      }
    }
  }

  private func plant(_ damage: Damage) throws {
    // The tags of ways back are higher than the tags of the links, and the last change ends in a new value.
    let atEnd = damage == .missingInverseRow || damage == .changes
    try change(damage.table, atEnd: atEnd) { transaction, table, key, value in
      switch damage {
      case .record, .wrongCount, .changes:
        var value = value
        value[value.count - 1] ^= 1
        try transaction.put(key, value, in: table)
      case .missingRecord, .missingIndexRow, .missingInverseRow, .missingChanges:
        #expect(try transaction.delete(key.rawSpan, in: table))
      case .addedRecord:
        var key = key
        key[key.count - 1] ^= 1
        try transaction.put(key, value, in: table)
      case .laterChanges: try transaction.put(DerivedChanges.key(of: 1_000), value, in: table)
      }
    }
  }

  @Test(arguments: Damage.allCases, [true, false])
  func `damage that has right checksums is found and repaired`(damage: Damage, isKnown: Bool) throws {
    let projection = MonthProjection()
    try makeStore(projection)
    let before = try read(projection)
    try plant(damage)
    let faults = try Store.verify(at: path, options: options(projection, isKnown: isKnown)).faults
    // The code makes the one row again; the changes alone may lead to other rows, too.
    let location = "projection author-months, table \(isKnown ? damage.table : "")"
    #expect(!faults.isEmpty && faults.allSatisfy { $0.place.hasPrefix(location) }, "\(faults)")
    if isKnown { #expect(faults.map(\.message) == [damage.what]) }
    let store = try Store(at: path, options: .knowing(projection))
    try store.projection(projection.name).catchUp()
    #expect(try store.verify().faults.isEmpty)
    store.close()
    #expect(try read(projection) == before)
    #expect(try Store.verify(at: path).faults.isEmpty)
  }

  private func read(_ projection: MonthProjection) throws -> Set<PlainMonth> {
    let store = try Store(at: path, options: .knowing(projection))
    defer { store.close() }
    try store.projection(projection.name).catchUp()
    return try Set(store.fetch(rows).rows.map(PlainMonth.init))
  }

  /// Where a byte changes in the projections' file, by the name of the table and the beginning of the row's key.
  struct Place {
    let table: String
    var key: [UInt8] = []
    let row: String

    /// The first row of a table of the projection; the table without a name has the commits that were left out.
    static func rows(_ table: String?) -> Place {
      Place(table: "projection/author-months." + (table.map { "*.\($0)" } ?? "*"), row: "row ")
    }

    static func state(_ key: String) -> Place {
      Place(table: BuiltInTablesState.tableName, key: Array(key.utf8), row: "the row “\(key)”")
    }

    /// Returns the name of the table, in which a generation has the place of the asterisk.
    func table(in transaction: inout WriteTransaction) throws -> Table {
      let parts = table.split(separator: "*", omittingEmptySubsequences: false)
      let name = try transaction.tableNames().first { name in
        guard parts.count == 2 else { return name.hasPrefix(table) }
        return name.hasPrefix(parts[0]) && name.hasSuffix(parts[1])
          && name.dropFirst(parts[0].count).dropLast(parts[1].count).allSatisfy(\.isNumber)
      }
      let opened = try transaction.openTable(#require(name), create: false)
      return try #require(opened)
    }
  }

  /// Makes a store with a commit index, and with commits that the projection left out.
  private func makeLongStore() throws {
    let projection = MonthProjection(onFailure: .quarantine, refused: "2026-02")
    try makeStore(projection)
    let store = try Store(at: path, options: .knowing(projection))
    for number in 0..<300 { try store.write { _ = try $0.insert("Revision", ["month": .string("\(number)")]) } }
    try store.projection(projection.name).catchUp()
    try store.rebuild(.commitIndex)
    store.close()
    #expect(try Store.verify(at: path).faults.isEmpty)
  }

  /// Opens the store with the projection's code, which finds it sound again.
  private func expectRepair() throws {
    let projection = MonthProjection(onFailure: .quarantine, refused: "2026-02")
    let store = try Store(at: path, options: .knowing(projection))
    try store.projection(projection.name).catchUp()
    #expect(try store.verify().faults.isEmpty)
    store.close()
  }

  @Test(arguments: [
    .rows(nil), .rows("objects"), .rows("links"), .rows("counts"), .rows("changes"),
    .state("commit-index"), .state("projection author-months"), .state("built-in"),
    Place(table: CommitIndexRow.tableName, row: "row "),
  ])
  func `a damaged row is found in each table with checksums`(place: Place) throws {
    try makeLongStore()
    var name = ""
    try RawStore.change(path, "projections", sealing: false) { transaction in
      let table = try place.table(in: &transaction)
      name = table.name
      var cursor = try transaction.snapshot.makeCursor(in: table)
      let isThere = try place.key.isEmpty ? cursor.moveToFirst() : cursor.seek(atOrAfter: place.key.rawSpan)
      #expect(isThere)
      let key = [UInt8](cursor.key)
      var value = [UInt8](cursor.value)
      value[value.count - 1] ^= 1
      try transaction.put(key, value, in: table)
    }
    let faults = try Store.verify(at: path).faults
    #expect(faults.contains { $0.place.hasPrefix("table \(name)") && $0.message.hasPrefix(place.row) }, "\(faults)")
    try expectRepair()
  }

  @Test(arguments: [.rows(nil), .rows("links"), Place(table: CommitIndexRow.tableName, row: "")])
  func `a missing table is found`(place: Place) throws {
    try makeLongStore()
    var name = ""
    try RawStore.change(path, "projections") { transaction in
      let table = try place.table(in: &transaction)
      name = table.name
      try transaction.drop(table)
    }
    let faults = try Store.verify(at: path).faults
    #expect(faults.map(\.message) == ["it is missing"], "\(faults)")
    #expect(faults.first?.place.hasPrefix("table \(name)") == true)
    try expectRepair()
  }

  @Test func `a wrong figure of the activity is found`() throws {
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
    #expect(faults.count == 1 && faults[0].place.hasPrefix("projection activity, table objects, @ActivityDay "))
  }

  /// The projection's code makes other rows than it once made.
  @Test func `rows that another code has made are found with the code alone`() throws {
    try makeStore(MonthProjection())
    #expect(try Store.verify(at: path).faults.isEmpty)
    let other = MonthProjection(onFailure: .quarantine, refused: "2026-02")
    let faults = try Store.verify(at: path, options: .knowing(other)).faults
    #expect(faults.contains { $0.place.hasPrefix("projection author-months, table objects, AuthorMonth ") })
  }

  @Test func `commits that were left out are left out again`() throws {
    let projection = MonthProjection(onFailure: .quarantine, refused: "2026-02")
    try makeStore(projection)
    #expect(try Store.verify(at: path, options: .knowing(projection)).faults.isEmpty)
    #expect(try Store.verify(at: path).faults.isEmpty)
  }

  @Test func `commits that were left out are left out until they are retried`() throws {
    try makeStore(MonthProjection(onFailure: .quarantine, refused: "2026-02"))
    // The code was mended, but the commits have not been retried.
    let mended = MonthProjection(onFailure: .quarantine)
    #expect(try Store.verify(at: path, options: .knowing(mended)).faults.isEmpty)
    let store = try Store(at: path, options: .knowing(mended))
    try store.projection(mended.name).retry()
    #expect(try Set(store.fetch(rows).rows.map(PlainMonth.init)) == PlainMonth.all(in: store))
    #expect(try store.verify().faults.isEmpty)
    store.close()
    // Commits that were applied are refused now.
    let stopping = MonthProjection(refused: "2026-02")
    #expect(
      try Store.verify(at: path, options: .knowing(stopping)).faults.map(\.place) == ["projection author-months"])
  }

  @Test func `rows of another version are not compared`() throws {
    try makeStore(MonthProjection())
    let result = try Store.verify(at: path, options: .knowing(MonthProjection(version: 2)))
    #expect(result.faults.isEmpty && result.notes.count == 1)
    #expect(try Store.verify(at: path, options: .knowing(MonthProjection())).faults.isEmpty)
  }

  @Test func `indexes follow what a commit that is left out changes in stored objects`() throws {
    let projection = MonthProjection(onFailure: .quarantine, refused: "2026-03")
    try makeStore(projection)
    let store = try Store(at: path, options: .knowing(projection))
    let author = try #require(try store.fetch(Request(entity: "Author")).rows.first)
    try store.write { tx in
      try tx.rename(author.id, to: "Yvonne")
      _ = try tx.insert("Revision", ["month": "2026-03", "size": .integer(1)])
    }
    try store.projection(projection.name).catchUp()
    let byAuthor = Request(entity: "AuthorMonth", section: SectionKey(path: ["author", "name"]))
    #expect(try store.fetch(byAuthor).sections.contains { $0.name == "Yvonne" })
    store.close()
    #expect(try Store.verify(at: path, options: .knowing(projection)).faults.isEmpty)
    #expect(try Store.verify(at: path).faults.isEmpty)
  }

  /// A row whose checksum is wrong is never served: the rows are built again before the read ends.
  @Test func `a reader that meets a damaged row builds the rows again`() throws {
    let projection = MonthProjection(mode: .inline)
    try makeStore(projection)
    let before = try read(projection)
    try change("objects", sealing: false) { transaction, table, key, value in
      var value = value
      value[value.count - 1] ^= 1
      try transaction.put(key, value, in: table)
    }
    #expect(try read(projection) == before)
    #expect(try Store.verify(at: path, options: .knowing(projection)).faults.isEmpty)
  }
}
