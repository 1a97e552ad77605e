import LMDB

extension WriteTransaction {
  /// Applies the changes of a layer to the built-in tables, and keeps the counts of the indexes.
  ///
  /// - Throws: `LMDBError`, as ``LMDB/WriteTransaction/flush(_:into:)`` does. The transaction can only be aborted then.
  /// - Complexity: O(*k* log *n*) for *k* changes.
  package mutating func flush(_ layer: Layer, into tables: BuiltInTables) throws(LMDBError) {
    for table in TableName.layered where !layer[table].isEmpty {
      try flush(layer[table], into: table, of: tables)
    }
  }

  /// Applies changes to one of the built-in tables; changes of the indexes keep their counts.
  package mutating func flush(
    _ changes: MemoryTable, into table: TableName, of tables: BuiltInTables
  ) throws(LMDBError) {
    guard table == .indexes else { return try flush(changes, into: tables[table]) }
    var keeper = try CountKeeper(CountTables(tables, in: snapshot))
    try flush(changes, into: tables.indexes) { (key, isInserted) throws(LMDBError) in
      try keeper.note(key, isInserted: isInserted)
    }
    try keeper.finish()
  }
}
