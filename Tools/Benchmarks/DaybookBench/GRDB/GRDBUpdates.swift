import Foundation

/// GRDB makes durable commits of one update each, from one thread.
final class GRDBUpdates: Contestant {
  let name: String
  let role = Role.peer
  private let workload: Workload
  private let count: Int
  private let variant: GRDBVariant
  private var store: GRDBStore?
  private var updates: [Update] = []

  init(_ workload: Workload, name: String, count: Int, variant: GRDBVariant) {
    self.workload = workload
    self.name = name
    self.count = count
    self.variant = variant
  }

  func prepare(in directory: URL) throws {
    store = try GRDBStore(filledIn: directory, with: workload, variant: variant)
  }

  func beginRound(_ round: Int, in directory: URL) {
    updates = workload.updates(count: count, round: round)
  }

  func run(round: Int) throws -> Work {
    let store = prepared(store)
    let clock = ContinuousClock()
    let latencies = try updates.map { update in try clock.measure { try store.apply(update) } }
    return Work(operations: count, latencies: latencies)
  }

  func cleanUp() throws {
    try store?.close()
    store = nil
  }
}
