import DaybookEngine
import DaybookModel
import DaybookRuntime

/// One loop's place in the changes of a tree.
///
/// The difference is computed on demand, from the position of the last one to the head.
final class TreeSource: FeedSource {
  let wakeup: Wakeup
  /// The position up to which all changes were delivered.
  private(set) var position: Position
  private let store: Store
  private let request: TreeRequest
  private var isFollowing = false
  /// The end of the last delivered change, or the start position before the first one.
  private var given: Position
  private var top: TreeTop?

  init(_ store: Store, _ request: TreeRequest, from start: Position) {
    self.store = store
    wakeup = Wakeup(measuring: store.files.metrics.feedLag)
    self.request = request
    (position, given) = (start, start)
  }

  deinit {
    if isFollowing { store.notifier.unfollowJournal(wakeup) }
  }

  /// Returns the next change that is not empty, or `nil` if none is available yet.
  func poll() throws -> TreeChange? {
    if !isFollowing {
      try store.notifier.followJournal(wakeup)
      isFollowing = true
    }
    wakeup.reset()
    let limit = store.options.viewOfPastLimitInBytes
    let change = try store.read { reader in
      try reader.requirePosition(position)
      do {
        return try reader.treeChange(of: request, from: position, to: reader.position, limitInBytes: limit, &top)
      } catch is SpanTooLarge {
        top = nil
        return TreeChange(from: position, to: reader.position, isReset: true)
      }
    }
    position = change.to
    guard !change.isEmpty else { return nil }
    defer { given = change.to }
    return change.reported(from: given)
  }
}
