import Foundation
import GRDB

/// GRDB reads its history table in order and decodes the new values.
final class GRDBReplay: Contestant {
  let name = PeerName.grdb
  let role = Role.peer
  private let workload: Workload
  private var store: GRDBStore?

  init(_ workload: Workload) {
    self.workload = workload
  }

  func prepare(in directory: URL) throws {
    store = try GRDBStore(filledIn: directory, with: workload, variant: GRDBVariant(durability: .full))
  }

  func run(round: Int) throws -> Work {
    try replay(prepared(store))
  }

  func cleanUp() throws {
    try store?.close()
    store = nil
  }

  private func replay(_ store: GRDBStore) throws -> Work {
    try store.pool.read { database in
      var work = Work(operations: 0, digest: 0)
      let statement = try database.cachedStatement(
        sql: "SELECT todoID, newName, newTimestamp, newCategoryID, newIsDone FROM history ORDER BY sequence")
      let records = try Record.fetchCursor(statement)
      while let record = try records.next() {
        work.operations += 1
        work.digest? &+= record.digest
      }
      return work
    }
  }
}
