import DaybookEngine
import DaybookModel
import Foundation

/// A thread that renews an announcement while a write runs, until the write's publication begins.
///
/// A node waits for a short time after the latest part that it has read. So a part is added again and again while the write
/// that was announced runs: it may be large, or share its processors with others.
final class AnnouncementRenewal {
  private let replicator: Replicator
  private let attempt: ObjectID
  private let ended = Wakeup()

  init(of attempt: ObjectID, _ replicator: Replicator) {
    (self.attempt, self.replicator) = (attempt, replicator)
    replicator.renewal.withLock { $0 = attempt }
    let thread = Thread { [ended] in
      while !ended.block(atMost: replicator.options.incompletePayloadTimeout / 2), replicator.renew(attempt) {}
    }
    thread.name = "daybook announcement"
    thread.start()
  }

  /// Ends the renewal: one that is on its way is awaited, and none follows.
  ///
  /// - Returns: The end of the stream as it was read, if its last message is one of the announcement and no call before
  ///   this one has ended the renewal.
  func end() -> NodeState.End? {
    let isFirst = replicator.renewal.withLock { renewal in
      defer { renewal = nil }
      return renewal == attempt
    }
    ended.signal()
    guard isFirst, let end = replicator.withState({ $0.provenEnd }), end.pending?.attempt == attempt else { return nil }
    return end
  }
}

private extension Replicator {
  /// Adds a part to an announcement.
  ///
  /// - Returns: Whether it may be renewed again. Without an answer the write continues as it would have without a renewal.
  func renew(_ attempt: ObjectID) -> Bool {
    renewal.withLock { renewal in
      guard renewal == attempt, let (part, end) = withState({ $0.renewal(of: attempt) }),
        case .acknowledged(end.tip + 1) = stream.publish(part, after: end.tip, waiting: .seconds(1))
      else { return false }
      withState { $0.record(renewalOf: attempt, with: part, after: end, at: .now) }
      return true
    }
  }
}
