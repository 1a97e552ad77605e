import Foundation
import GRDB

/// GRDB makes durable commits of one update each, from several tasks that wait for each of theirs.
final class GRDBConcurrentUpdates: Contestant {
  let name = PeerName.grdb
  let role = Role.peer
  private let workload: Workload
  private let count: Int
  private let writers: Int
  private var store: GRDBStore?

  /// - Parameter count: Of all writers together.
  init(_ workload: Workload, count: Int, writers: Int) {
    self.workload = workload
    self.count = count
    self.writers = writers
  }

  func prepare(in directory: URL) throws {
    store = try GRDBStore(filledIn: directory, with: workload, variant: GRDBVariant(durability: .full))
  }

  func run(round: Int) async throws -> Work {
    let pool = prepared(store).pool
    let updates = workload.updates(count: count, round: round)
    return try await measuringWriters(writers, updates: updates) { update in
      try await pool.write { try $0.apply(update) }
    }
  }

  func cleanUp() throws {
    try store?.close()
    store = nil
  }
}
