import CChecksum
import Foundation
import Testing

@testable import LMDB

/// Rows that end in a checksum.
@Suite(.hangLimit) struct ChecksumTests {
  private let directory: TemporaryDirectory
  private let environment: Environment
  private let table: Table
  private let plain: Table

  init() throws {
    directory = TemporaryDirectory()
    environment = try Environment.open(
      at: directory.path,
      options: EnvironmentOptions(
        mapSizeInBytes: 1 << 26, maximumTables: 8, flush: .none, hasChecksums: { $0 != "plain" }))
    table = try environment.makeTable("checked")
    plain = try environment.makeTable("plain")
  }

  /// Opens the same file without checksums, and changes its rows.
  private func change(_ body: (inout WriteTransaction, Table) throws -> Void) throws {
    environment.close()
    let raw = try Environment.open(at: directory.path, options: EnvironmentOptions(mapSizeInBytes: 1 << 26))
    defer { raw.close() }
    try raw.write { transaction in
      try body(&transaction, try #require(try transaction.openTable("checked", create: false)))
    }
  }

  private func reopened() throws -> (Environment, Table) {
    let environment = try Environment.open(
      at: directory.path, options: EnvironmentOptions(mapSizeInBytes: 1 << 26, hasChecksums: { $0 != "plain" }))
    return (environment, try #require(try environment.openTables(["checked"]).first ?? nil))
  }

  /// Replaces bytes in the file, wherever they are.
  private func replace(_ old: [UInt8], by new: [UInt8]) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: directory.dataFile)))
    var count = 0
    for start in 0...bytes.count - old.count where Array(bytes[start..<start + old.count]) == old {
      bytes.replaceSubrange(start..<start + old.count, with: new)
      count += 1
    }
    #expect(count > 0)
    let handle = try #require(FileHandle(forWritingAtPath: directory.dataFile))
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  @Test func `the checksum is that of RFC 3720`() {
    func checksum(_ bytes: [UInt8], _ compute: (UInt32, UnsafeRawPointer?, Int) -> UInt32) -> UInt32 {
      ~bytes.withUnsafeBytes { compute(0xffff_ffff, $0.baseAddress, $0.count) }
    }
    for compute in [daybook_crc32c, daybook_crc32c_portable] {
      #expect(checksum(Array("123456789".utf8), compute) == 0xe306_9283)
      #expect(checksum([UInt8](repeating: 0, count: 32), compute) == 0x8a91_36aa)
      #expect(checksum([UInt8](repeating: 0xff, count: 32), compute) == 0x62a8_ab43)
      #expect(checksum(Array(0..<32), compute) == 0x46dd_794e)
    }
  }

  @Test func `the instruction and the portable code agree for each length`() {
    let bytes = (0..<100).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    for count in 0...100 {
      bytes.withUnsafeBytes {
        #expect(
          daybook_crc32c(7, $0.baseAddress, count) == daybook_crc32c_portable(7, $0.baseAddress, count), "\(count)")
      }
    }
  }

  @Test func `a row comes back as it was put, empty ones too`() throws {
    let rows: [([UInt8], [UInt8])] = [([1], []), ([2], [1, 2, 3]), ([3], [UInt8](repeating: 7, count: 9_000))]
    try environment.write { transaction in
      for (key, value) in rows { try transaction.put(key, value, in: table) }
      let layer = MemoryTable()
      layer.put([4], [4, 4])
      layer.put([5], [])
      try transaction.flush(layer, into: table)
    }
    let found = try environment.read { try $0.entries(in: table).map { $0[1] } }
    #expect(found == rows.map(\.1) + [[4, 4], []])
    for (key, value) in rows {
      let found = try environment.read { try $0.value(key, in: table) }
      #expect(found == value)
    }
  }

  @Test func `a table without checksums keeps its rows as they are`() throws {
    try environment.write { try $0.put([1], [2], in: plain) }
    environment.close()
    let raw = try Environment.open(at: directory.path, options: EnvironmentOptions(mapSizeInBytes: 1 << 26))
    let table = try #require(try raw.openTables(["plain"]).first ?? nil)
    #expect(try raw.read { try $0.entries(in: table).map { $0[1] } } == [[2]])
    raw.close()
  }

  @Test func `each damaged bit of a value is found, by a look-up and by a cursor`() throws {
    try environment.write { try $0.put([1, 2], [5, 6, 7], in: table) }
    var row: [UInt8] = []
    try change { transaction, table in row = try transaction.snapshot.entries(in: table)[0][1] }
    #expect(row.count == 3 + 4)
    for bit in 0..<row.count * 8 {
      var damaged = row
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      try change { try $0.put([1, 2], damaged, in: $1) }
      let (again, checked) = try reopened()
      try again.read { snapshot in
        #expect(kind { _ = try snapshot.value([1, 2], in: checked) } == .checksumMismatch)
        #expect(snapshot.hasMetDamage)
        var cursor = try snapshot.makeCursor(in: checked)
        #expect(kind { _ = try cursor.moveToFirst() } == .checksumMismatch)
        // The cursor stands on the row, without a value.
        #expect([UInt8](cursor.key) == [1, 2] && cursor.value.isEmpty)
        let isFurther = try cursor.moveToNext()
        #expect(!isFurther)
      }
      again.close()
    }
  }

  @Test func `a value that is too short for a checksum is damaged`() throws {
    try change { try $0.put([1], [1, 2, 3], in: $1) }
    let (again, checked) = try reopened()
    try again.read { snapshot in
      #expect(kind { _ = try snapshot.value([1], in: checked) } == .checksumMismatch)
    }
    again.close()
  }

  @Test func `the border between key and value is covered`() throws {
    try environment.write { try $0.put([1, 2], [3], in: table) }
    try change { transaction, table in
      let row = try transaction.snapshot.entries(in: table)[0][1]
      #expect(try transaction.delete([1, 2], in: table))
      try transaction.put([1], [2] + row, in: table)
    }
    let (again, checked) = try reopened()
    try again.read { snapshot in
      #expect(kind { _ = try snapshot.value([1], in: checked) } == .checksumMismatch)
    }
    again.close()
  }

  @Test(arguments: 0..<8) func `a key that a damaged bit hides is not taken for absent`(bit: Int) throws {
    let keys: [[UInt8]] = [[10, 0], [50, 0], [90, 0]]
    try environment.write { transaction in for key in keys { try transaction.put(key, [1], in: table) } }
    // In place, where the row stays between its neighbours whatever its damaged key.
    environment.close()
    try replace([50, 0, 1], by: [50 ^ (1 << UInt8(bit)), 0, 1])
    let (again, checked) = try reopened()
    try again.read { snapshot in
      #expect(
        kind { try snapshot.proveAbsence(of: ([50, 0] as [UInt8]).rawSpan, in: checked) } == .checksumMismatch)
    }
    again.close()
  }

  @Test func `absence is proved between whole rows, and at the ends`() throws {
    try environment.write { transaction in
      try transaction.put([10], [1], in: table)
      try transaction.put([20], [1], in: table)
    }
    try environment.read { snapshot in
      for key in [[5], [15], [25]] as [[UInt8]] { try snapshot.proveAbsence(of: key.rawSpan, in: table) }
      try snapshot.proveAbsence(of: ([5] as [UInt8]).rawSpan, in: plain)
    }
  }
}
