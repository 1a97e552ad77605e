import DaybookModel
import Dispatch

/// Makes snapshots behind the writers' backs, when enough has been written since the last one.
///
/// Nobody waits for it but who closes the store, and then only for the one under way.
final class SnapshotKeeper: Sendable {
  private struct State {
    /// The events that were written since the last snapshot, as far as is known.
    var eventCount = 0
    /// Whether this process has not looked yet at what earlier ones left.
    var isFirst = true
    var isRunning = false
  }

  private let state = Locked(State())
  private let queue = DispatchQueue(label: "daybook.snapshots", qos: .utility)
  private static let isOnQueue = DispatchSpecificKey<Bool>()

  /// No event takes fewer bytes of the journal, with its share of the commit.
  private static let leastEventSizeInBytes = 8

  init() {
    queue.setSpecific(key: SnapshotKeeper.isOnQueue, value: true)
  }

  /// Notes that events were written, and begins to make snapshots if they are due.
  func note(events count: Int, of store: Store) {
    let interval = store.options.snapshotIntervalInEvents
    guard interval > 0, store.options.maximumSnapshotCount > 0 else { return }
    let isDue = state.withLock { state in
      state.eventCount += count
      guard !state.isRunning, state.isFirst || state.eventCount >= interval else { return false }
      (state.isRunning, state.isFirst) = (true, false)
      return true
    }
    guard isDue else { return }
    guard SnapshotKeeper.mayHold(interval, store) else { return state.withLock { $0.isRunning = false } }
    let companion = store.companion
    queue.async { [self] in
      let remaining = companion.makeSnapshotsUnasked()
      state.withLock { state in
        state.isRunning = false
        if let remaining { state.eventCount = remaining }
      }
    }
  }

  /// Whether the journal is large enough to hold so many events: for most stores this is all that is looked at.
  private static func mayHold(_ eventCount: Int, _ store: Store) -> Bool {
    let (size, overflow) = eventCount.multipliedReportingOverflow(by: leastEventSizeInBytes)
    // Who cannot say how large it is has other cares than snapshots.
    guard !overflow, let information = try? store.journalEnvironment.information() else { return false }
    return information.usedSizeInBytes >= size
  }

  /// Returns when nothing is being made.
  func wait() {
    // The last one to let go of the store may be the keeper itself.
    if DispatchQueue.getSpecific(key: SnapshotKeeper.isOnQueue) == true { return }
    queue.sync {}
  }
}
