import DaybookEngine
import DaybookModel
import LMDB
import WorkLimits

/// Making the rows of projections beside the snapshots of the store, which needs no code of the projections.
extension ProjectionKeeper {
  func rowsPlan(_ reader: borrowing StoreReader) throws -> SnapshotRowsPlan {
    let snapshots = try snapshotStore.markers().filter { try SnapshotFiles.belongs($0, to: reader.journal) }
    // In the common case there are no snapshots, and the records need not be read.
    let live = snapshots.isEmpty ? [] : try projections(of: reader).derivedRows()
    let head = reader.position.number
    let lag = min(head, files.options.projectionRewindLimit, StoredWalk.leastRewindLimit)
    return SnapshotRowsPlan(
      live, modelPosition: reader.modelPosition, from: Position(head - lag), beside: snapshots, in: snapshotStore)
  }

  /// Makes the rows that snapshots lack, while no other process makes snapshots.
  ///
  /// Each is made in a read transaction of its own, so that the space which commits free is used again in between.
  ///
  /// - Parameters:
  ///   - isOver: Returns whether nothing more is to be made; what is not finished is left.
  ///   - goesOn: Called before each projection's rows; returns whether to make them.
  /// - Throws: As making a snapshot.
  func makeMissingRows(
    _ progress: ((StoreProgress) -> Void)?, until isOver: @escaping @Sendable () -> Bool = { false },
    goesOn: () -> Bool = { true }
  ) throws {
    // The last position that was tried for each projection; 0 if its rows cannot be made now.
    var tried: [String: Position] = [:]
    var isMore = true
    while isMore, !isOver(), goesOn() {
      try files.checkPlace()
      isMore = try WorkLimit.$current.withValue(WorkLimit(nil, isCancelled: isOver)) {
        try readUnchecked { reader in
          let plan = try rowsPlan(reader)
          for (position, projection) in plan.stale { snapshotStore.remove(position, of: projection) }
          let next = plan.missing.first { $0.snapshot.position < tried[$0.projection] ?? reader.position.next }
          guard let next else { return false }
          let isMade = try write(next.projection, beside: next.snapshot, reader, progress)
          tried[next.projection] = isMade ? next.snapshot.position : .empty
          return true
        }
      }
    }
  }

  /// Writes the rows of a projection beside a snapshot, in no more memory than a rebuild may use.
  ///
  /// - Returns: Whether the rows were written; not if they do not fit the model.
  private func write(
    _ projection: String, beside snapshot: SnapshotMarker, _ reader: borrowing StoreReader,
    _ progress: ((StoreProgress) -> Void)?
  ) throws -> Bool {
    defer { returnFreeMemory() }
    do {
      guard let rows = try reader.rows(of: projection), let derivation = rows.derivation,
        let part = derivation.parts.first(where: { $0.rows.projection == projection })
      else { return false }
      files.options.logger?.info(
        "making a snapshot of rows",
        metadata: ["store": "\(files.path)", "position": "\(snapshot.position)", "projection": "\(projection)"])
      func write(_ past: State) throws {
        let writer = SnapshotWriter(
          past: past, storeID: files.id, checkpoint: Checkpoint(snapshot.position, hash: snapshot.hash),
          modelPosition: derivation.storedPosition, eventCount: snapshot.eventCount, hasOneModel: true,
          mapSizeInBytes: snapshotMapSizeInBytes,
          rows: SnapshotWriter.Rows(
            projection: projection, tags: part.entities.tags, digest: derivation.digest(of: part)),
          progress: progress)
        try writer.write(to: snapshotStore.files)
      }
      do {
        try rows.withPast(snapshot.position, limitInBytes: files.options.rebuildMemoryInBytes, write)
      } catch is SpanTooLarge {
        // The changes since the beginning are kept: folded in files, they need no more memory than a rebuild.
        let folded = try FoldedState(derivation.model, derivation.dependents)
        try rows.journal.forEachCommit(from: 1, through: snapshot.position) { commit in
          try folded.fold(commit)
          return true
        }
        try write(folded.state())
      }
      return true
    } catch let error as StoreError where error.code == .badModel {
      // A model of the store has the name of one of its entities: the projection stops, or will.
      return false
    }
  }
}
