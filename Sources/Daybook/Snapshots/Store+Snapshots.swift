import DaybookEngine
import DaybookModel
import Foundation
import LMDB

/// A state of the store on disk, from which nearby positions are read without the head.
public struct StoreSnapshot: Sendable, Hashable {
  /// The position of the state.
  public let position: Position
  /// The number of events in all commits up to the position.
  public let events: Int
  /// The size of the snapshot's file.
  public let sizeInBytes: Int
}

extension Store {
  /// The snapshots of the store, by ascending position.
  ///
  ///     for snapshot in store.snapshots { print(snapshot.position, snapshot.sizeInBytes) }
  public var snapshots: [StoreSnapshot] {
    snapshotStore.markers().map {
      StoreSnapshot(position: $0.position, events: $0.eventCount, sizeInBytes: $0.sizeInBytes)
    }
  }

  /// Makes the snapshots that the policy requires and the store lacks, from the journal.
  ///
  ///     try store.makeSnapshots { print($0.activity) }
  ///
  /// A call is seldom needed: a process that writes makes snapshots when they are due. It is useful for a store that
  /// was imported, restored or copied, if the past is to be read at once. Reads and writes continue meanwhile; the
  /// space of commits made meanwhile grows the files instead of being used again.
  ///
  /// See ``StoreOptions/snapshotIntervalInEvents`` for the policy. If there are more snapshots than are to be kept, the
  /// snapshots whose absence makes the smallest gaps are removed.
  ///
  /// - Parameter progress: Called repeatedly with the progress.
  /// - Returns: The positions of the new snapshots, in the order in which they were made. Empty if another process is
  ///   making snapshots.
  /// - Throws: `StoreError`: `full`, `inputOutput`, `closed`, `damaged` if the journal cannot be folded.
  /// - Complexity: O(*n* log *n*) for *n* rows and events, for each snapshot.
  @discardableResult
  public func makeSnapshots(progress: ((Progress) -> Void)? = nil) throws -> [Position] {
    try checkOpen()
    do {
      return try makeMissingSnapshots(progress: progress, goesOn: { true }).made
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Makes a snapshot of a position, regardless of the policy.
  ///
  /// - Parameters:
  ///   - position: The position; `nil` for the head.
  ///   - progress: Called repeatedly with the progress.
  /// - Returns: Whether the snapshot was made; it is not if it exists already, or if another process is making
  ///   snapshots.
  /// - Throws: `StoreError`: `notFound` for 0 and positions beyond the head; the errors of
  ///   ``makeSnapshots(progress:)``.
  @discardableResult
  public func makeSnapshot(at position: Position? = nil, progress: ((Progress) -> Void)? = nil) throws -> Bool {
    try checkOpen()
    do {
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
      }
      return isMade
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Removes all snapshots. No data is lost, but reads of the past take longer.
  ///
  /// - Throws: `StoreError` with the code `busy` if another process is making snapshots.
  public func removeSnapshots() throws {
    try checkOpen()
    do {
      let isDone = try snapshotStore.files.withLock {
        for position in snapshotStore.files.positions() { snapshotStore.remove(position) }
      }
      if !isDone { throw StoreError(.busy, "Snapshots are being made just now.", advice: "Try again.") }
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Makes the missing snapshots. A failure ends the work and is only logged.
  ///
  /// - Returns: The number of events since the last snapshot, or `nil` if it is not known.
  func makeSnapshotsUnasked() -> Int? {
    do {
      return try makeMissingSnapshots(progress: nil, goesOn: { !isClosed }).eventsSinceLast
    } catch {
      options.logger?.warning("could not make a snapshot", metadata: ["store": "\(path)", "error": "\(error)"])
      return nil
    }
  }

  /// - Parameter goesOn: Called after each snapshot; returns whether to make the next one.
  private func makeMissingSnapshots(
    progress: ((Progress) -> Void)?, goesOn: () -> Bool
  ) throws -> (made: [Position], eventsSinceLast: Int?) {
    let maximumCount = options.maximumSnapshotCount
    guard options.snapshotIntervalInEvents > 0, maximumCount > 0 else { return ([], nil) }
    var made: [Position] = []
    let plan = try readUnchecked { reader -> SnapshotPlan in try self.plan(reader) }
    guard !plan.missing.isEmpty else { return ([], plan.eventsSinceLast) }
    var rest: Int?
    _ = try snapshotStore.files.withLock {
      repeat {
        let position = try readUnchecked { reader -> Position? in
          let plan = try self.plan(reader)
          rest = plan.eventsSinceLast
          guard let next = plan.missing.first, !made.contains(next.position) else { return nil }
          snapshotStore.remove(next.position)
          try write(next.position, events: next.eventCount, reader, progress)
          return next.position
        }
        guard let position else { return }
        made.append(position)
        for position in SnapshotPlan.superfluous(snapshotStore.markers(), maximumCount: maximumCount) {
          snapshotStore.remove(position)
        }
      } while goesOn()
    }
    return (made, rest)
  }

  private func plan(_ reader: borrowing StoreReader) throws -> SnapshotPlan {
    try SnapshotPlan(
      snapshotStore.markers(), interval: options.snapshotIntervalInEvents, maximumCount: options.maximumSnapshotCount,
      in: reader.journal)
  }

  private func write(
    _ position: Position, events: Int, _ reader: borrowing StoreReader, _ progress: ((Progress) -> Void)?
  ) throws {
    options.logger?.info("making a snapshot", metadata: ["store": "\(path)", "position": "\(position)"])
    let journal = reader.journal
    var checkpoint = Checkpoint(position, hash: try journal.header(at: position).hash)
    // Whether events of a later version precede the position is not checked.
    if let format = try journal.format(), !format.isKnown { checkpoint.noteOmittedEvent() }
    let modelPosition = try journal.modelPositions().last { $0 <= position } ?? 1
    try reader.withPast(position) { past in
      let writer = SnapshotWriter(
        past: past, storeID: id, checkpoint: checkpoint, modelPosition: modelPosition, eventCount: events,
        mapSizeInBytes: max(options.projectionsMapSizeInBytes, EnvironmentOptions().mapSizeInBytes),
        progress: progress)
      try writer.write(to: snapshotStore.files)
    }
  }
}
