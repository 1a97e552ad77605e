import DaybookEngine
import DaybookModel
import LMDB
import Logging

/// Finds and opens the snapshot of a store from which a position is reached soonest.
///
/// Files on disk may have been damaged or exchanged. So a snapshot is compared with its digest before this process
/// reads it for the first time; a snapshot that is not as it was written is removed, and never used. The same applies to
/// the rows of projections beside a snapshot. Rows that were written beside other live rows than the present ones are not
/// used either.
package final class SnapshotStore: Sendable {
  let files: SnapshotFiles
  private let storeID: ObjectID
  private let logger: Logger?
  /// The open snapshots, and the rows beside them.
  ///
  /// The lock is held while a snapshot is checked and opened, as a process must open each file only once.
  private let opened = Locked<[Place: OpenSnapshot]>([:])

  private struct Place: Hashable {
    let position: Position
    /// The projection of rows; `nil` for the snapshot of the store.
    let projection: String?
  }

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
  /// - Parameters:
  ///   - end: The alternative to a snapshot, a position after the target.
  ///   - derivation: Reads the rows that the snapshot must have; `nil` for stored objects alone.
  /// - Returns: The snapshot, or `nil` if none is nearer than `end`.
  /// - Complexity: O(*k*) for *k* commits between the target and the nearest snapshot; O(*n*) for *n* bytes when a
  ///   snapshot is used for the first time.
  func nearest(
    to target: Position, before end: Position, in journal: LMDBJournal, serving derivation: DerivedCatalog? = nil
  ) throws -> ScopedSnapshot? {
    var positions = files.positions()
    if let derivation { positions = try positions.filter { try hasRows(of: derivation, at: $0, journal) } }
    while true {
      let below = positions.last { $0 <= target }
      let above = positions.first { $0 > target && $0 < end } ?? end
      if below == nil, above == end { return nil }
      let isBelow = try below.map { try journal.isNearer($0, than: above, to: target) } ?? false
      let choice = isBelow ? below ?? above : above
      if choice == end { return nil }
      if let snapshot = try open(choice, journal, serving: derivation) { return snapshot }
      positions.removeAll { $0 == choice }
    }
  }

  /// Returns whether a snapshot has the rows of a projection, by their marker.
  ///
  /// - Parameter digest: A digest of what they follow from.
  func hasRows(_ digest: Digest, of projection: String, beside snapshot: SnapshotMarker) -> Bool {
    let marker = files.marker(snapshot.position, of: projection, storeID: storeID)
    return marker?.rows == digest && marker?.hash == snapshot.hash
  }

  /// Returns whether a snapshot has the rows of a scope, by their markers.
  private func hasRows(of derivation: DerivedCatalog, at position: Position, _ journal: LMDBJournal) throws -> Bool {
    // All that is read with derived entities is read by the present model.
    guard position >= derivation.storedPosition else { return false }
    return try derivation.parts.allSatisfy { part in
      let (name, digest) = (part.rows.projection, derivation.digest(of: part))
      if opened.withLock({ $0[Place(position: position, projection: name)] })?.rows == digest { return true }
      if let marker = files.marker(position, of: name, storeID: storeID) { return marker.rows == digest }
      try discard(position, of: name, journal)
      return false
    }
  }

  private func open(
    _ position: Position, _ journal: LMDBJournal, serving derivation: DerivedCatalog?
  ) throws -> ScopedSnapshot? {
    guard let stored = try open(position, of: nil, nil, journal) else { return nil }
    var rows: [OpenSnapshot] = []
    for part in derivation?.parts ?? [] {
      let digest = derivation?.digest(of: part)
      guard let opened = try open(position, of: part.rows.projection, digest, journal) else { return nil }
      rows.append(opened)
    }
    return ScopedSnapshot(stored: stored, derivation: derivation, rows: rows)
  }

  /// Opens a snapshot or rows beside it, or returns `nil` if they are not valid or cannot be opened.
  ///
  /// - Parameter rows: The digest that the marker must have.
  private func open(
    _ position: Position, of projection: String?, _ rows: Digest?, _ journal: LMDBJournal
  ) throws -> OpenSnapshot? {
    let place = Place(position: position, projection: projection)
    return try opened.withLock { opened in
      if let snapshot = opened[place], snapshot.rows == rows { return snapshot }
      opened[place] = nil
      do {
        if let marker = try trusted(position, of: projection, journal) {
          // Another process may have written other rows in this moment.
          guard marker.rows == rows else { return nil }
          let directory = files.directory(position, of: projection)
          if let snapshot = try OpenSnapshot(marker, in: directory, journal) {
            opened[place] = snapshot
            return snapshot
          }
        }
      } catch let error as LMDBError {
        // The snapshot is valid but cannot be opened, for example because address space is short: the position can be
        // reached in other ways.
        logger?.warning("could not open a snapshot", metadata: ["position": "\(position)", "error": "\(error)"])
        return nil
      }
      try discard(position, of: projection, journal)
      return nil
    }
  }

  /// Returns the marker of a snapshot or of rows beside it, or `nil` if they are damaged or of another journal.
  private func trusted(
    _ position: Position, of projection: String? = nil, _ journal: LMDBJournal
  ) throws -> SnapshotMarker? {
    guard let marker = files.marker(position, of: projection, storeID: storeID),
      try SnapshotFiles.belongs(marker, to: journal), files.isWhole(marker, of: projection)
    else { return nil }
    return marker
  }

  private func discard(_ position: Position, of projection: String? = nil, _ journal: LMDBJournal) throws {
    // In the common case there are no such rows. Another process may have removed the snapshot.
    guard files.exists(position, of: projection) else { return }
    // The path may lead to the snapshots of another store.
    try journal.snapshot.environment.checkPlace()
    logger?.warning(
      "removing a snapshot that is not right",
      metadata: ["position": "\(position)", "projection": "\(projection ?? "")"])
    files.remove(position, of: projection)
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

  /// Returns the size of a snapshot's files, with the rows of projections beside it.
  package func sizeInBytes(_ marker: SnapshotMarker) -> Int {
    files.projections(at: marker.position).reduce(marker.sizeInBytes) {
      $0 + (files.marker(marker.position, of: $1, storeID: storeID)?.sizeInBytes ?? 0)
    }
  }

  /// Removes a snapshot, with the rows beside it.
  func remove(_ position: Position) {
    opened.withLock { $0 = $0.filter { $0.key.position != position } }
    files.remove(position)
  }

  /// Removes the rows of a projection beside a snapshot.
  func remove(_ position: Position, of projection: String) {
    opened.withLock { $0[Place(position: position, projection: projection)] = nil }
    files.remove(position, of: projection)
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
