import DaybookModel

/// Makes snapshots in the background when enough has been written since the last one.
///
/// Only `close()` waits, and only for the snapshot in progress.
final class SnapshotScheduler: Sendable {
  private struct State {
    /// The number of known events since the last snapshot.
    var eventCount = 0
    /// Whether this process has not yet checked the snapshots that earlier processes made.
    var isFirst = true
    var isRunning = false
  }

  private let state = Locked(State())
  private let worker = Worker("daybook snapshots", quality: .utility)

  /// The least size of an event in the journal, in bytes, with its share of the commit.
  private static let leastEventSizeInBytes = 8

  /// Counts events that were written, and starts to make snapshots if they are due.
  func note(events count: Int, of store: OpenStore) {
    let interval = store.options.snapshotIntervalInEvents
    guard interval > 0, store.options.maximumSnapshotCount > 0 else { return }
    let isDue = state.withLock { state in
      state.eventCount += count
      guard !state.isRunning, state.isFirst || state.eventCount >= interval else { return false }
      (state.isRunning, state.isFirst) = (true, false)
      return true
    }
    guard isDue else { return }
    guard SnapshotScheduler.mayHold(interval, store) else { return state.withLock { $0.isRunning = false } }
    worker.start {
      self.makeSnapshots(of: store)
      return false
    }
  }

  private func makeSnapshots(of store: OpenStore) {
    // A worker that is closed performs a step that is not due.
    guard state.withLock({ $0.isRunning }) else { return }
    let remaining = store.makeSnapshotsUnasked()
    state.withLock { state in
      state.isRunning = false
      if let remaining { state.eventCount = remaining }
    }
  }

  /// Returns whether the journal is large enough to hold a number of events.
  ///
  /// For most stores this is the only check.
  private static func mayHold(_ eventCount: Int, _ store: OpenStore) -> Bool {
    let (size, overflow) = eventCount.multipliedReportingOverflow(by: leastEventSizeInBytes)
    // If the size cannot be read, the store has other faults, and no snapshots are made.
    guard !overflow, let information = try? store.journalEnvironment.information() else { return false }
    return information.usedSizeInBytes >= size
  }

  /// Waits until no snapshot is being made.
  func wait() { worker.waitUntilEnded() }

  /// Makes no further snapshots, and waits for the one in progress.
  func close() { worker.close() }
}
