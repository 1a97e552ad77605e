import DaybookModel
import LMDB

/// The journal in its LMDB environment, as one transaction sees it.
///
/// A commit is one value under its position. A commit larger than a chunk is continued under the same position with the
/// next chunk number, so that LMDB does not have to find long runs of free pages.
package struct LMDBJournal: Journal {
  package let snapshot: TransactionSnapshot
  package let tables: JournalTables
  /// The changes of derived entities that its readers see; empty for the journal alone.
  let derivedChanges: [DerivedChanges]
  /// Whether all of it is read by the model of the reader, as states with derived entities do.
  package let isReadByOneModel: Bool

  package init(snapshot: TransactionSnapshot, tables: JournalTables) {
    (self.snapshot, self.tables) = (snapshot, tables)
    (derivedChanges, isReadByOneModel) = ([], false)
  }

  private init(_ journal: LMDBJournal, adding changes: [DerivedChanges]) {
    (snapshot, tables) = (journal.snapshot, journal.tables)
    (derivedChanges, isReadByOneModel) = (changes, true)
  }

  /// Returns the journal as states with derived entities read it: with their changes, and all by one model.
  ///
  /// What is folded from it in either direction is both the stored objects and the derived ones. The model is the one
  /// at the end: a projection may name what an earlier model lacks.
  package func adding(_ changes: [DerivedChanges]) -> LMDBJournal { LMDBJournal(self, adding: changes) }

  /// The large values of the store.
  package var largeValues: LargeValueTable { LargeValueTable(snapshot.environment) }

  package func head() throws -> Position {
    var cursor = try snapshot.makeCursor(in: tables.journal)
    guard try cursor.moveToLast() else { return .empty }
    // A commit that a damaged page hides at the end would be missed by nothing else.
    try cursor.proveLast(in: tables.journal)
    return try JournalKey(cursor.key).position
  }

  package func header(at position: Position) throws -> (header: CommitHeader, hash: Digest) {
    var cursor = try snapshot.makeCursor(in: tables.journal)
    guard try cursor.seek(to: JournalKey(position: position, chunk: 0).bytes.rawSpan) else {
      throw StoreError(missing: position)
    }
    let (header, size): (CommitHeader, Int)
    let hash: Digest
    do {
      (header, size) = try CommitHeader.read(cursor.value)
      hash = Digest(hashing: cursor.value.extracting(first: size))
    } catch .malformed where cursor.value.byteCount == CommitLimits.chunkSizeInBytes {
      // A header with a long message, or with many undone commits, continues in the next chunks.
      return try withCommit(at: position) { ($0.header, $0.hash) }
    } catch {
      throw self.error(error, at: position)
    }
    // The size is checked before it is used in any computation.
    guard (0...CommitLimits.maximumSizeInBytes).contains(header.bodySize) else {
      throw StoreError(damaged: position, "is damaged: its header records \(header.bodySize) bytes of events")
    }
    let seal = try sealBytes(at: position, of: size + header.bodySize + CommitSeal.byteCount, &cursor)
    guard header.position == position, try CommitSeal(seal.rawSpan) == CommitSeal(hash) else {
      throw StoreError(damaged: position, "is damaged: its hash is not the one in its seal")
    }
    return (header, hash)
  }

  /// Returns the last bytes of a commit, which may span two chunks.
  ///
  /// - Parameter size: The size of the whole commit.
  private func sealBytes(at position: Position, of size: Int, _ cursor: inout Cursor) throws -> [UInt8] {
    let chunkSize = CommitLimits.chunkSizeInBytes
    let (first, last) = ((size - CommitSeal.byteCount) / chunkSize, (size - 1) / chunkSize)
    var bytes: [UInt8] = []
    for chunk in first...last {
      let key = JournalKey(position: position, chunk: UInt32(clamping: chunk)).bytes
      guard try cursor.seek(to: key.rawSpan) else { throw StoreError(damaged: position, "lacks its chunk \(chunk)") }
      let end = min(size - chunk * chunkSize, chunkSize)
      let start = chunk == first ? size - CommitSeal.byteCount - chunk * chunkSize : 0
      guard cursor.value.byteCount == end else {
        throw StoreError(damaged: position, "is damaged: its chunk \(chunk) has the wrong size")
      }
      bytes.append(bytes: cursor.value.extracting(start..<end))
    }
    return bytes
  }

  package func withCommit<Result>(at position: Position, _ body: (CommitView) throws -> Result) throws -> Result {
    var commits = try CommitCursor(self, from: position, through: position)
    guard let commit = try commits.next() else { throw StoreError(missing: position) }
    // A commit that is read alone is likely to be read again, by another follower.
    tables.checkedCommits.note(commit.bytes, at: position)
    return try body(commit)
  }

  package func forEachCommit(
    from first: Position, through last: Position?, _ body: (CommitView) throws -> Bool
  ) throws {
    var commits = try CommitCursor(self, from: first, through: last)
    while let commit = try commits.next() {
      guard try body(commit) else { return }
    }
  }

  /// Returns the position of the commit with an id, or `nil` if no commit has it.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the commit at this position has another id.
  package func position(ofCommitID id: ObjectID) throws -> Position? {
    var key: [UInt8] = []
    key.append(id)
    guard let value = try snapshot.value(for: key.rawSpan, in: tables.commitIDs) else { return nil }
    var reader = ByteReader(value)
    let position = Position(try reader.fixed(UInt64.self))
    guard try header(at: position).header.commitID == id else {
      throw StoreError(
        .damaged, "The journal's row of the commit id \(id) is damaged: commit \(position) does not have that id.",
        advice: .verifyAndRestore)
    }
    return position
  }
}

/// The tables of the journal's environment.
///
/// It is a class, because each reader of the journal has a reference to it.
package final class JournalTables: Sendable {
  package let journal: Table
  package let commitIDs: Table
  package let subscriptions: Table
  package let meta: Table
  /// The rows of ``meta`` whose seals were checked.
  let checkedRows = CheckedRows()
  /// The last commits of ``journal`` whose digests were checked.
  let checkedCommits = CheckedCommits()

  package static let names = ["journal", "commit ids", "subscriptions", "meta"]

  /// - Parameter tables: The tables, in the order of ``names``.
  package init(_ tables: [Table]) {
    precondition(tables.count == JournalTables.names.count, "There is a table for each name.")
    (journal, commitIDs, subscriptions, meta) = (tables[0], tables[1], tables[2], tables[3])
  }
}

/// The key of a chunk: position and chunk number, big-endian.
package struct JournalKey: Hashable {
  package let position: Position
  package let chunk: UInt32

  package init(position: Position, chunk: UInt32) {
    self.position = position
    self.chunk = chunk
  }

  package init(_ bytes: RawSpan) throws(MalformedBytes) {
    var reader = ByteReader(bytes)
    position = Position(try reader.fixed(UInt64.self))
    chunk = try reader.fixed(UInt32.self)
    guard reader.isAtEnd else { throw MalformedBytes(offset: 12, expected: "the end of a journal key") }
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(12)
    bytes.appendFixed(position.number)
    bytes.appendFixed(chunk)
    return bytes
  }
}

extension LMDBJournal {
  /// Returns the number of events from one position through another, from the headers alone.
  package func eventCount(from first: Position = 1, through last: Position) throws -> Int {
    var total = 0
    try forEachEventCount(from: first, through: last) { _, count in
      total += count
      return true
    }
    return total
  }

  /// Calls `body` with the event counts in commit headers, until it returns false.
  package func forEachEventCount(
    from first: Position, through last: Position, _ body: (Position, Int) throws -> Bool
  ) throws {
    var cursor = try snapshot.makeCursor(in: tables.journal)
    var next = max(first, 1)
    let last = min(last, try head())
    var isValid = try cursor.seek(atOrAfter: JournalKey(position: next, chunk: 0).bytes.rawSpan)
    while next <= last || isValid {
      guard isValid else { throw StoreError(missing: next) }
      let key = try JournalKey(cursor.key)
      if key.position > last, next > last { break }
      if key.chunk == 0 {
        guard key.position == next else { throw StoreError(missing: next) }
        next = next.next
        let count: Int
        do {
          count = try CommitHeader.eventCount(cursor.value)
        } catch {
          throw self.error(error, at: key.position)
        }
        guard try body(key.position, count) else { return }
      }
      isValid = try cursor.moveToNext()
    }
  }
}
