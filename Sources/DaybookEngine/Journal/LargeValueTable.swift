import DaybookModel
import LMDB

/// The large values of a store: a table of the journal's environment.
///
/// | key | value |
/// |---|---|
/// | SHA-256 (32), number of the piece (4) | the piece: 1 MiB, or the rest in the last one |
///
/// The table is created by the transaction that writes the first value; a store without large values lacks it. Rows are
/// never replaced and never removed, so a value can be read in several transactions: each piece is copied in a
/// transaction of its own, and no transaction is open while a caller uses it.
package struct LargeValueTable: LargeValueSource {
  private let environment: Environment

  package static let name = "large values"

  /// - Parameter environment: The journal's environment.
  package init(_ environment: Environment) {
    self.environment = environment
  }

  package func contains(_ value: LargeValue) throws -> Bool { try size(of: value.sha256) == value.size }

  /// Returns the size of the value with a digest, or `nil` if the store has none.
  ///
  /// - Complexity: O(log *n*)
  package func size(of digest: Digest) throws -> Int? {
    try withTable { snapshot, table in
      guard let table else { return nil }
      return try LargeValueTable.size(of: digest, in: table, snapshot)
    }
  }

  package func chunk(_ number: Int, of value: LargeValue) throws -> [UInt8] {
    try withTable { snapshot, table in
      guard let table, let bytes = try snapshot.value(for: LargeValueKey(value.sha256, number).bytes, in: table) else {
        throw StoreError(
          .damaged, "The store lacks the value \(value.sha256), or a piece of it.", advice: .verifyAndRestore)
      }
      guard bytes.byteCount == value.sizeOfChunk(number) else {
        throw StoreError(
          .damaged, "The piece \(number) of the value \(value.sha256) has the wrong size.", advice: .verifyAndRestore)
      }
      return [UInt8](bytes)
    }
  }

  /// Returns the number of values that the store has now, and the bytes of all of them together.
  ///
  /// - Throws: `MalformedBytes` for a damaged key; `LMDBError`.
  /// - Complexity: O(*n*) for *n* pieces, whose bytes are not read.
  package func totals() throws -> (count: Int, sizeInBytes: Int) {
    try withTable { snapshot, table in
      var totals = (count: 0, sizeInBytes: 0)
      guard let table else { return totals }
      var cursor = try snapshot.makeCursor(in: table)
      var isValid = try cursor.moveToFirst()
      while isValid {
        if try LargeValueKey(cursor.key).chunk == 0 { totals.count += 1 }
        totals.sizeInBytes += cursor.value.byteCount
        isValid = try cursor.moveToNext()
      }
      return totals
    }
  }

  private func withTable<Result>(_ body: (TransactionSnapshot, Table?) throws -> Result) throws -> Result {
    let table = try openedTable()
    return try environment.withSnapshot { try body($0, table) }
  }

  /// Opens the table for the process; returns `nil` if the store has none.
  package func openedTable() throws(LMDBError) -> Table? {
    do throws(LMDBError) {
      return try environment.openTables([LargeValueTable.name])[0]
    } catch  where error.kind == .nestedWrite {
      // The writer on this thread would have opened a committed table when it began.
      return nil
    }
  }

  /// Whether the store has the table now, whatever an older transaction sees.
  package func exists() throws(LMDBError) -> Bool { try openedTable() != nil }

  /// Whether the table is missing, or this process has it open.
  ///
  /// Within a write of the thread, it is false for a table that another process has created meanwhile.
  package func isKnown() throws(LMDBError) -> Bool {
    do throws(LMDBError) {
      _ = try environment.openTables([LargeValueTable.name])
      return true
    } catch  where error.kind == .nestedWrite {
      return false
    }
  }

  /// Returns the size of the value with a digest, or `nil` if the table has none.
  package static func size(
    of digest: Digest, in table: Table, _ snapshot: TransactionSnapshot
  ) throws -> Int? {
    var cursor = try snapshot.makeCursor(in: table)
    _ = try cursor.seek(atOrAfter: LargeValueKey(digest, Int(UInt32.max)).bytes.rawSpan)
    guard try cursor.moveToPrevious(), let last = try? LargeValueKey(cursor.key), last.digest == digest
    else { return nil }
    return last.chunk * LargeValue.chunkSizeInBytes + cursor.value.byteCount
  }
}

/// The key of a piece of a large value.
package struct LargeValueKey: Hashable {
  package let digest: Digest
  package let chunk: Int

  package init(_ digest: Digest, _ chunk: Int) {
    (self.digest, self.chunk) = (digest, chunk)
  }

  package init(_ bytes: RawSpan) throws(MalformedBytes) {
    var reader = ByteReader(bytes)
    digest = try Digest(reading: &reader)
    chunk = Int(try reader.fixed(UInt32.self))
    guard reader.isAtEnd else { throw MalformedBytes(offset: reader.offset, expected: "the key of a large value") }
  }

  package var bytes: [UInt8] {
    var bytes = digest.bytes
    bytes.appendFixed(UInt32(clamping: chunk))
    return bytes
  }
}
