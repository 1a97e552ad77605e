import CBaseline
import Foundation

/// Raw LMDB makes durable commits of one update each.
final class BaselineUpdates: FilledBaseline {
  private let count: Int
  private let commitsPerFlush: Int
  private var updates: [baseline_update] = []

  /// - Parameter commitsPerFlush: How many commits share a flush; over 1, the floor of a group commit.
  init(_ workload: Workload, name: String, count: Int, commitsPerFlush: Int, settings: Settings) {
    self.count = count
    self.commitsPerFlush = commitsPerFlush
    super.init(workload, name: name, settings: settings)
  }

  override func beginRound(_ round: Int, in directory: URL) {
    updates = workload.updates(count: count, round: round).map(baseline_update.init)
  }

  override func run(round: Int, in store: BaselineStore) throws -> Work {
    let latencies = try store.apply(updates, commitsPerTransaction: commitsPerFlush)
    return Work(operations: count, latencies: latencies)
  }
}
