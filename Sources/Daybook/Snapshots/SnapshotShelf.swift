import DaybookModel
import LMDB
import Logging

/// The snapshots of a store as it is read: finds the one from which a position is reached soonest, and opens it.
///
/// What is on disk may have been damaged or exchanged. So a snapshot is compared with its digest before this process
/// reads it for the first time; one that is not what was written is removed, and never used.
final class SnapshotShelf: Sendable {
  let files: SnapshotFiles
  private let storeID: ObjectID
  private let logger: Logger?
  /// Held while one is checked and opened: a file is opened once in a process.
  private let opened = Locked<[Position: OpenSnapshot]>([:])

  init(of directory: StoreDirectory, storeID: ObjectID, logger: Logger?) {
    files = SnapshotFiles(of: directory)
    self.storeID = storeID
    self.logger = logger
  }

  /// What the snapshots say of themselves, by rising position.
  func markers() -> [SnapshotMarker] {
    files.positions().compactMap { files.marker($0, storeID: storeID) }
  }

  /// The snapshot from which a position is reached over fewer events than from another one.
  ///
  /// - Parameter end: The position that is the alternative, after the target.
  /// - Returns: Nil if none is nearer than `end`.
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

  /// Opens a snapshot; nil if it is not right.
  private func open(_ position: Position, _ journal: LMDBJournal) throws -> OpenSnapshot? {
    try opened.withLock { opened in
      if let snapshot = opened[position] { return snapshot }
      do {
        if let marker = try trusted(position, journal), let snapshot = try OpenSnapshot(marker, in: files, journal) {
          opened[position] = snapshot
          return snapshot
        }
      } catch let error as LMDBError {
        // It is what was written, and cannot be opened now, as for want of address space: there are other ways.
        logger?.warning("could not open a snapshot", metadata: ["position": "\(position)", "error": "\(error)"])
        return nil
      }
      discard(position)
      return nil
    }
  }

  /// The marker of a snapshot that is what was written, of this journal.
  private func trusted(_ position: Position, _ journal: LMDBJournal) throws -> SnapshotMarker? {
    guard let marker = files.marker(position, storeID: storeID), try SnapshotFiles.belongs(marker, to: journal),
      files.isWhole(marker)
    else { return nil }
    return marker
  }

  private func discard(_ position: Position) {
    // Another process may have removed it just now.
    guard files.positions().contains(position) else { return }
    logger?.warning("removing a snapshot that is not right", metadata: ["position": "\(position)"])
    files.remove(position)
  }

  /// The newest snapshot that is right, to begin projections with.
  func newest(in journal: LMDBJournal) throws -> SnapshotMarker? {
    for position in files.positions().reversed() {
      guard let marker = try trusted(position, journal) else {
        discard(position)
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

  /// Lets all go that were opened.
  func close() {
    opened.withLock { $0.removeAll() }
  }
}

extension LMDBJournal {
  /// Whether one position, at or before a target, is reached from there over no more events than another one after it.
  ///
  /// - Complexity: O(*k*) for *k* commits to the nearer one.
  fileprivate func isNearer(_ below: Position, than above: Position, to target: Position) throws -> Bool {
    var down = try JournalSteps(from: target, in: self)
    var up = try JournalSteps(from: target.next, in: self)
    while true {
      if down.cost <= up.cost {
        if down.position == below { return true }
        try down.stepBack()
      } else {
        // It stands at the commit to take next, `down` at the one to undo next.
        if up.position > above { return false }
        try up.stepOn()
      }
    }
  }
}

/// Goes from commit to commit by their headers alone, and counts what going over them costs.
private struct JournalSteps: ~Copyable {
  private var cursor: Cursor
  private(set) var position: Position
  /// The events passed, and one for each commit.
  private(set) var cost = 0

  init(from position: Position, in journal: LMDBJournal) throws {
    var cursor = try journal.snapshot.makeCursor(in: journal.tables.journal)
    _ = try cursor.seek(to: JournalKey(position: position, chunk: 0).bytes.span.bytes)
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
