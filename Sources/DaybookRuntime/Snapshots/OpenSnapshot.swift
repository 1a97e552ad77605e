import DaybookEngine
import DaybookModel
import LMDB

/// A verified snapshot, opened for reading. It is closed when it is released.
final class OpenSnapshot: Sendable {
  let position: Position
  private let isExact: Bool
  private let environment: Environment
  private let catalog: Catalog
  /// The large values of the store, which snapshots share.
  private let largeValues: LargeValueTable

  /// - Returns: `nil` if the tables do not belong to a snapshot of the marker's position.
  init?(_ marker: SnapshotMarker, in files: SnapshotFiles, _ journal: LMDBJournal) throws {
    (position, isExact) = (marker.position, marker.isExact)
    largeValues = journal.largeValues
    let environment = try Environment.open(
      at: files.directory(marker.position),
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
    return try CatalogLoader(state, model: journal.model).load(from: environment)
  }

  /// Calls `body` with a reader of the state.
  func read<Result>(_ body: (State) throws -> Result) throws -> Result {
    try environment.withSnapshot { snapshot in
      try body(
        State(
          reader: catalog.reader(over: snapshot, largeValues: largeValues),
          dependents: catalog.dependents,
          position: position, isExact: isExact))
    }
  }
}
