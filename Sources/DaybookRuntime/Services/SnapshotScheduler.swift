import DaybookModel
import LMDB

/// Makes snapshots in the background when enough has been written since the last one.
///
/// A snapshot reads and writes all rows, and while it reads, the space that commits free is not used again. So it waits
/// for a pause in writing, at most until twice the interval was written, or as much as there was at the last snapshot:
/// a long load makes few snapshots. Only `close()` waits, and only for the snapshot that is due or in progress.
final class SnapshotScheduler: Sendable {
  private struct State {
    /// The number of known events since the last snapshot.
    var eventCount = 0
    /// When events were last written.
    var lastNote = ContinuousClock.now
    /// Whether this process has not yet checked the snapshots that earlier processes made.
    var isFirst = true
    var isRunning = false
    /// Whether snapshots may lack rows of projections that could not be made before.
    var awaitsRows = true
  }

  private let state = Locked(State())
  private let worker = Worker("daybook snapshots", quality: .utility)

  /// The time without a write that counts as a pause.
  private static let pause = Duration.milliseconds(250)

  /// The least size of an event in the journal, in bytes, with its share of the commit.
  private static let leastEventSizeInBytes = 8

  /// Counts events that were written, and starts to make snapshots if they are due.
  func note(events count: Int, of keeper: ProjectionKeeper) {
    let interval = keeper.files.options.snapshotIntervalInEvents
    guard interval > 0, keeper.files.options.maximumSnapshotCount > 0 else { return }
    let isDue = state.withLock { state in
      state.eventCount += count
      state.lastNote = .now
      guard !state.isRunning, state.isFirst || state.eventCount >= interval else { return false }
      (state.isRunning, state.isFirst) = (true, false)
      return true
    }
    guard isDue else { return }
    guard SnapshotScheduler.mayHold(interval, keeper) else { return state.withLock { $0.isRunning = false } }
    start(keeper)
  }

  /// Takes note that other rows of projections take the place of those that were read.
  func noteReplacement() { state.withLock { $0.awaitsRows = true } }

  /// Takes note that the rows of projections have changed, and starts to make what snapshots lacked of them.
  func noteRows(of keeper: ProjectionKeeper) {
    guard keeper.files.options.snapshotIntervalInEvents > 0, keeper.files.options.maximumSnapshotCount > 0,
      !keeper.snapshotStore.files.positions().isEmpty
    else { return }
    let isDue = state.withLock { state in
      // A rebuild of rows is no pause.
      state.lastNote = .now
      guard state.awaitsRows, !state.isRunning else { return false }
      state.isRunning = true
      return true
    }
    if isDue { start(keeper) }
  }

  private func start(_ keeper: ProjectionKeeper) {
    worker.start {
      self.makeSnapshots(of: keeper)
      return false
    }
  }

  private func makeSnapshots(of keeper: ProjectionKeeper) {
    // A worker that is closed performs a step that is not due.
    guard state.withLock({ $0.isRunning }) else { return }
    var isFinished = true
    let remaining = makeMissingSnapshots(of: keeper, &isFinished)
    state.withLock { state in
      state.isRunning = !isFinished
      if let remaining { state.eventCount = remaining }
    }
    // The next step waits for a pause.
    if !isFinished { worker.wakeup.signal() }
  }

  /// Makes the missing snapshots when it is time.
  ///
  /// - Parameter isFinished: Set to `false` if snapshots are left for a pause.
  /// - Returns: The number of events since the last snapshot, or `nil` if it is not known.
  private func makeMissingSnapshots(of keeper: ProjectionKeeper, _ isFinished: inout Bool) -> Int? {
    state.withLock { $0.awaitsRows = false }
    guard let (plan, rows) = keeper.snapshotPlan() else { return nil }
    // New snapshots may lack them too.
    if rows.isBehind || !plan.missing.isEmpty { noteReplacement() }
    guard !plan.missing.isEmpty || rows.isDue else { return plan.eventsSinceLast }
    state.withLock { $0.eventCount = plan.eventsSinceLast }
    waitForPause(eventLimit: max(2 * keeper.files.options.snapshotIntervalInEvents, plan.eventsThroughLast))
    // While writers are busy, only the head's snapshot is made; snapshots of earlier positions wait for a pause.
    return keeper.makeSnapshotsUnasked {
      isFinished = restTime <= .zero
      return isFinished
    }
  }

  /// Waits until nothing is written for a while, at most until a number of events since the last snapshot was reached or
  /// the worker is closed.
  private func waitForPause(eventLimit: Int) {
    while true {
      worker.wakeup.reset()
      let rest = restTime
      guard rest > .zero, !worker.isClosed, state.withLock({ $0.eventCount < eventLimit }) else { return }
      _ = worker.wakeup.block(atMost: rest)
    }
  }

  /// The time that is left until the present silence is a pause.
  private var restTime: Duration {
    SnapshotScheduler.pause - (ContinuousClock.now - state.withLock { $0.lastNote })
  }

  /// Returns whether the journal is large enough to hold a number of events.
  ///
  /// For most stores this is the only check.
  private static func mayHold(_ eventCount: Int, _ keeper: ProjectionKeeper) -> Bool {
    let (size, overflow) = eventCount.multipliedReportingOverflow(by: leastEventSizeInBytes)
    // If the size cannot be read, the store has other faults, and no snapshots are made.
    guard !overflow, let information = try? keeper.files.journalEnvironment.information() else { return false }
    return information.usedSizeInBytes >= size
  }

  /// Waits until no snapshot is being made.
  func wait() { worker.waitUntilEnded() }

  /// Makes no further snapshots, and waits for the one in progress.
  func close() { worker.close() }
}
