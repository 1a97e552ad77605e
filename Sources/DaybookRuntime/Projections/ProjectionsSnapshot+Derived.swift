import DaybookEngine
import DaybookModel
import LMDB

extension ProjectionsSnapshot {
  /// Returns the rows of all projections with derived entities, by name.
  func derivedRows() throws -> [DerivedInstance] { try opened.derivedRows(in: snapshot) }

  /// Returns the size of a projection's tables, in bytes of pages; the kept changes are among them.
  ///
  /// - Throws: `UnopenedTables` if the process had not opened the tables before the snapshot.
  package func sizeInBytes(of name: String) throws -> Int {
    guard let live = try record(of: name).live else { return 0 }
    let names = ProjectionRecord.derivedTableNames(of: name, live)
    let known = opened.derivedCatalogs.withLock { $0.tables }
    let tables = names.compactMap { known[$0] }.filter(snapshot.has)
    guard tables.count == names.count else { throw UnopenedTables(projection: name, names: names) }
    return try tables.reduce(0) { try $0 + snapshot.statistics(in: $1).sizeInBytes }
  }
}
