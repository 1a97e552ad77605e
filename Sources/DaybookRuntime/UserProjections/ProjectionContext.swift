import DaybookEngine
import DaybookModel

/// The rows of a projection and the commit of the event, while the event is applied.
///
/// Rows are stored in tables that need no declaration: using a name is enough. Keys sort as bytes; ``ProjectionKey``
/// converts values to keys that sort as the values do. ``ProjectionLimits`` lists the limits.
///
/// A context is valid only in the call that receives it, and on the thread of this call.
public struct ProjectionContext: ~Copyable {
  package let run: ProjectionRun

  // Never inlined: see ``Transaction``.
  @inline(never)
  init(_ run: ProjectionRun) {
    self.run = run
  }

  /// The commit of the event.
  public var commit: ProjectedCommit { run.commit }

  /// Whether the event was applied before, by this or another version of the projection.
  ///
  /// If so, nothing must leave the store for it a second time.
  ///
  /// For each event that was applied, it is false at most once, however often the projection is rebuilt, even after the
  /// loss of the projections' environment. If an event stops the projection, its whole commit was not applied. When a
  /// store first registers a projection, all existing commits count as applied.
  public var isReplaying: Bool { run.isReplaying }

  /// Performs an effect outside the store, such as a mail, once the rows are committed.
  ///
  /// The effect is not called while replaying.
  ///
  /// It runs once the rows are committed and the beginning of the effect is recorded on disk, on the thread that did
  /// both. So it happens at most once: if the process ends between the record and the effect, the effect never happens.
  /// For an effect that must happen at least once, use a ``NamedSubscription``.
  public func afterCommit(_ effect: @escaping @Sendable () -> Void) {
    run.add(effect)
  }

  /// Returns the value of a key, or `nil` if there is no such row.
  ///
  /// - Throws: `StoreError`: `badValue` for an invalid table name or key, `damaged`.
  /// - Complexity: O(log *n*)
  public func get(_ key: [UInt8], in table: String) throws -> [UInt8]? {
    try run.rows.value(for: ProjectionKey.full(key, in: table))
  }

  /// Stores a row, replacing the present value of the key.
  ///
  /// - Throws: `StoreError` with the code `badValue` for an invalid table name, key or value.
  /// - Complexity: O(log *n*)
  public func put(_ key: [UInt8], _ value: [UInt8], in table: String) throws {
    guard value.count <= ProjectionLimits.maximumValueSizeInBytes else {
      throw StoreError(
        .badValue,
        "A value has \(value.count) bytes; \(ProjectionLimits.maximumValueSizeInBytes) are allowed in a projection.")
    }
    try run.rows.put(ProjectionKey.full(key, in: table), value)
  }

  /// Deletes a row; does nothing if there is no such row.
  ///
  /// - Throws: `StoreError` with the code `badValue` for an invalid table name or key.
  public func delete(_ key: [UInt8], in table: String) throws {
    try run.rows.delete(ProjectionKey.full(key, in: table))
  }

  /// Calls `body` with the rows whose keys begin with `prefix`, in order.
  ///
  /// Rows may be changed meanwhile.
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
    try run.rows.scan(prefix, from: start, in: table, body)
  }

  /// Adds to a row that holds a number; a missing row counts as 0.
  ///
  /// - Returns: The new number.
  /// - Throws: `StoreError` with the code `badValue` if the row holds something else, or the sum has more than 64 bits.
  @discardableResult
  public func increment(_ key: [UInt8], by amount: Int64, in table: String) throws -> Int64 {
    let old = try get(key, in: table).map { try ProjectionKey.integer($0, in: table) } ?? 0
    let (sum, isTooLarge) = old.addingReportingOverflow(amount)
    guard !isTooLarge else { throw StoreError(.badValue, "A count in “\(table)” outgrows 64 bits.") }
    try put(key, ProjectionKey.bytes(of: sum), in: table)
    return sum
  }

  /// Returns the event with names and values instead of tags and bytes.
  ///
  /// - Throws: `StoreError` with the code `damaged`.
  public func event(_ event: borrowing RawEvent) throws -> Event {
    do {
      return try Event(event.view, names: run.names())
    } catch let fault as EventFault {
      throw StoreError(.damaged, "Commit \(run.commit.position) is damaged: \(fault).", advice: .verify)
    }
  }

  /// Returns the name of the event's entity in the model of its commit.
  public func entityName(of event: borrowing RawEvent) throws -> String {
    try self.event(event).entity
  }
}

/// The limits of the rows and names of a projection.
public enum ProjectionLimits {
  /// The maximum size of the name of a table.
  public static let maximumTableNameSizeInBytes = 32
  /// The maximum size of a key.
  public static let maximumKeySizeInBytes = 400
  /// The maximum size of a value.
  public static let maximumValueSizeInBytes = 16 << 20
  /// The maximum size of a projection's name.
  public static let maximumNameSizeInBytes = 64
}
