import DaybookEngine
import DaybookModel
import LMDB

/// The rows of one version of a projection: its LMDB table, and the changes on top of it.
///
/// The changes of many commits are flushed together, in key order. Those of a commit, or of a single event, are rolled
/// back if it fails.
final class ProjectionTable {
  /// The LMDB table below the changes.
  private let rows: LayeredTable
  /// The changes of finished commits, and of the commit that is being applied.
  private let changes = MemoryTable()
  /// The changes at the beginning of the commit that is being applied.
  private var commitStart: MemoryTable.Savepoint
  /// The changes at the beginning of the event that is being applied.
  private var eventStart: MemoryTable.Savepoint
  /// An error of the storage, which a projection may have caught and must not hide.
  private(set) var failure: (any Error)?

  init(snapshot: TransactionSnapshot, table: Table) {
    rows = LayeredTable(snapshot: snapshot, base: table, layers: [changes])
    commitStart = changes.makeSavepoint()
    eventStart = commitStart
  }

  /// The memory that the changes take.
  var sizeInBytes: Int { changes.sizeInBytes }

  func value(for key: [UInt8]) throws -> [UInt8]? {
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
    try transaction.flush(changes, into: rows.base)
    changes.removeAll()
    finishCommit()
  }
}

extension ProjectionTable {
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

  /// Stores the quarantine entry of an event, replacing the present one.
  func setAside(_ event: QuarantinedEvent) {
    put(QuarantinedEvent.key(of: event.address), event.value)
    finishEvent()
  }

  func isSetAside(_ address: EventAddress) throws -> Bool {
    try value(for: QuarantinedEvent.key(of: address)) != nil
  }

  /// Removes the quarantine entry of an event.
  func takeBack(_ address: EventAddress) throws {
    try delete(QuarantinedEvent.key(of: address))
    finishEvent()
  }

  /// Returns the events with a quarantine entry, by position.
  func quarantine() throws -> [QuarantinedEvent] {
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
