import DaybookEngine
import DaybookModel

/// The rows of a projection at its checkpoint.
///
///     let count = try store.projection("renames").read { reader in
///       try reader.integer(id.bytes, in: "count")
///     }
///
/// All reads are of one position, which is never in the middle of a commit. A reader is valid only in the closure that
/// receives it.
public struct ProjectionReader: ~Copyable {
  package let rows: ProjectionTable
  /// What the rows follow from.
  package let stamp: ProjectionRecord.Stamp
  /// The last commit that the projection has applied.
  public let position: Position
  /// The version of the code that made the rows.
  public let version: Int

  // Never inlined: see ``Transaction``.
  @inline(never)
  package init(_ rows: ProjectionTable, _ instance: ProjectionRecord.Instance) {
    self.rows = rows
    stamp = ProjectionRecord.Stamp(instance)
    position = instance.checkpoint.position
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
