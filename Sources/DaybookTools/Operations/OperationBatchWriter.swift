import Daybook
import DaybookEngine
import DaybookModel

/// Makes commits of operations, and keeps the names that these give to objects.
package struct OperationBatchWriter {
  private var performer: OperationPerformer
  /// The line of the operation that could not be performed; `nil` if there was none, or all of them together were refused.
  private var culprit: Int?

  /// - Parameter readsFiles: Whether values of data may name files of this machine, as in the lines of `daybook apply`.
  package init(readsFiles: Bool = false) {
    performer = OperationPerformer(readsFiles: readsFiles)
  }

  /// Makes one commit of operations, in a session that concurrent callers share; durable when it returns.
  ///
  /// - Parameters:
  ///   - line: The operations, and what they specify about the commit.
  ///   - values: Large values that the operations may refer to by their digests, though the store lacks them.
  /// - Throws: ``OperationFault`` for an operation that cannot be performed, `StoreError` for what is wrong with all of
  ///   them; nothing is written then.
  package static func commit(
    _ line: OperationLine, offering values: [LargeValue] = [], to store: Store
  ) async throws -> OperationAcknowledgement {
    let operations = line.operations.enumerated().map { (line: $0, operation: $1) }
    let batch = OperationBatch(operations: operations, info: line.info, lines: nil)
    let culprit = Locked<Int?>(nil)
    do {
      return try await store.queued { session in
        // The closure may run again, in another session.
        var writer = OperationBatchWriter()
        defer { culprit.withLock { [number = writer.culprit] in $0 = number } }
        return try writer.commit(batch, offering: values, in: session)
      }
    } catch {
      guard let number = culprit.withLock({ $0 }) else { throw error }
      throw OperationFault(number: number, error: error)
    }
  }

  /// Makes the commit of a batch, or recalls it if the journal has its commit id.
  ///
  /// - Throws: `StoreError`, with the number of the line if the batch has one; the session is then unchanged.
  mutating func commit(
    _ batch: OperationBatch, offering values: [LargeValue] = [], in session: WriteSession
  ) throws -> OperationAcknowledgement {
    if let id = batch.info.commitID, let position = try session.journalReader.position(ofCommitID: id) {
      return try recall(batch, at: position, in: session)
    }
    let before = session.head
    var line: Int?
    let position: Position
    do {
      position = try session.commit(batch.info) { transaction in
        transaction.builder.largeValues.offer(values)
        for step in batch.operations {
          line = step.line
          try performer.perform(step.operation, in: transaction)
        }
        line = nil
      }.position
    } catch {
      performer.names.drop()
      culprit = line
      if line == nil, OperationBatchWriter.isFoundAtEnd(error) { line = lineThatBreaks(batch, in: session) }
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
  private func lineThatBreaks(_ batch: OperationBatch, in session: WriteSession) -> Int? {
    guard let lines = batch.lines, lines.count > 1 else { return batch.lines?.lowerBound }
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
  /// The operations of a line must have as many inserts as the commit has `inserted` events; what comes without a line is
  /// not compared.
  private mutating func recall(
    _ batch: OperationBatch, at position: Position, in session: WriteSession
  ) throws -> OperationAcknowledgement {
    var recall = OperationRecall(inserted: try session.journalReader.insertedObjects(at: position))
    let hasUpserts = batch.operations.contains { if case .upsert = $0.operation { true } else { false } }
    // Only upserts need the state after the commit, which may be far from the head.
    try session.read(at: hasUpserts ? position : session.head) { past in
      for step in batch.operations { try recall.take(step.operation, &performer.names, performer, in: past) }
    }
    guard batch.lines == nil || recall.isWhole else {
      let error = StoreError(
        .conflict,
        "Commit \(position) has the same commit id and \(recall.insertedCount) inserts, but here are \(recall.insertCount).",
        advice: "Give each commit an id of its own.")
      performer.names.drop()
      throw batch.blaming(error)
    }
    return OperationAcknowledgement(
      position: position, ids: performer.names.keep(), eventCount: 0, isNew: false, wasKnown: true)
  }
}

/// The result of one commit of operations.
package struct OperationAcknowledgement: Sendable {
  /// The position of the commit; the head if it changed nothing.
  ///
  /// If the journal contained its id already, the position of that commit.
  package let position: Position
  /// The objects that its inserts and upserts named; `nil` for one that a commit made before has no longer.
  package let ids: [(name: String, id: ObjectID?)]
  package let eventCount: Int
  /// Whether this run made the commit.
  package let isNew: Bool
  /// Whether the journal had the commit's id already.
  package var wasKnown = false
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
