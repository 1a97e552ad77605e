import DaybookEngine
import DaybookModel

/// The rows that the last runs of followed projections changed in this process.
///
/// A follower that has the rows before a run reads only these rows again, and need not compare all. Runs are a chain: each
/// begins with the state with which the one before it ended. Where the chain lacks a run, because another process made it,
/// it was too large or its rows were rebuilt, there is no answer, and the follower compares all rows.
package final class RowChangeLog: Sendable {
  private struct Run {
    let before: ProjectionRecord.Stamp
    let after: ProjectionRecord.Stamp
    let keys: Set<[UInt8]>
  }

  private struct FollowedRuns {
    var followerCount = 0
    var runs: [Run] = []
  }

  /// The projections that have followers.
  private let followed = Locked<[String: FollowedRuns]>([:])

  /// The most runs that are kept for a projection.
  private static let maximumRunCount = 64
  /// The most rows of a run that is kept.
  static let maximumKeyCount = 1_024

  package func follow(_ name: String) {
    followed.withLock { $0[name, default: FollowedRuns()].followerCount += 1 }
  }

  package func unfollow(_ name: String) {
    followed.withLock { followed in
      guard let count = followed[name]?.followerCount else { return }
      if count > 1 { followed[name]?.followerCount = count - 1 } else { followed[name] = nil }
    }
  }

  func isFollowed(_ name: String) -> Bool { followed.withLock { $0[name] != nil } }

  /// Keeps what a run changed, after its rows were committed.
  func note(_ run: ProjectionRun) {
    guard let keys = run.rows.writtenKeys, run.didChange else { return }
    let made = Run(before: run.before, after: ProjectionRecord.Stamp(run.instance), keys: keys)
    followed.withLock { followed in
      guard var entry = followed.removeValue(forKey: run.projection.name) else { return }
      entry.runs.append(made)
      if entry.runs.count > RowChangeLog.maximumRunCount { entry.runs.removeFirst() }
      followed[run.projection.name] = entry
    }
  }

  /// Returns the whole keys of the rows that may differ between two states, or `nil` if that is not known.
  package func keys(
    of name: String, from: ProjectionRecord.Stamp, to: ProjectionRecord.Stamp
  ) -> Set<[UInt8]>? {
    let runs = followed.withLock { $0[name]?.runs ?? [] }
    var (keys, state) = (Set<[UInt8]>(), from)
    for run in runs where run.before == state && state != to {
      keys.formUnion(run.keys)
      state = run.after
    }
    return state == to ? keys : nil
  }
}
