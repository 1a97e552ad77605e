import DaybookModel
import DaybookTestSupport
import LMDB
import Testing

@testable import DaybookEngine

/// The tables of indexes and counts, and a plain set of the keys that must be in the indexes.
final class CountTable {
  typealias Row = (key: [UInt8], value: [UInt8])

  let tables: BuiltInTables
  private let directory: TemporaryDirectory
  private let environment: Environment
  private(set) var keys: Set<[UInt8]> = []

  init(_ boundaries: StretchBoundaries) throws {
    directory = try TemporaryDirectory()
    environment = try Environment.open(
      at: directory.path, options: EnvironmentOptions(flush: .none, hasChecksums: TableName.hasChecksums))
    var transaction = try environment.beginWrite()
    let opened = try TableName.allCases.map { try #require(try transaction.openTable("\($0.name).1", create: true)) }
    try transaction.commit()
    tables = BuiltInTables(opened, boundaries: boundaries)
  }

  /// Puts and deletes keys in one flush, whether or not they are there.
  func flush(putting added: some Sequence<[UInt8]>, deleting removed: some Sequence<[UInt8]> = []) throws {
    let changes = MemoryTable()
    for key in removed { changes.delete(key) }
    for key in added { changes.put(key) }
    var transaction = try environment.beginWrite()
    try transaction.flush(changes, into: .indexes, of: tables)
    try transaction.commit()
    keys.subtract(removed)
    keys.formUnion(added)
  }

  /// Makes the indexes have exactly these keys.
  func change(to new: Set<[UInt8]>) throws {
    try flush(putting: new.subtracting(keys), deleting: keys.subtracting(new))
  }

  func read<Result>(_ body: (TransactionSnapshot) throws -> Result) throws -> Result {
    try environment.withSnapshot(body)
  }

  func beginWrite() throws -> WriteTransaction { try environment.beginWrite() }

  func write(_ body: (inout WriteTransaction) throws -> Void) throws {
    var transaction = try environment.beginWrite()
    try body(&transaction)
    try transaction.commit()
  }

  func rows() throws -> [Row] {
    try read { snapshot in
      var rows: [Row] = []
      var cursor = try snapshot.makeCursor(in: tables.counts)
      var isValid = try cursor.moveToFirst()
      while isValid {
        rows.append(([UInt8](cursor.key), [UInt8](cursor.value)))
        isValid = try cursor.moveToNext()
      }
      return rows
    }
  }

  /// The rows that the keys must have: for each level of each index, the entries from each boundary on.
  var expectedRows: [Row] {
    var rows: [Row] = []
    for keys in Dictionary(grouping: keys, by: { Array($0.prefix(2)) }).values.map({ $0.sorted(by: precedes) }) {
      for level in 0..<StretchBoundaries.maximumLevelCount {
        let starts = keys.filter { tables.boundaries.levelCount(of: $0.rawSpan) > level }
        if level > 0, starts.isEmpty { break }
        let ends = starts.map(Optional.some) + [nil]
        for (start, end) in zip([Array(keys[0].prefix(2))] + starts, ends) {
          let inside = keys.filter { key in !precedes(key, start) && end.map { precedes(key, $0) } ?? true }
          rows.append(([UInt8(level)] + start, bytes(inside.count) + bytes(inside.count { $0.count == 511 })))
        }
      }
    }
    return rows.sorted { precedes($0.key, $1.key) }
  }

  func checkRows() throws {
    let (found, expected) = (try rows(), expectedRows)
    guard found.count == expected.count, zip(found, expected).allSatisfy({ $0 == $1 }) else {
      throw Mismatch("the rows are \(found) instead of \(expected)")
    }
  }

  /// Checks the rank of each key and of keys between them, and the key of each rank.
  func checkRanks(_ tag: DaybookModel.Tag) throws {
    let head = [UInt8(tag.number >> 8), UInt8(tag.number & 255)]
    let own = keys.filter { $0.starts(with: head) }.sorted(by: precedes)
    try read { snapshot in
      let reader = CountReader(tag, of: tables, in: snapshot)
      func check(_ key: [UInt8]?, _ before: some Collection<[UInt8]>) throws {
        let wanted = EntryCount(all: before.count, long: before.count { $0.count == 511 })
        let found = try reader.count(before: key)
        guard found == wanted else { throw Mismatch("\(found) entries before \(key ?? []) instead of \(wanted)") }
      }
      try check(nil, own)
      try check(head, [])
      for (number, key) in own.enumerated() {
        try check(key, own[..<number])
        try check(key + [0], own[...number])
        try check(Array(key.dropLast()), own[..<number].filter { precedes($0, Array(key.dropLast())) })
        let cursor = try reader.makeCursor(at: number)
        guard [UInt8](cursor.key) == key else { throw Mismatch("entry \(number)") }
        let end = own[(number + own.count) / 2 % own.count]
        let count = own.count { !precedes($0, key) && precedes($0, end) }
        guard try reader.count(from: key, before: end) == count else { throw Mismatch("the entries up to \(end)") }
      }
    }
  }
}

private func bytes(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) } }
