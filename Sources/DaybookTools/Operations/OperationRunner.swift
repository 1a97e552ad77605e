import Daybook
import DaybookEngine
import DaybookModel

/// Runs lines of operations against a store.
///
///     var runner = OperationRunner(store: store, source: lines, batchSize: 1_000)
///     let summary = try runner.run { acknowledgement in print(acknowledgement.position) }
///
/// Each line is a separate commit, except for single operations that are batched. Commits whose lines are already
/// available share a disk flush; none is acknowledged before it is durable, and the runner never waits for input while
/// it holds the store's lock.
///
/// A line that cannot be applied ends the run with an error that names it: the commits before it stand and were
/// acknowledged; nothing of the line is written.
package struct OperationRunner<Source: OperationSource> {
  private let store: Store
  private var batcher: OperationBatcher<Source>
  private var writer: OperationBatchWriter
  /// The totals so far.
  package private(set) var summary = OperationSummary()

  /// The most commits that share a flush, and the longest time of blocking other writers.
  private static var maximumGroupCount: Int { 1_024 }
  private static var maximumGroupDuration: Duration { .milliseconds(100) }

  /// - Parameters:
  ///   - batchSize: The number of single operations in one commit.
  ///   - info: The author and the message of commits that do not state their own.
  ///   - readsFiles: Whether values of data may name files of this machine: `{"file": "cake.jpg"}`.
  package init(
    store: Store, source: Source, batchSize: Int = 1, info: CommitInfo = CommitInfo(), readsFiles: Bool = false
  ) {
    self.store = store
    writer = OperationBatchWriter(readsFiles: readsFiles)
    batcher = OperationBatcher(source, limit: batchSize, defaults: info)
  }

  /// Runs all lines.
  ///
  /// - Parameter acknowledge: Called for each commit, in order, as soon as it is durable.
  /// - Throws: `StoreError`, with the line number, for a line that cannot be applied; any error of the source and of
  ///   `acknowledge`.
  package mutating func run(_ acknowledge: (OperationAcknowledgement) throws -> Void) throws -> OperationSummary {
    while let batch = try batcher.next(waits: true) {
      let (acknowledgements, failure) = try makeGroup(from: batch)
      for acknowledgement in acknowledgements {
        summary.add(acknowledgement)
        try acknowledge(acknowledgement)
      }
      if let failure { throw failure }
    }
    summary.head = try store.position
    return summary
  }

  /// Makes commits as long as lines are available, with one flush for all.
  private mutating func makeGroup(
    from first: OperationBatch
  ) throws -> (made: [OperationAcknowledgement], failure: (any Error)?) {
    let deadline = ContinuousClock.now + Self.maximumGroupDuration
    var taken = [first]
    var made: [OperationAcknowledgement] = []
    var failure: (any Error)?
    let start = writer
    // The closure may run again: from the first batch, with the initial state.
    try store.writer.write { session in
      (writer, made, failure) = (start, [], nil)
      do {
        while true {
          made.append(try writer.commit(taken[made.count], in: session))
          if made.count < taken.count { continue }
          guard made.count < Self.maximumGroupCount, ContinuousClock.now < deadline, !session.isFilled,
            let next = try batcher.next(waits: false)
          else { return }
          taken.append(next)
        }
      } catch {
        // The session commits the preceding commits, so the error is thrown only after they are durable.
        failure = error
      }
    }
    return (made, failure)
  }
}

/// The totals of a run.
package struct OperationSummary: Hashable, Sendable {
  package var head = Position.empty
  /// The number of commits made.
  package var commitCount = 0
  package var eventCount = 0

  mutating func add(_ acknowledgement: OperationAcknowledgement) {
    head = max(head, acknowledgement.position)
    guard acknowledgement.isNew else { return }
    commitCount += 1
    eventCount += acknowledgement.eventCount
  }
}
