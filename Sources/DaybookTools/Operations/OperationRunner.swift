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
  private var performer = OperationPerformer()
  /// The totals so far.
  package private(set) var summary = OperationSummary()

  /// The most commits that share a flush, and the longest time of blocking other writers.
  private static var maximumGroupCount: Int { 1_024 }
  private static var maximumGroupDuration: Duration { .milliseconds(100) }

  /// - Parameters:
  ///   - batchSize: The number of single operations in one commit.
  ///   - info: The author and the message of commits that do not state their own.
  package init(store: Store, source: Source, batchSize: Int = 1, info: CommitInfo = CommitInfo()) {
    self.store = store
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
    summary.head = try store.head()
    return summary
  }

  /// Makes commits as long as lines are available, with one flush for all.
  private mutating func makeGroup(
    from first: OperationBatch
  ) throws -> (made: [OperationAcknowledgement], failure: (any Error)?) {
    let deadline = ContinuousClock.now + Self.maximumGroupDuration
    var made: [OperationAcknowledgement] = []
    var failure: (any Error)?
    try store.opened.withSession { session in
      var batch = first
      do {
        while true {
          made.append(try commit(batch, in: session))
          guard made.count < Self.maximumGroupCount, ContinuousClock.now < deadline,
            let next = try batcher.next(waits: false)
          else { return }
          batch = next
        }
      } catch {
        // The session commits the preceding commits, so the error is thrown only after they are durable.
        failure = error
      }
    }
    return (made, failure)
  }

  private mutating func commit(
    _ batch: OperationBatch, in session: WriteSession
  ) throws -> OperationAcknowledgement {
    if let id = batch.info.commitID, let position = try session.journalReader.position(ofCommitID: id) {
      return try recall(batch, at: position, in: session)
    }
    let before = session.head
    var line: Int?
    let position: Position
    do {
      position = try session.commit(batch.info) { transaction in
        for step in batch.operations {
          line = step.line
          try performer.perform(step.operation, in: transaction)
        }
        line = nil
      }.position
    } catch {
      performer.names.drop()
      if line == nil, OperationRunner.isFoundAtEnd(error) { line = lineThatBreaks(batch, in: session) }
      throw batch.blaming(error, line: line)
    }
    return OperationAcknowledgement(
      position: position, ids: performer.names.keep(), eventCount: position > before ? session.builder.writer.count : 0,
      isNew: position > before)
  }

  /// Returns whether an error is of a condition that is checked at the end of a commit.
  private static func isFoundAtEnd(_ error: any Error) -> Bool {
    guard let error = error as? StoreError else { return false }
    return error.code == .constraint || error.code == .notFound
  }

  /// Returns the line of a batch that breaks a constraint.
  ///
  /// Constraints are checked only at the end of the commit: without this line and the following ones, the commit would
  /// succeed. The line is found by bisection, as this happens only once in a run.
  private func lineThatBreaks(_ batch: OperationBatch, in session: WriteSession) -> Int {
    guard batch.lines.count > 1 else { return batch.lines.lowerBound }
    var (sound, broken) = (0, batch.operations.count)
    while broken - sound > 1 {
      let middle = (sound + broken) / 2
      do {
        try session.rehearse(batch.info) { transaction in
          var performer = performer
          for step in batch.operations[..<middle] { try performer.perform(step.operation, in: transaction) }
        }
        sound = middle
      } catch {
        broken = middle
      }
    }
    return batch.operations[broken - 1].line
  }

  /// Returns the result of an earlier commit.
  ///
  /// Its n-th `inserted` event belongs to the n-th insert.
  private mutating func recall(
    _ batch: OperationBatch, at position: Position, in session: WriteSession
  ) throws -> OperationAcknowledgement {
    let inserted = try session.journalReader.insertedObjects(at: position)
    let inserts = batch.operations.compactMap { step -> Operation.Insertion? in
      if case .insert(let insertion) = step.operation { insertion } else { nil }
    }
    guard inserts.count == inserted.count else {
      let error = StoreError(
        .conflict,
        "Commit \(position) has the same commit id and \(inserted.count) inserts, but here are \(inserts.count).",
        advice: "Give each commit an id of its own.")
      throw batch.blaming(error)
    }
    for (insertion, id) in zip(inserts, inserted) {
      if let name = insertion.name { performer.names.give(name, id) }
    }
    return OperationAcknowledgement(position: position, ids: performer.names.keep(), eventCount: 0, isNew: false)
  }
}

/// The result of one commit of operations.
package struct OperationAcknowledgement: Sendable {
  /// The position of the commit; the head if it changed nothing.
  ///
  /// If the journal contained its id already, the position of that commit.
  package let position: Position
  /// The objects that its inserts named.
  package let ids: [(name: String, id: ObjectID)]
  package let eventCount: Int
  /// Whether this run made the commit.
  package let isNew: Bool
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

private extension LMDBJournal {
  /// Returns the objects that a commit inserted, in order; empty for a commit of a model.
  func insertedObjects(at position: Position) throws -> [ObjectID] {
    try withCommit(at: position) { commit in
      guard !commit.header.isModel else { return [] }
      var inserted: [ObjectID] = []
      var events = commit.events
      while !events.isAtEnd {
        let event = try events.next()
        if event.kind == .inserted { inserted.append(event.object) }
      }
      return inserted
    }
  }
}
