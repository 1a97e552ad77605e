import DaybookEngine
import DaybookModel
import LMDB
import Logging

/// Finds and opens the snapshot of a store from which a position is reached soonest.
///
/// Files on disk may have been damaged or exchanged. So a snapshot is compared with its digest before this process
/// reads it for the first time; a snapshot that is not as it was written is removed, and never used.
package final class SnapshotStore: Sendable {
  let files: SnapshotFiles
  private let storeID: ObjectID
  private let logger: Logger?
  /// The open snapshots.
  ///
  /// The lock is held while a snapshot is checked and opened, as a process must open each file only once.
  private let opened = Locked<[Position: OpenSnapshot]>([:])

  init(of directory: StoreDirectory, storeID: ObjectID, logger: Logger?) {
    files = SnapshotFiles(of: directory)
    self.storeID = storeID
    self.logger = logger
  }

  /// Returns the markers of all snapshots, by ascending position.
  package func markers() -> [SnapshotMarker] {
    files.positions().compactMap { files.marker($0, storeID: storeID) }
  }

  /// Opens the snapshot from which a position is reached over the fewest events.
  ///
  /// - Parameter end: The alternative to a snapshot, a position after the target.
  /// - Returns: The snapshot, or `nil` if none is nearer than `end`.
  /// - Complexity: O(*k*) for *k* commits between the target and the nearest snapshot; O(*n*) for *n* bytes when a
  ///   snapshot is used for the first time.
  func nearest(to target: Position, before end: Position, in journal: LMDBJournal) throws -> OpenSnapshot? {
    var positions = files.positions()
    while true {
      let below = positions.last { $0 <= target }
      let above = positions.first { $0 > target && $0 < end } ?? end
      if below == nil, above == end { return nil }
      let isBelow = try below.map { try journal.isNearer($0, than: above, to: target) } ?? false
      let choice = isBelow ? below ?? above : above
      if choice == end { return nil }
      if let snapshot = try open(choice, journal) { return snapshot }
      positions.removeAll { $0 == choice }
    }
  }

  /// Opens a snapshot, or returns `nil` if it is not valid or cannot be opened.
  private func open(_ position: Position, _ journal: LMDBJournal) throws -> OpenSnapshot? {
    try opened.withLock { opened in
      if let snapshot = opened[position] { return snapshot }
      do {
        if let marker = try trusted(position, journal), let snapshot = try OpenSnapshot(marker, in: files, journal) {
          opened[position] = snapshot
          return snapshot
        }
      } catch let error as LMDBError {
        // The snapshot is valid but cannot be opened, for example because address space is short: the position can be
        // reached in other ways.
        logger?.warning("could not open a snapshot", metadata: ["position": "\(position)", "error": "\(error)"])
        return nil
      }
      try discard(position, journal)
      return nil
    }
  }

  /// Returns the marker of a snapshot, or `nil` if it is damaged or of another journal.
  private func trusted(_ position: Position, _ journal: LMDBJournal) throws -> SnapshotMarker? {
    guard let marker = files.marker(position, storeID: storeID), try SnapshotFiles.belongs(marker, to: journal),
      files.isWhole(marker)
    else { return nil }
    return marker
  }

  private func discard(_ position: Position, _ journal: LMDBJournal) throws {
    // The path may lead to the snapshots of another store.
    try journal.snapshot.environment.checkPlace()
    // Another process may have removed the snapshot.
    guard files.positions().contains(position) else { return }
    logger?.warning("removing a snapshot that is not right", metadata: ["position": "\(position)"])
    files.remove(position)
  }

  /// Returns the newest valid, exact snapshot, to start projections from.
  func newest(in journal: LMDBJournal) throws -> SnapshotMarker? {
    for position in files.positions().reversed() {
      guard let marker = try trusted(position, journal) else {
        try discard(position, journal)
        continue
      }
      if marker.isExact { return marker }
    }
    return nil
  }

  /// Removes a snapshot.
  func remove(_ position: Position) {
    opened.withLock { $0[position] = nil }
    files.remove(position)
  }

  /// Releases all open snapshots.
  func close() {
    opened.withLock { $0.removeAll() }
  }
}

private extension LMDBJournal {
  /// Returns whether `below` is reached from a target over no more events than `above`.
  ///
  /// `below` is at or before the target, and `above` is after it.
  ///
  /// - Complexity: O(*k*) for *k* commits to the nearer position.
  func isNearer(_ below: Position, than above: Position, to target: Position) throws -> Bool {
    var down = try JournalSteps(from: target, in: self)
    var up = try JournalSteps(from: target.next, in: self)
    while true {
      if down.cost <= up.cost {
        if down.position == below { return true }
        try down.stepBack()
      } else {
        // `up` is at the commit to redo next, `down` at the commit to undo next.
        if up.position > above { return false }
        try up.stepOn()
      }
    }
  }
}

/// Moves between commits by their headers alone, and counts the cost of passing them.
private struct JournalSteps: ~Copyable {
  private var cursor: Cursor
  private(set) var position: Position
  /// The number of passed events, plus one for each commit.
  private(set) var cost = 0

  init(from position: Position, in journal: LMDBJournal) throws {
    var cursor = try journal.snapshot.makeCursor(in: journal.tables.journal)
    _ = try cursor.seek(to: JournalKey(position: position, chunk: 0).bytes.rawSpan)
    self.position = position
    self.cursor = cursor
  }

  mutating func stepOn() throws {
    try pass()
    var isValid = try cursor.moveToNext()
    while try isValid && JournalKey(cursor.key).chunk != 0 { isValid = try cursor.moveToNext() }
    position = position.next
  }

  mutating func stepBack() throws {
    try pass()
    var isValid = try cursor.moveToPrevious()
    while try isValid && JournalKey(cursor.key).chunk != 0 { isValid = try cursor.moveToPrevious() }
    position = Position(position.number - 1)
  }

  private mutating func pass() throws {
    guard cursor.isValid else {
      throw StoreError(missing: position)
    }
    do {
      cost += try CommitHeader.eventCount(cursor.value) + 1
    } catch {
      throw StoreError(error, at: position)
    }
  }
}
