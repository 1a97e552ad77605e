import DaybookEngine
import DaybookModel
import LMDB

extension ProjectionKeeper {
  /// Returns which snapshots are missing, or `nil` after a failure, which is only logged.
  func snapshotPlan() -> (snapshots: SnapshotPlan, rows: SnapshotRowsPlan)? {
    loggingFailures { try readUnchecked { (try plan($0), try rowsPlan($0)) } }
  }

  /// Makes the missing snapshots. A failure ends the work and is only logged.
  ///
  /// The store may be closed meanwhile: the snapshot in progress is still made, but not the rows beside it.
  ///
  /// - Parameter goesOn: Called after each snapshot; returns whether to make the next one.
  /// - Returns: The number of events since the last snapshot, or `nil` if it is not known.
  func makeSnapshotsUnasked(goesOn: () -> Bool) -> Int? {
    let files = files
    return loggingFailures {
      try makeMissingSnapshots(progress: nil, until: { files.isClosed }, goesOn: goesOn).eventsSinceLast
    } ?? nil
  }

  private func loggingFailures<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      if files.isClosed { return nil }
      files.options.logger?.warning(
        "could not make a snapshot", metadata: ["store": "\(files.path)", "error": "\(error)"])
      return nil
    }
  }

  /// - Parameters:
  ///   - isOver: Returns whether nothing more is to be made; the rows of a projection are then left unfinished.
  ///   - goesOn: Called after each snapshot; returns whether to make the next one.
  package func makeMissingSnapshots(
    progress: ((StoreProgress) -> Void)?, until isOver: @escaping @Sendable () -> Bool = { false },
    goesOn: () -> Bool = { true }
  ) throws -> (made: [Position], eventsSinceLast: Int?) {
    let maximumCount = files.options.maximumSnapshotCount
    guard files.options.snapshotIntervalInEvents > 0, maximumCount > 0 else { return ([], nil) }
    var made: [Position] = []
    let (plan, rows) = try readUnchecked { (try self.plan($0), try rowsPlan($0)) }
    guard !plan.missing.isEmpty || rows.isDue else { return ([], plan.eventsSinceLast) }
    var rest: Int?
    _ = try snapshotStore.files.withLock {
      var isMore = true
      while isMore {
        // The path may lead to the snapshots of another store.
        try files.checkPlace()
        let position = try readUnchecked { reader -> Position? in
          let plan = try self.plan(reader)
          rest = plan.eventsSinceLast
          guard let next = plan.missing.first, !made.contains(next.position) else { return nil }
          snapshotStore.remove(next.position)
          try write(next.position, events: next.eventCount, reader, progress)
          return next.position
        }
        guard let position else { break }
        made.append(position)
        for position in SnapshotPlan.superfluous(snapshotStore.markers(), maximumCount: maximumCount) {
          snapshotStore.remove(position)
        }
        isMore = !isOver() && goesOn()
      }
      if isMore { try makeMissingRows(progress, until: isOver, goesOn: goesOn) }
    }
    return (made, rest)
  }

  private func plan(_ reader: borrowing StoreReader) throws -> SnapshotPlan {
    try SnapshotPlan(
      snapshotStore.markers(), interval: files.options.snapshotIntervalInEvents,
      maximumCount: files.options.maximumSnapshotCount,
      in: reader.journal)
  }

  private func write(
    _ position: Position, events: Int, _ reader: borrowing StoreReader, _ progress: ((StoreProgress) -> Void)?
  ) throws {
    files.options.logger?.info("making a snapshot", metadata: ["store": "\(files.path)", "position": "\(position)"])
    defer { returnFreeMemory() }
    let journal = reader.journal
    var checkpoint = Checkpoint(position, hash: try journal.header(at: position).hash)
    // Whether events of a later version precede the position is not checked.
    if let format = try journal.format(), !format.isKnown { checkpoint.noteOmittedEvent() }
    let models = try journal.modelPositions()
    try reader.withPast(position) { past in
      let writer = SnapshotWriter(
        past: past, storeID: files.id, checkpoint: checkpoint, modelPosition: models.last { $0 <= position } ?? 1,
        eventCount: events, hasOneModel: models.count == 1, mapSizeInBytes: snapshotMapSizeInBytes,
        progress: progress)
      try writer.write(to: snapshotStore.files)
    }
  }

  var snapshotMapSizeInBytes: Int {
    max(files.options.projectionsMapSizeInBytes, EnvironmentOptions().mapSizeInBytes)
  }

  /// Makes a snapshot of a position, `nil` for the head.
  ///
  /// - Returns: Whether it was made; see ``Store/makeSnapshot(at:progress:)``.
  package func makeSnapshot(at position: Position?, _ progress: ((StoreProgress) -> Void)?) throws -> Bool {
    var isMade = false
    _ = try snapshotStore.files.withLock {
      isMade = try readUnchecked { reader in
        let position = position ?? reader.position
        try reader.requirePosition(position)
        guard position > .empty else {
          throw StoreError(.notFound, "At position 0 there is nothing to keep.", advice: "Give a position from 1.")
        }
        guard !snapshotStore.markers().contains(where: { $0.position == position }) else { return false }
        // Removes the remains of an invalid snapshot.
        snapshotStore.remove(position)
        try write(position, events: reader.journal.eventCount(through: position), reader, progress)
        return true
      }
      try makeMissingRows(progress)
    }
    return isMade
  }

  /// Removes all snapshots.
  ///
  /// - Returns: Whether they were removed; not if another process is making snapshots.
  package func removeSnapshots() throws -> Bool {
    try snapshotStore.files.withLock {
      for position in snapshotStore.files.positions() { snapshotStore.remove(position) }
    }
  }
}
