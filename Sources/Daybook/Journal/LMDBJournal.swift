import DaybookModel
import LMDB

/// The journal in its LMDB environment, as one transaction sees it.
///
/// A commit is one value under its position. What is larger than a chunk goes on under the same position with the next
/// chunk number, so that LMDB need not find long runs of free pages.
package struct LMDBJournal: Journal {
  let snapshot: Snapshot
  let tables: JournalTables

  package func head() throws -> Position {
    var cursor = try snapshot.makeCursor(in: tables.journal)
    guard try cursor.moveToLast() else { return .empty }
    return try JournalKey(cursor.key).position
  }

  package func withCommit<Result>(at position: Position, _ body: (CommitView) throws -> Result) throws -> Result {
    var cursor = try snapshot.makeCursor(in: tables.journal)
    guard try cursor.seek(to: JournalKey(position: position, chunk: 0).bytes.span.bytes) else {
      throw StoreError(.damaged, "The journal has no commit \(position).", advice: "Run `daybook verify`.")
    }
    return try withPresentCommit(position, &cursor, body)
  }

  package func forEachCommit(
    from first: Position, through last: Position?, _ body: (CommitView) throws -> Bool
  ) throws {
    var cursor = try snapshot.makeCursor(in: tables.journal)
    var position = first
    var isValid = try cursor.seek(atOrAfter: JournalKey(position: first, chunk: 0).bytes.span.bytes)
    while isValid, last.map({ position <= $0 }) ?? true {
      guard try JournalKey(cursor.key) == JournalKey(position: position, chunk: 0) else {
        throw StoreError(.damaged, "The journal has no commit \(position).", advice: "Run `daybook verify`.")
      }
      guard try withPresentCommit(position, &cursor, body) else { return }
      position = position.next
      isValid = try cursor.moveToNext()
    }
  }

  /// Looks at the commit whose first chunk the cursor is at, and leaves the cursor at its last chunk.
  private func withPresentCommit<Result>(
    _ position: Position, _ cursor: inout Cursor, _ body: (CommitView) throws -> Result
  ) throws -> Result {
    if cursor.value.byteCount < CommitLimits.chunkSizeInBytes {
      return try body(CommitView(checking: cursor.value, at: position))
    }
    var bytes = [UInt8](cursor.value)
    var chunk: UInt32 = 1
    // The last chunk is the first one that is not full; a commit that fills its last one is followed by an empty one.
    while bytes.count == Int(chunk) * CommitLimits.chunkSizeInBytes {
      guard try cursor.moveToNext(), try JournalKey(cursor.key) == JournalKey(position: position, chunk: chunk),
        bytes.count <= CommitLimits.maximumSizeInBytes
      else {
        throw StoreError(.damaged, "Commit \(position) lacks its chunk \(chunk).", advice: "Run `daybook verify`.")
      }
      bytes.append(bytes: cursor.value)
      chunk += 1
    }
    return try body(CommitView(checking: bytes.span.bytes, at: position))
  }

  /// The position of the commit to which its writer gave this id, or nil.
  package func position(ofCommitID id: ObjectID) throws -> Position? {
    var key: [UInt8] = []
    key.append(id)
    guard let value = try snapshot.value(for: key.span.bytes, in: tables.commitIDs) else { return nil }
    var reader = ByteReader(value)
    return Position(try reader.fixed(UInt64.self))
  }
}

extension CommitView {
  /// Takes the bytes of the commit at a position apart, and says where damage is.
  @_lifetime(copy bytes)
  init(checking bytes: RawSpan, at position: Position) throws(StoreError) {
    do {
      try self.init(bytes)
    } catch {
      throw StoreError(error, at: position)
    }
    guard header.position == position else {
      throw StoreError(
        .damaged, "The commit under position \(position) says that it is \(header.position).",
        advice: "Run `daybook verify`, and restore a backup.")
    }
  }
}

/// The tables of the journal's environment.
package struct JournalTables: Sendable {
  package let journal: Table
  package let commitIDs: Table
  package let subscriptions: Table
  package let meta: Table

  package static let names = ["journal", "commit ids", "subscriptions", "meta"]

  /// - Parameter tables: In the order of ``names``.
  init(_ tables: [Table]) {
    precondition(tables.count == JournalTables.names.count, "There is a table for each name.")
    (journal, commitIDs, subscriptions, meta) = (tables[0], tables[1], tables[2], tables[3])
  }
}

/// The key of a chunk: position and number, big-endian.
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
