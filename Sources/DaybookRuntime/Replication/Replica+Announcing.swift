import DaybookEngine
import DaybookModel
import Foundation

/// Announcements: empty parts of a payload without an end, for which other nodes wait while a write runs.
///
/// A node waits for a short time after the latest part that it has read. So a part is added again and again while the write
/// that was announced runs: it may be large, or share its processors with others.
extension Replica {
  /// Begins to announce a payload, and returns the number of the announcement; `nil` if another thread has one.
  ///
  /// - Parameter own: The announcement that the same write has begun already.
  func beginReservation(_ own: ObjectID?) -> ObjectID? {
    reservation.withLock { present in
      guard present == nil || present == own else { return nil }
      let attempt = own ?? .random()
      present = attempt
      return attempt
    }
  }

  /// Ends an announcement, which other nodes wait for until its time is over.
  func endReservation(_ attempt: ObjectID?) {
    reservation.withLock { if $0 == attempt { $0 = nil } }
  }

  /// Returns the last message of an announcement if the messages that were read end with it, or `nil`.
  func tip(of attempt: ObjectID) -> UInt64? {
    provenEnd.flatMap { $0.pending?.attempt == attempt ? $0.tip : nil }
  }

  /// Adds a part to an announcement.
  ///
  /// - Returns: Whether it may be renewed again. Without an answer the write continues as it would have without a renewal.
  fileprivate func renew(_ attempt: ObjectID) -> Bool {
    renewal.withLock { renewal in
      guard renewal == attempt, let end = provenEnd, let pending = end.pending, pending.attempt == attempt,
        pending.partCount < StreamPart.maximumAnnouncement,
        case .acknowledged(end.tip + 1) = stream.publish(
          StreamContent.part(.announcement(attempt, index: pending.partCount)).bytes, after: end.tip,
          waiting: .seconds(1))
      else { return false }
      self.end.withLock { present in
        // Another thread may have read the part already.
        guard present?.connection == end.connection, present?.tip == end.tip else { return }
        present?.tip += 1
        present?.pending = (attempt, pending.partCount + 1, .now + options.payloadPatience)
      }
      return true
    }
  }
}

/// A thread that renews an announcement while a write runs, until the write's publication begins.
final class AnnouncementRenewal {
  private let replica: Replica
  private let attempt: ObjectID
  private let ended = Wakeup()

  init(of attempt: ObjectID, _ replica: Replica) {
    (self.attempt, self.replica) = (attempt, replica)
    replica.renewal.withLock { $0 = attempt }
    let thread = Thread { [ended] in
      while !ended.block(atMost: replica.options.payloadPatience / 2), replica.renew(attempt) {}
    }
    thread.name = "daybook announcement"
    thread.start()
  }

  /// Ends the renewal: one that is on its way is awaited, and none follows.
  ///
  /// - Returns: The end of the stream as it was read, if its last message is one of the announcement and no call before
  ///   this one has ended the renewal.
  func end() -> Replica.End? {
    let isFirst = replica.renewal.withLock { renewal in
      defer { renewal = nil }
      return renewal == attempt
    }
    ended.signal()
    guard isFirst, let end = replica.provenEnd, end.pending?.attempt == attempt else { return nil }
    return end
  }
}
