import LMDB

extension Layer {
  /// The memory that the changes of a long fold may take before they are written, in bytes.
  package static let maximumSizeInBytes = 16 << 20
  /// The pages that one transaction of a long fold may change.
  private static let maximumPageCount = 16_384

  /// Returns whether the changes should be written into tables in a transaction of their own.
  ///
  /// A transaction keeps each page that it changes in memory, and its environment keeps that memory for the next one. Rows
  /// in random places of a large table change a page each, which has many times their size.
  package func fills(_ tables: BuiltInTables, in snapshot: TransactionSnapshot) throws(LMDBError) -> Bool {
    if sizeInBytes > Layer.maximumSizeInBytes { return true }
    // In the common case no table need be asked.
    guard TableName.layered.reduce(0, { $0 + self[$1].count }) > Layer.maximumPageCount / 2 else { return false }
    var count = 0
    for name in TableName.layered where !self[name].isEmpty {
      let table = try snapshot.statistics(in: tables[name])
      let rows = self[name].count
      count += min(rows, table.leafPageCount) + min(rows, table.branchPageCount)
    }
    return count > Layer.maximumPageCount
  }
}
