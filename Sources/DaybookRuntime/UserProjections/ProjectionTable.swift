import DaybookEngine
import DaybookModel
import LMDB

/// The rows of one version of a projection: its LMDB table, and the changes on top of it.
///
/// The changes of many commits are flushed together, in key order. The changes of a commit, or of a single event, are rolled
/// back if it fails.
package final class ProjectionTable {
  /// The LMDB table below the changes.
  private let rows: LayeredTable
  /// The changes of finished commits, and of the commit that is being applied.
  private let changes = MemoryTable()
  /// The changes at the beginning of the commit that is being applied.
  private var commitStart: MemoryTable.Savepoint
  /// The changes at the beginning of the event that is being applied.
  private var eventStart: MemoryTable.Savepoint
  /// The keys that flushes have written, if they are noted; `nil` if there are too many.
  private(set) var writtenKeys: Set<[UInt8]>?
  /// An error of the storage, which a projection may have caught and must not hide.
  private(set) var failure: (any Error)?

  /// - Parameter notesKeys: Whether ``writtenKeys`` are noted.
  init(snapshot: TransactionSnapshot, table: Table, notesKeys: Bool = false) {
    writtenKeys = notesKeys ? [] : nil
    rows = LayeredTable(snapshot: snapshot, base: table, layers: [changes])
    commitStart = changes.makeSavepoint()
    eventStart = commitStart
  }

  /// The memory that the changes take.
  var sizeInBytes: Int { changes.sizeInBytes }

  package func value(for key: [UInt8]) throws -> [UInt8]? {
    do {
      guard let value = try rows.unsafeValue(for: key.rawSpan) else { return nil }
      return [UInt8](value)
    } catch {
      failure = error
      throw error
    }
  }

  func put(_ key: [UInt8], _ value: [UInt8]) {
    changes.put(key, value.rawSpan)
  }

  func delete(_ key: [UInt8]) throws {
    if try value(for: key) != nil { changes.delete(key) }
  }

  /// Keeps the changes of the event.
  func finishEvent() {
    eventStart = changes.makeSavepoint()
  }

  /// Undoes the changes of the event.
  func dropEvent() {
    changes.rollBack(to: eventStart)
  }

  func finishCommit() {
    changes.forgetSavepoints()
    commitStart = changes.makeSavepoint()
    eventStart = commitStart
  }

  func dropCommit() {
    changes.rollBack(to: commitStart)
    eventStart = commitStart
  }

  /// Writes the changes into the table; no commit may be half applied.
  func flush(in transaction: inout WriteTransaction) throws(LMDBError) {
    guard !changes.isEmpty else { return }
    noteKeys()
    try transaction.flush(changes, into: rows.base)
    changes.removeAll()
    finishCommit()
  }
}

extension ProjectionTable {
  private func noteKeys() {
    guard var keys = writtenKeys.take() else { return }
    var cursor = changes.makeCursor()
    while cursor.moveToNext() {
      guard keys.count < RowChangeLog.maximumKeyCount else { return }
      keys.insert([UInt8](cursor.key))
    }
    writtenKeys = keys
  }

  private typealias Row = (key: [UInt8], value: [UInt8])

  /// The number of rows copied at a time; rows may be changed between two pages.
  private static let pageSize = 64

  /// Calls `body` with the rows of a table whose keys begin with a prefix.
  func scan(
    _ prefix: [UInt8], from start: [UInt8]?, in table: String,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    let head = try ProjectionKey.prefix(of: table)
    try scan(under: head + prefix, from: start.map { head + $0 }) { try body(Array($0.dropFirst(head.count)), $1) }
  }

  /// Calls `body` with the rows whose whole keys begin with a prefix.
  func scan(
    under prefix: [UInt8], from start: [UInt8]? = nil, _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    var next = prefix
    if let start, prefix.lexicographicallyPrecedes(start) { next = start }
    while true {
      let page = try page(from: next, prefix: prefix)
      for row in page where try !body(row.key, row.value) { return }
      guard page.count == ProjectionTable.pageSize, let last = page.last else { return }
      next = last.key + [0]
    }
  }

  private func page(from start: [UInt8], prefix: [UInt8]) throws -> [Row] {
    do {
      var cursor = try rows.makeCursor()
      var page: [Row] = []
      var isValid = try cursor.seek(atOrAfter: start.rawSpan, limit: .prefix(prefix))
      while isValid, page.count < ProjectionTable.pageSize, hasPrefix(cursor.key, prefix.rawSpan) {
        page.append(([UInt8](cursor.key), [UInt8](cursor.value)))
        isValid = try cursor.advance()
      }
      return page
    } catch {
      failure = error
      throw error
    }
  }

  /// Calls `body` with the rows of a range, in ascending or descending order.
  ///
  /// - Parameters:
  ///   - count: The number of rows that are passed over first.
  ///   - body: Receives each row, and returns whether to continue.
  package func scan(
    _ range: ProjectionRange, descending isDescending: Bool = false, skipping count: Int = 0,
    _ body: (ProjectionRows.Row) throws -> Bool
  ) throws {
    var (rest, skipped) = (range, count)
    while !rest.isEmpty {
      let page = try page(of: rest, descending: isDescending, skipping: skipped)
      for row in page where try !body(row) { return }
      guard page.count == ProjectionTable.pageSize, let last = page.last else { return }
      skipped = 0
      if isDescending { rest.upper = last.key } else { rest.lower = last.key + [0] }
    }
  }

  private func page(
    of range: ProjectionRange, descending isDescending: Bool, skipping count: Int
  ) throws -> [ProjectionRows.Row] {
    var (page, skipped) = ([ProjectionRows.Row](), 0)
    try visit(range, descending: isDescending) { cursor in
      if skipped < count {
        skipped += 1
      } else {
        page.append(ProjectionRows.Row(key: [UInt8](cursor.key), value: [UInt8](cursor.value)))
      }
      return page.count < ProjectionTable.pageSize
    }
    return page
  }

  /// Returns the number of rows in a range, or the limit if there are more.
  ///
  /// - Complexity: O(log *n* + *m*) for *m* rows.
  package func count(_ range: ProjectionRange, limit: Int) throws -> Int {
    var count = 0
    guard limit > 0 else { return 0 }
    try visit(range, descending: false) { _ in
      count += 1
      return count < limit
    }
    return count
  }

  /// Calls `body` with a cursor at each row of a range; the rows must not be changed meanwhile.
  private func visit(
    _ range: ProjectionRange, descending isDescending: Bool, _ body: (borrowing MergingCursor) -> Bool
  ) throws {
    guard !range.isEmpty else { return }
    do {
      var cursor = try rows.makeCursor()
      var isValid =
        isDescending
        ? try cursor.seek(before: range.upper.rawSpan, limit: .key(range.lower))
        : try cursor.seek(atOrAfter: range.lower.rawSpan, limit: .key(range.upper))
      while isValid {
        let isInside =
          isDescending
          ? compareBytes(cursor.key, range.lower.rawSpan) >= 0 : compareBytes(cursor.key, range.upper.rawSpan) < 0
        guard isInside, body(cursor) else { return }
        isValid = try cursor.advance()
      }
    } catch {
      failure = error
      throw error
    }
  }

  /// Stores the quarantine entry of an event, replacing the present one.
  package func setAside(_ event: QuarantinedEvent) {
    put(QuarantinedEvent.key(of: event.address), event.value)
    finishEvent()
  }

  package func isSetAside(_ address: EventAddress) throws -> Bool {
    try value(for: QuarantinedEvent.key(of: address)) != nil
  }

  /// Removes the quarantine entry of an event.
  func takeBack(_ address: EventAddress) throws {
    try delete(QuarantinedEvent.key(of: address))
    finishEvent()
  }

  /// Returns the events with a quarantine entry, by position.
  package func quarantine() throws -> [QuarantinedEvent] {
    var events: [QuarantinedEvent] = []
    try scan(under: QuarantinedEvent.prefix) { key, value in
      let address = Array(key.dropFirst())
      var reader = ByteReader(address.rawSpan)
      events.append(try QuarantinedEvent(address: EventAddress(reading: &reader), value: value))
      return true
    }
    return events
  }
}
