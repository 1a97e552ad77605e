import DaybookEngine
import DaybookModel

/// Which objects recent commits touched, of those that followed requests may depend on.
///
/// A change that is reported of a span has as causes all commits of the span that touched something its rows reach at the
/// end (see ``Change/causes``). Commits that moved no row when they were made are seldom among them, and most
/// often they are excluded here without being read again.
final class RecentTouches: Sendable {
  private struct State {
    /// The touches of all commits after `floor`, up to `end`, are known.
    var floor = Position.empty
    var end = Position.empty
    /// The commits that touched an object, in rising order.
    var positions: [ObjectID: [Position]] = [:]
    /// The objects of each commit that touched any, in rising order.
    var commits: [(position: Position, objects: [ObjectID])] = []
    /// How many of the first commits were forgotten.
    var forgottenCount = 0
    var objectCount = 0

    mutating func forgetFirst() {
      let commit = commits[forgottenCount]
      for id in commit.objects {
        positions[id]?.removeFirst()
        if positions[id]?.isEmpty ?? false { positions[id] = nil }
      }
      commits[forgottenCount].objects = []
      objectCount -= commit.objects.count
      floor = commit.position
      forgottenCount += 1
      if forgottenCount * 2 > commits.count {
        commits.removeFirst(forgottenCount)
        forgottenCount = 0
      }
    }
  }

  private let state = Locked(State())

  /// The most touches that are kept.
  static let maximumCount = 16_384

  /// Forgets all: nothing is known of commits up to a position.
  func begin(at position: Position) {
    state.withLock { $0 = State(floor: position, end: position) }
  }

  /// Notes the objects that commits touched.
  ///
  /// - Parameters:
  ///   - commits: Commits after those that were noted, in rising order.
  ///   - end: The last commit that was examined.
  func note(_ commits: [(position: Position, objects: [ObjectID])], through end: Position) {
    state.withLock { state in
      for commit in commits where !commit.objects.isEmpty {
        state.commits.append(commit)
        state.objectCount += commit.objects.count
        for id in commit.objects { state.positions[id, default: []].append(commit.position) }
      }
      state.end = end
      while state.objectCount > RecentTouches.maximumCount, state.forgottenCount < state.commits.count {
        state.forgetFirst()
      }
    }
  }

  /// Returns whether commits may have touched any of some objects: they did, or it is not known.
  ///
  /// - Parameters:
  ///   - start: The position after which the commits are; at least the one from which on the objects' kinds are noted.
  ///   - end: The last of the commits.
  func mayHaveTouched(_ objects: some Sequence<ObjectID>, after start: Position, through end: Position) -> Bool {
    guard start < end else { return false }
    return state.withLock { state in
      guard start >= state.floor, end <= state.end else { return true }
      return objects.contains { id in state.positions[id]?.contains { $0 > start && $0 <= end } ?? false }
    }
  }
}
