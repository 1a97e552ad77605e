import Daybook
import Foundation

/// Makes commits on another thread, and measures the time from the end of each flush to the element of a feed.
///
/// The loop over the feed is the loop of a user: it sleeps when the next commit begins.
///
/// - Parameters:
///   - feed: The feed, which delivers one element for each commit.
///   - writes: Each makes a commit.
///   - clock: Notes the flushes of the store.
func measuringDeliveries<Element>(
  of feed: inout Feed<Element>.AsyncIterator, _ writes: [@Sendable () throws -> Void], _ clock: FlushClock
) async throws -> Work {
  let isTaken = DispatchSemaphore(value: 1)
  Thread.detachNewThread {
    for write in writes {
      isTaken.wait()
      // The loop goes to sleep meanwhile.
      usleep(300)
      do { try write() } catch { fatalError("A commit failed: \(error)") }
    }
  }
  var work = Work(operations: writes.count, elapsed: .zero)
  for _ in writes {
    guard try await feed.next() != nil else { break }
    let elapsed = clock.elapsed
    work.add(elapsed)
    isTaken.signal()
  }
  return work
}
