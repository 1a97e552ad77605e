import CBaseline
import Foundation

/// Raw LMDB makes durable commits of one update each.
final class BaselineUpdates: Contestant {
  let name: String
  let role = Role.engine
  private let workload: Workload
  private let count: Int
  private let commitsPerFlush: Int
  private let settings: Settings
  private var store: BaselineStore?
  private var updates: [baseline_update] = []

  /// - Parameter commitsPerFlush: How many commits share a flush; over 1, the floor of a group commit.
  init(_ workload: Workload, name: String, count: Int, commitsPerFlush: Int, settings: Settings) {
    self.workload = workload
    self.name = name
    self.count = count
    self.commitsPerFlush = commitsPerFlush
    self.settings = settings
  }

  func prepare(in directory: URL) throws {
    store = try BaselineStore(filledIn: directory, with: workload, settings: settings)
  }

  func beginRound(_ round: Int, in directory: URL) {
    updates = workload.updates(count: count, round: round).map(baseline_update.init)
  }

  func run(round: Int) throws -> Work {
    let latencies = try prepared(store).apply(updates, commitsPerTransaction: commitsPerFlush)
    return Work(operations: count, latencies: latencies)
  }

  func cleanUp() {
    store = nil
  }
}
