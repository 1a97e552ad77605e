import DaybookEngine
import DaybookModel
import LMDB

extension ProjectionRecord {
  /// Reads the record of a projection, or returns `nil` if the store has no rows of it.
  ///
  /// - Throws: `LMDBError` of a kind that ``LMDBError/isDamage`` covers if the row differs from what was written.
  init?(
    of name: String, in snapshot: TransactionSnapshot, _ table: Table, _ known: DerivedDescriptions? = nil
  ) throws {
    guard let row = try snapshot.value(for: ProjectionRecord.key(of: name), in: table) else { return nil }
    self.init(row, known)
  }

  /// Returns the names of the projections that have a record.
  static func names(in snapshot: TransactionSnapshot, _ table: Table) throws -> [String] {
    let prefix = ProjectionRecord.key(of: "")
    var names: [String] = []
    var cursor = try snapshot.makeCursor(in: table)
    var isValid = try cursor.seek(atOrAfter: prefix.rawSpan)
    while isValid, hasPrefix(cursor.key, prefix.rawSpan) {
      names.append(String(decoding: [UInt8](cursor.key).dropFirst(prefix.count), as: UTF8.self))
      isValid = try cursor.moveToNext()
    }
    return names
  }
}
