import DaybookEngine
import DaybookModel

/// The followers of a few requests, which a writer of the same process wakes itself.
struct DirectFollowers: Sendable {
  /// The followers of one request.
  struct Request: Sendable {
    let followers: Followers
    /// The kinds of change on which the request depends; `nil` if the present model cannot resolve it.
    let triggers: Set<Dependency.Trigger>?
  }

  private let requests: [Request]
  /// The model by which the requests are resolved, or `nil` if there is no such model.
  private let model: ResolvedModel?

  /// The most requests that a writer examines.
  static let maximumCount = 8
  /// The most events that a writer examines; after more, all requests count as touched.
  private static let maximumEventCount = 64

  /// Returns `nil` if there are no requests, or too many.
  init?(_ requests: [Request], model: ResolvedModel?) {
    guard !requests.isEmpty, requests.count <= DirectFollowers.maximumCount else { return nil }
    (self.requests, self.model) = (requests, model)
  }

  /// Wakes the followers of requests that may depend on something that the commits changed.
  ///
  /// Values are not compared: a request whose filter compares with another value is woken too, and finds nothing new.
  ///
  /// - Complexity: O(*e*) for *e* events of the commits, at most ``maximumEventCount``.
  func wake(after commits: [PendingCommit]) {
    guard !commits.isEmpty else { return }
    let changes = changes(by: commits)
    for request in requests {
      if let changes, let triggers = request.triggers, triggers.isDisjoint(with: changes) { continue }
      request.followers.wake()
    }
  }

  /// Returns the kinds of change in some commits, or `nil` if they are not known.
  private func changes(by commits: [PendingCommit]) -> Set<Dependency.Trigger>? {
    guard let model, !commits.contains(where: \.header.isModel),
      commits.reduce(0, { $0 + $1.header.eventCount }) <= DirectFollowers.maximumEventCount
    else { return nil }
    var changes: Set<Dependency.Trigger> = []
    do {
      for commit in commits { try commit.events.forEachChange(in: model) { changes.insert($0.trigger) } }
    } catch {
      // The model is a later one, by which the followers read the commit.
      return nil
    }
    return changes
  }
}
