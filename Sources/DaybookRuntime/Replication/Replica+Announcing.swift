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

  /// Calls a closure that writes, and meanwhile renews an announcement, until a publication of it begins.
  func renewing<Result>(_ attempt: ObjectID, _ body: () throws -> Result) rethrows -> Result {
    renewal.withLock { $0 = attempt }
    let ended = Wakeup()
    defer {
      // A renewal that is on its way is awaited, and none follows.
      renewal.withLock { $0 = nil }
      ended.signal()
    }
    let thread = Thread {
      while !ended.block(atMost: self.options.payloadPatience / 2), self.renew(attempt) {}
    }
    thread.name = "daybook announcement"
    thread.start()
    return try body()
  }

  /// Adds a part to an announcement.
  ///
  /// - Returns: Whether it may be renewed again. Without an answer the write continues as it would have without a renewal.
  private func renew(_ attempt: ObjectID) -> Bool {
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

  /// Ends the renewal of the announcement, and moves a publication behind the parts that were added since it was prepared.
  func endRenewal(before publication: Publication) {
    let renewed = renewal.withLock { renewal in
      defer { renewal = nil }
      return renewal
    }
    // Behind another place there may be commits, which the publication does not follow: the servers must refuse it.
    guard let renewed, let end = provenEnd, end.pending?.attempt == renewed, end.place == publication.place,
      end.tip > publication.start
    else { return }
    publication.move(by: end.tip - publication.start)
  }
}
