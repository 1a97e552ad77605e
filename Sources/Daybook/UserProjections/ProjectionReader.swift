import DaybookModel
import LMDB

/// The rows of a projection at its checkpoint.
///
///     let count = try store.read(projection: "renames") { reader in
///       try reader.integer(id.bytes, in: "count")
///     }
///
/// All reads are of one position, which is never in the middle of a commit. A reader is valid only in the closure that
/// receives it.
public struct ProjectionReader: ~Copyable {
  private let rows: ProjectedRows
  /// The last commit that the projection has applied.
  public let position: Position
  /// The version of the code that made the rows.
  public let version: Int

  // Never inlined: see ``Transaction``.
  @inline(never)
  init(_ rows: ProjectedRows, _ instance: ProjectionRecord.Instance) {
    self.rows = rows
    position = instance.checkpoint
    version = Int(clamping: instance.version)
  }

  /// Returns the value of a key, or `nil` if there is no such row.
  ///
  /// - Throws: `StoreError`: `badValue` for an invalid table name or key, `damaged`.
  /// - Complexity: O(log *n*)
  public func get(_ key: [UInt8], in table: String) throws -> [UInt8]? {
    try rows.value(for: ProjectionKey.full(key, in: table))
  }

  /// Returns a number that ``ProjectionContext/increment(_:by:in:)`` stored, or 0 if absent.
  ///
  /// - Throws: `StoreError` with the code `badValue` if the row holds something else.
  public func integer(_ key: [UInt8], in table: String) throws -> Int64 {
    try get(key, in: table).map { try ProjectionKey.integer($0, in: table) } ?? 0
  }

  /// Calls `body` with the rows whose keys begin with `prefix`, in order.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of the keys; empty for all rows of the table.
  ///   - start: The first key to visit; `nil` for the first key there is.
  ///   - table: The table, which need not exist.
  ///   - body: Receives each row, and returns whether to continue.
  public func scan(
    _ prefix: [UInt8] = [], from start: [UInt8]? = nil, in table: String,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    try rows.scan(prefix, from: start, in: table, body)
  }

  /// Returns all rows with their whole keys; for tests.
  package func allRows() throws -> [[UInt8]] {
    var all: [[UInt8]] = []
    try rows.scan(under: []) { key, value in
      all += [key, value]
      return true
    }
    return all
  }
}

extension Store {
  /// Reads the rows of a projection.
  ///
  /// An inline projection that this process knows is at the head: commits of processes that do not know it are applied
  /// first. Other projections are at their checkpoint, see ``wait(for:in:)``; only rows that do not exist, or were made
  /// by another version of the code, are built first.
  ///
  /// - Parameters:
  ///   - projection: The projection's name. A projection that this process does not know can be read too.
  ///   - body: Reads the rows.
  /// - Returns: What `body` returned.
  /// - Throws: What `body` throws; `StoreError`: `notFound` if the store has no such projection, `newerFormat` if the
  ///   store has a later version than this process knows.
  public func read<Result>(
    projection: String, _ body: (borrowing ProjectionReader) throws -> Result
  ) throws -> Result {
    try checkOpen()
    do {
      if let known = knownProjection(projection), try !isReadable(known) { try run(known, .current) }
    } catch {
      throw StoreError.translating(error)
    }
    return try readRows(of: projection) { _, live, rows in try body(ProjectionReader(rows, live)) }
  }

  /// Returns whether this process can read a projection's rows without applying commits first.
  private func isReadable(_ projection: any Projection) throws -> Bool {
    try healing {
      try withSnapshots { projections, journal in
        guard let live = try projections.record(of: projection.name).live else { return false }
        guard live.version == UInt64(projection.version), !live.lacksKnownEvents else { return false }
        guard projection.mode == .inline, live.stop == nil else { return true }
        return try live.checkpoint == journal.head()
      }
    }
  }

  /// Reads the live rows of a projection, whatever their checkpoint.
  func readRows<Result>(
    of name: String, _ body: (ProjectionRecord, ProjectionRecord.Instance, ProjectedRows) throws -> Result
  ) throws -> Result {
    try checkOpen()
    do {
      return try healing { try readPresentRows(of: name, body) }
    } catch {
      throw StoreError.translating(error)
    }
  }

  private func readPresentRows<Result>(
    of name: String, _ body: (ProjectionRecord, ProjectionRecord.Instance, ProjectedRows) throws -> Result
  ) throws -> Result {
    var missing: String?
    while true {
      // A snapshot cannot use a table that is opened after it began.
      let (opened, expected) = try withProjections { ($0.opened, try liveTable(of: name, in: $0)) }
      guard let table = try opened.environment.openTables([expected]).first ?? nil else {
        // The table was replaced meanwhile, or it is missing.
        guard expected != missing else { throw StoreError(missingTable: expected, of: name) }
        missing = expected
        continue
      }
      if let result = try readRowsOnce(of: name, table, body) { return result }
    }
  }

  private func liveTable(of name: String, in projections: ProjectionsSnapshot) throws -> String {
    guard let live = try projections.record(of: name).live else { throw StoreError(missingProjection: name) }
    return ProjectionRecord.tableName(of: name, live)
  }

  /// Reads the rows of a table, or returns `nil` if other rows have replaced them.
  private func readRowsOnce<Result>(
    of name: String, _ table: Table,
    _ body: (ProjectionRecord, ProjectionRecord.Instance, ProjectedRows) throws -> Result
  ) throws -> Result? {
    try withProjections { projections in
      let record = try projections.record(of: name)
      guard let live = record.live, ProjectionRecord.tableName(of: name, live) == table.name else { return nil }
      let result = try body(record, live, ProjectedRows(snapshot: projections.snapshot, table: table))
      if projections.snapshot.hasMetDamage { throw projections.snapshot.damage(.readValue) }
      return result
    }
  }
}
