import DaybookEngine
import DaybookModel
import LMDB

/// A verified snapshot, or the rows of a projection beside one, opened for reading.
///
/// It is closed when it is released.
final class OpenSnapshot: Sendable {
  let position: Position
  /// See ``SnapshotMarker/rows``.
  let rows: Digest?
  fileprivate let isExact: Bool
  fileprivate let environment: Environment
  fileprivate let catalog: Catalog
  /// The large values of the store, which snapshots share.
  fileprivate let largeValues: LargeValueTable

  /// - Returns: `nil` if the tables do not belong to a snapshot of the marker's position.
  init?(_ marker: SnapshotMarker, in directory: String, _ journal: LMDBJournal) throws {
    (position, rows, isExact) = (marker.position, marker.rows, marker.isExact)
    largeValues = journal.largeValues
    let environment = try Environment.open(
      at: directory,
      options: EnvironmentOptions(
        mapSizeInBytes: max(marker.sizeInBytes, 1), maximumTables: 16, isReadOnly: true,
        hasChecksums: TableName.hasChecksums))
    guard let catalog = try OpenSnapshot.catalog(of: environment, at: marker.position, journal) else {
      environment.close()
      return nil
    }
    self.environment = environment
    self.catalog = catalog
  }

  private static func catalog(
    of environment: Environment, at position: Position, _ journal: LMDBJournal
  ) throws -> Catalog? {
    guard let table = try environment.openTables([BuiltInTablesState.tableName]).first ?? nil else { return nil }
    let state = try environment.withSnapshot { try BuiltInTablesState(in: $0, table) }
    guard let state, state.checkpoint.position == position else { return nil }
    return try CatalogLoader(state, model: journal.model).load(from: environment).flatMap {
      state.lacksGroups(of: $0.model) ? nil : $0
    }
  }
}

/// A snapshot, with the rows of the projections of a scope.
struct ScopedSnapshot {
  let stored: OpenSnapshot
  /// What reads the rows; `nil` for stored objects alone.
  let derivation: DerivedCatalog?
  /// The rows of the parts of the catalog, in their order.
  let rows: [OpenSnapshot]

  var position: Position { stored.position }
}

/// A state that is read from a snapshot. It can be used until it is released.
final class SnapshotReading {
  let state: State
  private let transactions: [OpenRead]

  /// A read transaction, which ends when it is released.
  private final class OpenRead {
    let transaction: ReadTransaction

    init(_ environment: Environment) throws { transaction = try environment.beginRead() }
  }

  init(_ snapshot: ScopedSnapshot) throws {
    let stored = snapshot.stored
    let (base, rows) = (try OpenRead(stored.environment), try snapshot.rows.map { try OpenRead($0.environment) })
    transactions = [base] + rows
    let reader = stored.catalog.reader(over: base.transaction.snapshot, largeValues: stored.largeValues)
    guard let derivation = snapshot.derivation else {
      state = State(
        reader: reader, dependents: stored.catalog.dependents, position: stored.position, isExact: stored.isExact)
      return
    }
    let tables = zip(derivation.parts, zip(snapshot.rows, rows)).map { part, opened in
      DerivedTables(
        tags: part.entities.tags, tables: opened.0.catalog.tables, in: opened.1.transaction.snapshot)
    }
    state = State(
      reader: reader.adding(tables, layers: [], by: derivation.model), dependents: derivation.dependents,
      position: stored.position, isExact: stored.isExact)
  }
}
