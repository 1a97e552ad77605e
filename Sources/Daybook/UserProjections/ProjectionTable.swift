import DaybookEngine
import DaybookModel
import LMDB

/// The rows of one version of a projection: its LMDB table, and the changes on top of it.
///
/// Changes go to the layer of the commit that is being applied. At the end of the commit this layer is merged into the
/// layer of the finished commits: so a commit can be dropped as a whole, and many commits are flushed together, in key
/// order. The changes of a single event are undone by the list of the values that it replaced.
final class ProjectionTable {
  /// The LMDB table below the changes.
  private let rows: LayeredTable
  /// The changes of finished commits.
  private let finished = MemoryTable()
  /// The changes of the commit that is being applied.
  private let current = MemoryTable()
  /// The values that the event being applied replaced, the first change first.
  private var replaced: [(key: [UInt8], value: [UInt8]?)] = []
  /// An error of the storage, which a projection may have caught and must not hide.
  private(set) var failure: (any Error)?

  init(snapshot: TransactionSnapshot, table: Table) {
    rows = LayeredTable(snapshot: snapshot, base: table, layers: [finished, current])
  }

  /// The memory that the changes take.
  var sizeInBytes: Int { finished.sizeInBytes + current.sizeInBytes }

  func value(for key: [UInt8]) throws -> [UInt8]? {
    do {
      guard let value = try rows.unsafeValue(for: key.rawSpan) else { return nil }
      return [UInt8](value)
    } catch {
      failure = error
      throw error
    }
  }

  func put(_ key: [UInt8], _ value: [UInt8]) throws {
    replaced.append((key, try self.value(for: key)))
    current.put(key, value.rawSpan)
  }

  func delete(_ key: [UInt8]) throws {
    guard let old = try value(for: key) else { return }
    replaced.append((key, old))
    current.delete(key)
  }

  /// Keeps the changes of the event.
  func finishEvent() {
    replaced.removeAll(keepingCapacity: true)
  }

  /// Undoes the changes of the event.
  func dropEvent() {
    for (key, value) in replaced.reversed() {
      if let value { current.put(key, value.rawSpan) } else { current.delete(key) }
    }
    replaced.removeAll(keepingCapacity: true)
  }

  func finishCommit() {
    finished.absorb(current)
    current.removeAll()
  }

  func dropCommit() {
    replaced.removeAll()
    current.removeAll()
  }

  /// Writes the changes of finished commits into the table.
  func flush(in transaction: inout WriteTransaction) throws(LMDBError) {
    guard !finished.isEmpty else { return }
    try transaction.flush(finished, into: rows.base)
    finished.removeAll()
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
  func setAside(_ event: QuarantinedEvent) throws {
    try put(QuarantinedEvent.key(of: event.address), event.value)
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
