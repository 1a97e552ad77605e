import DaybookModel

/// The rows of a projection while it takes in an event, and what it may know beside the event.
///
/// Rows lie in tables that need no declaration: naming one is enough. Keys sort as bytes; ``ProjectionKey`` makes keys of
/// values that sort as the values do. The limits are those of ``ProjectionLimits``.
///
/// A context lives in the call that it was given to and on its thread.
public struct ProjectionContext: ~Copyable {
  private let run: ProjectionRun

  // Never inlined, as that of ``Transaction``.
  @inline(never)
  init(_ run: ProjectionRun) {
    self.run = run
  }

  /// The commit of the event.
  public var commit: ProjectedCommit { run.commit }

  /// Whether the event was taken in before, by this or another version of the projection: nothing must leave the store
  /// for it a second time.
  ///
  /// It is false for an event that was taken in at most once, however often the projection is built anew, also after the
  /// projections' environment was lost. Where an event stops the projection, its whole commit was not taken in. When a
  /// store first gets to know a projection, all that there is counts as taken in.
  public var isReplaying: Bool { run.isReplaying }

  /// Lets something leave the store: a mail, a request to another system. Not called while replaying.
  ///
  /// It runs when the rows are committed and it is on disk that it was begun, on the thread that did so. So it happens at
  /// most once: a process that ends in between has not done it, and nobody will. For what must happen at least once take
  /// a ``NamedSubscription``.
  public func afterCommit(_ effect: @escaping @Sendable () -> Void) {
    run.add(effect)
  }

  /// The value of a key; nil if there is none.
  ///
  /// - Throws: `StoreError`: `badValue` for a name of a table or a key that cannot be, `damaged`.
  /// - Complexity: O(log *n*)
  public func get(_ key: [UInt8], in table: String) throws -> [UInt8]? {
    try run.rows.value(for: ProjectionKey.full(key, in: table))
  }

  /// Puts a row.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a name, a key or a value that cannot be.
  /// - Complexity: O(log *n*)
  public func put(_ key: [UInt8], _ value: [UInt8], in table: String) throws {
    guard value.count <= ProjectionLimits.maximumValueSizeInBytes else {
      throw StoreError(
        .badValue,
        "A value has \(value.count) bytes; \(ProjectionLimits.maximumValueSizeInBytes) are allowed in a projection.")
    }
    try run.rows.put(ProjectionKey.full(key, in: table), value)
  }

  /// Deletes a row; does nothing if there is none.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a key or a name of a table that is too long.
  public func delete(_ key: [UInt8], in table: String) throws {
    try run.rows.delete(ProjectionKey.full(key, in: table))
  }

  /// Goes through the rows whose keys begin with `prefix`, in order. Rows may be changed meanwhile.
  ///
  /// - Parameters:
  ///   - prefix: What the keys begin with; empty for all rows of the table.
  ///   - start: The first key to give; nil for the first there is.
  ///   - table: The table, which need not exist.
  ///   - body: Is given each row, and says whether to go on.
  public func scan(
    _ prefix: [UInt8] = [], from start: [UInt8]? = nil, in table: String,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    try run.rows.scan(prefix, from: start, in: table, body)
  }

  /// Adds to a row that holds a number; a row that is not there counts as 0.
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

  /// The event with names and values instead of tags and bytes.
  ///
  /// - Throws: `StoreError` with the code `damaged`.
  public func event(_ event: borrowing RawEvent) throws -> Event {
    do {
      return try Event(event.view, names: run.names())
    } catch let fault as EventFault {
      throw StoreError(.damaged, "Commit \(run.commit.position) is damaged: \(fault).", advice: "Run `daybook verify`.")
    }
  }

  /// The name of the event's entity by the model of its commit.
  public func entityName(of event: borrowing RawEvent) throws -> String {
    try self.event(event).entity
  }
}

/// What the rows of a projection may hold.
public enum ProjectionLimits {
  /// Bytes of the name of a table.
  public static let maximumTableNameSizeInBytes = 32
  /// Bytes of a key.
  public static let maximumKeySizeInBytes = 400
  /// Bytes of a value.
  public static let maximumValueSizeInBytes = 16 << 20
  /// Bytes of a projection's name.
  public static let maximumNameSizeInBytes = 64
}
