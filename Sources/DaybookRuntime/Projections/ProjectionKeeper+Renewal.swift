import DaybookEngine
import LMDB

extension ProjectionKeeper {
  /// Gives the projections a new file with the rows of the present one.
  ///
  /// LMDB writes new tables into pages of the same file, and a page that is in use keeps bytes of rows that were removed
  /// from it, or from the tables that had it before. A file into which the rows are written in their order has the rows
  /// alone. Readers in all processes use the old file until they have ended.
  ///
  /// - Throws: `LMDBError`, also where the disk has no room for both files; the projections then stay as they are.
  /// - Complexity: O(*n*) for *n* rows.
  package func renewProjections() throws {
    let used = currentProjections
    let directory = files.directory
    try directory.removePrepared()
    defer { try? directory.removePrepared() }
    try directory.makeDirectory(directory.preparedPath)
    var options = files.options
    // Rows in their order take no more pages than they do now.
    options.projectionsMapSizeInBytes = max(
      options.projectionsMapSizeInBytes, directory.fileSizes.projections + (1 << 20))
    let prepared = try directory.openProjections(options, at: directory.preparedPath)
    do {
      try copyRows(to: prepared)
      prepared.close()
    } catch {
      prepared.close()
      throw error
    }
    try exchangeForPrepared(used)
  }

  private func copyRows(to target: Environment) throws {
    while true {
      // A snapshot cannot use a table that is opened after it began.
      let (opened, names) = try withProjections { ($0.opened, try $0.snapshot.tableNames()) }
      let tables = try opened.environment.openTables(names)
      let isDone = try withProjections { projections in
        guard projections.opened === opened, try projections.snapshot.tableNames() == names else { return false }
        for case let table? in tables { try projections.copyRows(of: table, to: target) }
        return true
      }
      if isDone { return }
    }
  }
}

private extension StoreDirectory {
  func removePrepared() throws {
    if try FileKind(ofFileAt: preparedPath) != nil { try removeTree(preparedPath) }
  }
}

private extension ProjectionsSnapshot {
  /// The amount of data that is written in one transaction, which holds it in memory.
  static var pieceSizeInBytes: Int { 16 << 20 }

  /// Copies the rows of a table into another environment, in their order.
  func copyRows(of table: Table, to target: Environment) throws {
    var rows = try snapshot.makeCursor(in: table)
    var isMore = try rows.moveToFirst()
    repeat {
      var transaction = try target.beginWrite()
      guard let copy = try transaction.openTable(table.name, create: true) else {
        preconditionFailure("A table that is created can be opened.")
      }
      var size = 0
      while isMore, size < Self.pieceSizeInBytes {
        try transaction.put(rows.key, rows.value, in: copy, mode: .append)
        size += rows.key.byteCount + rows.value.byteCount
        isMore = try rows.moveToNext()
      }
      try transaction.commit()
    } while isMore
  }
}
