#if Server

import Daybook
import DaybookModel

/// Encodes followed commits as lines of the log.
struct CommitEncoder: Sendable {
  private let store: Store
  /// The conditions on the events to list; `nil` for all events.
  private let filter: CommitFilter?

  init(_ store: Store, where filter: CommitFilter?) {
    (self.store, self.filter) = (store, filter)
  }

  /// Returns the step that a commit is.
  func step(_ commit: Commit) throws -> FeedStep {
    let position = commit.position
    var log =
      try filter.map { try store.log(where: $0, from: position, to: position, matchingEventsOnly: true) }
      ?? store.log(from: position, to: position)
    var line: [UInt8] = []
    _ = try log.writeNext(.log, to: &line)
    // The value is one line, and the event ends it.
    if line.last == UInt8(ascii: "\n") { line.removeLast() }
    return FeedStep(
      starts: position...position, end: FeedCursor(position: position, hash: commit.hash, stamp: .stored),
      events: [FeedEvent(.commit, line)])
  }
}

#endif
