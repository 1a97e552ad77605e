import Foundation
import GRDB

/// GRDB fetches rows from the middle of the order by timestamp and name.
final class GRDBFetch: Contestant {
  enum Method {
    /// SQLite walks over all rows before the offset.
    case offset
    /// The caller knows the first row's values; the index is searched for them.
    case keyset
  }

  let name: String
  let role = Role.peer
  private let workload: Workload
  private let method: Method
  private let count: Int
  private let settings: Settings
  private var store: GRDBStore?

  init(_ workload: Workload, method: Method, count: Int, settings: Settings) {
    name = method == .offset ? PeerName.grdbOffset : PeerName.grdbKeyset
    self.workload = workload
    self.method = method
    self.count = count
    self.settings = settings
  }

  func prepare(in directory: URL) throws {
    store = try GRDBStore(filledIn: directory, with: workload, variant: GRDBVariant(durability: .full))
  }

  func run(round: Int) throws -> Work {
    let store = prepared(store)
    let offsets = workload.middleOffsets(count: count, round: round)
    let first = try fetch(at: offsets[0], from: store)
    for offset in offsets.dropFirst() { _ = try fetch(at: offset, from: store) }
    return Work(operations: count, digest: first.reduce(0) { $0 &+ $1.digest })
  }

  func cleanUp() throws {
    try store?.close()
    store = nil
  }

  private func fetch(at offset: Int, from store: GRDBStore) throws -> [Record] {
    let limit = settings.fetchLimit
    return try store.pool.read { database in
      switch method {
      case .offset:
        let statement = try database.cachedStatement(sql: Self.offsetQuery)
        return try Record.fetchAll(statement, arguments: [limit, offset])
      case .keyset:
        let first = workload.records[workload.indexOrder[offset]]
        let statement = try database.cachedStatement(sql: Self.keysetQuery)
        return try Record.fetchAll(statement, arguments: [first.timestamp, first.name, limit])
      }
    }
  }

  private static let offsetQuery = """
    SELECT \(Record.columns) FROM todo ORDER BY timestamp, name LIMIT ? OFFSET ?
    """

  private static let keysetQuery = """
    SELECT \(Record.columns) FROM todo WHERE (timestamp, name) >= (?, ?) ORDER BY timestamp, name LIMIT ?
    """
}
