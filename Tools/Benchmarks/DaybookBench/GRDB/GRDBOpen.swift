import Foundation
import GRDB

/// GRDB opens its pool and reads one record.
final class GRDBOpen: Contestant {
  let name = PeerName.grdb
  let role = Role.peer
  private let workload: Workload
  private let count: Int
  private var directory: URL?

  init(_ workload: Workload, count: Int) {
    self.workload = workload
    self.count = count
  }

  func prepare(in directory: URL) throws {
    try GRDBStore(filledIn: directory, with: workload, variant: GRDBVariant(durability: .full)).close()
    self.directory = directory
  }

  func run(round: Int) throws -> Work {
    try measuringOpens(of: workload, count: count, round: round) { id in
      let store = try GRDBStore(in: prepared(directory), variant: GRDBVariant(durability: .full))
      let record = try store.pool.read { database in
        try Record.fetchOne(database, sql: "SELECT \(Record.columns) FROM todo WHERE id = ?", arguments: [id])
      }
      return (store, record?.digest ?? 0)
    } close: {
      try $0.close()
    }
  }
}
