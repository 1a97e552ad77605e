import DaybookEngine
import LMDB

extension ProjectionKeeper {
  /// Returns the rows that a rebuild of all projections makes, without changing the store.
  package func rebuiltRows() throws -> TableDump {
    try files.checkOpen()
    return try growing { try healing { try rebuiltRowsOnce() } }
  }

  private func rebuiltRowsOnce() throws -> TableDump {
    // The lock of the journal excludes other writers; both transactions are aborted in the end.
    let opened = currentProjections
    let journal = try files.journalEnvironment.beginWrite()
    var projections = try opened.environment.beginWrite()
    let reader = LMDBJournal(snapshot: journal.snapshot, tables: files.journalTables)
    var rebuilder = Rebuilder(keeper: self, opened: opened, journal: reader, head: try reader.head())
    let (catalog, _) = try rebuilder.rebuild(TableName.allCases, in: &projections)
    let rows = try TableDump(catalog.reader(over: projections.snapshot))
    projections.abort()
    journal.abort()
    return rows
  }
}
