import DaybookTestSupport
import LMDB
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

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
    case record, missingRecord, missingIndexRow, missingInverseRow, wrongCount, changes, missingChanges, laterChanges

    var table: String {
      switch self {
      case .record, .missingRecord: "objects"
      case .missingIndexRow: "views"
      case .missingInverseRow: "links"
      case .wrongCount: "counts"
      case .changes, .missingChanges, .laterChanges: "changes"
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
    #expect(!faults.isEmpty && faults.allSatisfy { $0.location.hasPrefix(location) }, "\(faults)")
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

  @Test func `a missing table is found`() throws {
    let projection = MonthProjection()
    try makeStore(projection)
    try RawStore.change(path, "projections") { transaction in
      let names = try transaction.tableNames().filter { $0.hasPrefix("projection/author-months.") }
      let name = try #require(names.first { $0.hasSuffix(".links") })
      try transaction.drop(try #require(try transaction.openTable(name, create: false)))
    }
    let faults = try Store.verify(at: path).faults
    #expect(faults.map(\.what) == ["it is missing"] && faults.first?.location.hasSuffix(".links") == true, "\(faults)")
    let store = try Store(at: path, options: .knowing(projection))
    try store.projection(projection.name).catchUp()
    #expect(try store.verify().faults.isEmpty)
    store.close()
  }

  /// The projection's code makes other rows than it once made.
  @Test func `rows that another code has made are found with the code alone`() throws {
    try makeStore(MonthProjection())
    #expect(try Store.verify(at: path).faults.isEmpty)
    let other = MonthProjection(onFailure: .quarantine, refused: "2026-02")
    let faults = try Store.verify(at: path, options: .knowing(other)).faults
    #expect(faults.contains { $0.location.hasPrefix("projection author-months, table objects, AuthorMonth ") })
  }

  @Test func `commits that were left out are left out again`() throws {
    let projection = MonthProjection(onFailure: .quarantine, refused: "2026-02")
    try makeStore(projection)
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
