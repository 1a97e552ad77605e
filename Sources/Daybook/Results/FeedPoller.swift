import DaybookModel
import DaybookRuntime

/// One place in a feed that is polled on a thread of the caller's choice, where a loop would poll on the task's.
///
///     while let element = try poller.poll() { use(element) }
///     await poller.wait()
///
/// Only one task polls at a time; ``wake()`` may be called from anywhere.
package final class FeedPoller<Element: Sendable>: @unchecked Sendable {
  private let source: any FeedSource<Element>

  package init(_ feed: Feed<Element>) {
    source = feed.makeSource()
  }

  /// Returns the next element, or `nil` if none is available yet.
  ///
  /// - Throws: The errors of the feed's iterator.
  package func poll() throws -> Element? {
    guard let element = try source.poll() else { return nil }
    source.wakeup.noteDelivery()
    return element
  }

  /// The position up to which everything was polled.
  package var position: Position { source.position }

  /// What a consumer has that received everything which was polled, without the hash of its commit.
  package var cursor: FeedCursor {
    let position = position
    return FeedCursor(position: position, stamp: position == .empty ? nil : source.stamp ?? .stored, time: source.time)
  }

  /// Waits until there may be another element, ``wake()`` is called or the task is cancelled.
  package func wait() async { await source.wakeup.wait() }

  /// Ends the present call of ``wait()``, or else the next one.
  package func wake() { source.wakeup.signal() }
}
