import DaybookEngine
import DaybookModel
import DaybookRuntime

/// A state of the store on disk, from which nearby positions are read without the head.
public struct StoreSnapshot: Sendable, Hashable {
  /// The position of the state.
  public let position: Position
  /// The number of events in all commits up to the position.
  public let events: Int
  /// The size of the snapshot's files, with the rows of projections.
  public let sizeInBytes: Int
}

extension Store {
  /// The snapshots of the store, by ascending position.
  ///
  ///     for snapshot in store.snapshots { print(snapshot.position, snapshot.sizeInBytes) }
  public var snapshots: [StoreSnapshot] {
    keeper.snapshotStore.markers().map {
      StoreSnapshot(
        position: $0.position, events: $0.eventCount, sizeInBytes: keeper.snapshotStore.sizeInBytes($0))
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
  public func makeSnapshots(progress: ((StoreProgress) -> Void)? = nil) throws -> [Position] {
    try checkOpen()
    do {
      return try keeper.makeMissingSnapshots(progress: progress).made
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
  public func makeSnapshot(at position: Position? = nil, progress: ((StoreProgress) -> Void)? = nil) throws -> Bool {
    try checkOpen()
    do {
      return try keeper.makeSnapshot(at: position, progress)
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
      let isDone = try keeper.removeSnapshots()
      if !isDone { throw StoreError(.busy, "Snapshots are being made just now.", advice: "Try again.") }
    } catch {
      throw StoreError.translating(error)
    }
  }
}
