import DaybookModel
import DaybookTestSupport
import LMDB
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Damage to the table of large values is found, named, and never returned as data.
@Suite(.hangLimit) struct LargeValueDamageTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path("store") }
  private let photo: ObjectID
  private let value: LargeValue
  private let size = 2_500_000

  init() throws {
    directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: PhotoStore.model)
    let bytes = PhotoStore.bytes(1, size)
    photo = try store.write { try $0.insert("Photo", ["name": "a", "image": .data(bytes)]) }
    value = try #require(LargeValue(bytes))
    store.close()
    #expect(try Store.verify(at: path).faults.isEmpty)
  }

  private func change(_ body: (inout WriteTransaction, Table) throws -> Void) throws {
    try RawStore.change(path, "journal") { transaction in
      let table = try #require(try transaction.openTable(LargeValueTable.name, create: false))
      try body(&transaction, table)
    }
  }

  private func key(_ chunk: Int) -> [UInt8] { LargeValueKey(value.sha256, chunk).bytes }

  private func chunk(_ number: Int, _ transaction: borrowing WriteTransaction, _ table: Table) throws -> [UInt8] {
    let found = try transaction.snapshot.unsafeValue(for: key(number).rawSpan, in: table)
    return [UInt8](try #require(found).unsafeSpan)
  }

  /// Expects that a verification names the value, that a backup is refused, and that a read throws.
  private func expectFault(_ what: String, isReadable: Bool = false) throws {
    let result = try Store.verify(at: path)
    #expect(!result.isJournalWhole)
    #expect(
      result.faults.contains { $0.place == "value \(value.sha256)" && $0.message.contains(what) }, "\(result.faults)")
    #expect(throws: StoreError.self) { try Store.backUp(at: path, to: directory.path("backup")) }
    let store = try Store(at: path)
    defer { store.close() }
    // What needs no bytes of the value is not concerned.
    let image = try #require(try store.get(photo)?["image"])
    #expect(image == .large(value))
    let errors = [
      #expect(throws: StoreError.self) { try image.data() },
      #expect(throws: StoreError.self) {
        guard case .large(let large) = image else { return }
        try large.forEachChunk { _ in Issue.record("Damaged bytes were returned.") }
      },
    ]
    for error in errors { #expect(error?.code == .damaged) }
  }

  @Test func aChangedByteIsFound() throws {
    try change { transaction, table in
      var bytes = try chunk(1, transaction, table)
      bytes[70_000] ^= 1
      try transaction.put(key(1), bytes, in: table)
    }
    try expectFault("their digest differs")
  }

  @Test func aMissingPieceIsFound() throws {
    try change { transaction, table in _ = try transaction.delete(key(1), in: table) }
    try expectFault("its piece 1 is missing")
  }

  @Test func aMissingLastPieceIsFound() throws {
    try change { transaction, table in _ = try transaction.delete(key(2), in: table) }
    try expectFault("bytes, but the events say")
  }

  @Test func aMissingValueIsFound() throws {
    try change { transaction, table in
      for number in 0..<3 { _ = try transaction.delete(key(number), in: table) }
    }
    try expectFault("it is missing; commit 2 refers to it")
  }

  @Test func aPieceOfTheWrongSizeIsFound() throws {
    try change { transaction, table in
      try transaction.put(key(0), Array(try chunk(0, transaction, table).dropLast()), in: table)
    }
    try expectFault("has the wrong size")
  }

  /// Values that no event refers to harm nothing: a note reports them.
  @Test func unreferencedValuesAreNoted() throws {
    try change { transaction, table in
      let bytes = PhotoStore.bytes(7, 70_000)
      try transaction.put(LargeValueKey(Digest(hashing: bytes.rawSpan), 0).bytes, bytes, in: table)
    }
    let result = try Store.verify(at: path)
    #expect(result.faults.isEmpty)
    #expect(result.notes.contains { $0.hasPrefix("1 large values are stored that no event refers to") })
  }

  @Test func aFormatThatIsTooLowIsFound() throws {
    try RawStore.change(path, "journal") { transaction in
      var tables: [Table] = []
      for name in JournalTables.names { tables.append(try #require(try transaction.openTable(name, create: false))) }
      let format = StoreFormat(version: 2, readableBy: 1)
      try transaction.putMeta(JournalMeta.format, format.bytes, in: JournalTables(tables))
    }
    let faults = try Store.verify(at: path).faults
    #expect(faults.contains { $0.message.contains("refers to large values, which the store’s format 2 does not have") })
  }
}
