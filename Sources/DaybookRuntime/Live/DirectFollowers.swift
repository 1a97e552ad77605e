import DaybookEngine
import DaybookModel

/// The few followed requests whose followers a writer of the same process wakes itself.
struct DirectFollowers: Sendable {
  /// One request.
  struct Request: Sendable {
    let live: LiveRequest
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

  /// Returns the requests that may depend on something that the commits changed.
  ///
  /// Values are not compared: a request whose filter compares with another value is among them, and finds nothing new.
  ///
  /// - Complexity: O(*e*) for *e* events of the commits, at most ``maximumEventCount``.
  func requests(touchedBy commits: [PendingCommit]) -> [LiveRequest] {
    guard !commits.isEmpty else { return [] }
    let changes = changes(by: commits)
    return requests.filter { request in
      guard let changes, let triggers = request.triggers else { return true }
      return !triggers.isDisjoint(with: changes)
    }.map(\.live)
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
