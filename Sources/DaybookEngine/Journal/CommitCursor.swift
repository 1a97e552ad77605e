import DaybookModel
import LMDB

/// Reads the commits of a journal one after the other, and compares each with its seal and its digest.
///
///     var commits = try CommitCursor(journal, from: 1, through: head)
///     while let commit = try commits.next() { show(commit.header) }
///
/// A caller that loops over the events of each commit has no closure around its loop, so the compiler can make one piece
/// of code of the decoding and of what the caller does with an event.
///
/// A long walk compares the digests on a second thread, ahead of the reader: see ``CheckAhead``. Errors are thrown in
/// the order of the commits nevertheless.
@usableFromInline
package struct CommitCursor: ~Copyable {
  private let journal: LMDBJournal
  private var cursor: Cursor
  /// The position of the commit that the LMDB cursor reaches next.
  private var position: Position
  private let last: Position?
  private var place = Place.beforeStart
  /// The bytes of the present commit, if it is stored in several chunks.
  private var joined: [UInt8] = []
  /// The events of the present commit, if the journal has changes of derived entities.
  private var eventBytes: [UInt8] = []
  /// The bytes read so far, of commits that were checked on this thread.
  private var sizeInBytes = 0
  private let mayCheckAhead: Bool
  private let checkedCommits: CheckedCommits
  private var ahead: CheckAhead?
  /// An error that was met while commits were gathered, which the commits before it precede.
  private var failure: (any Error)?

  /// The seal of the commit that was read last, or `nil` before the first one.
  private var formerSeal: CommitSeal?

  /// Where the LMDB cursor stands.
  private enum Place { case beforeStart, onRead, onNext }

  /// The bytes of a walk after which a second thread checks the commits; a shorter walk would not repay the thread.
  private static let soloSizeInBytes = 2 << 20

  /// - Parameters:
  ///   - first: The position of the first commit; at least 1.
  ///   - last: The position of the last commit; `nil` for the head.
  package init(_ journal: LMDBJournal, from first: Position, through last: Position?) throws {
    self.journal = journal
    cursor = try journal.snapshot.makeCursor(in: journal.tables.journal)
    position = first
    self.last = last
    checkedCommits = journal.tables.checkedCommits
    // The bytes that a write transaction has changed may move.
    mayCheckAhead = !journal.snapshot.isWritable && HelperThread.isUseful
  }

  /// Returns the next commit, or `nil` after the last one.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the journal lacks the commit, or the commit is damaged.
  @_lifetime(&self)
  package mutating func next() throws -> CommitView? {
    if let commit = nextAhead() { return try unsafe view(of: commit.bytes, at: commit.position, commit.isChecked) }
    guard try move() else { return nil }
    guard try JournalKey(cursor.key) == JournalKey(position: position, chunk: 0) else {
      throw StoreError(missing: position)
    }
    let present = position
    position = following
    place = .onRead
    sizeInBytes += cursor.value.byteCount
    // The bytes are the cursor's, or the array's, and both change only with the next call.
    if cursor.value.byteCount < CommitLimits.chunkSizeInBytes {
      let bytes = unsafe cursor.value.unsafeBytes
      return try unsafe view(of: bytes, at: present, false)
    }
    try join(present)
    let bytes = unsafe joined.rawSpan.unsafeBytes
    return try unsafe view(of: bytes, at: present, false)
  }

  /// Returns the events of the next commit that has events, or `nil` after the last commit.
  ///
  /// - Throws: As ``next()`` does.
  @usableFromInline
  @_lifetime(&self)
  package mutating func nextEvents() throws -> EventReader? {
    while let commit = try next() {
      if commit.header.isModel { continue }
      return unsafe EventReader(
        commit.body.unsafeBytes.unsafeSpan, position: commit.header.position, time: commit.header.time)
    }
    return nil
  }

  /// The position after the next commit; it wraps, because the key of a damaged row may hold any number.
  private var following: Position { Position(position.number &+ 1) }

  @_lifetime(immortal)
  private mutating func view(of bytes: UnsafeBytes, at position: Position, _ isChecked: Bool) throws -> CommitView {
    let commit = try unsafe checkedView(of: bytes, at: position, isChecked)
    // The seal is the beginning of the hash that the next header repeats.
    if let formerSeal, formerSeal != CommitSeal(commit.header.previousHash) {
      throw StoreError(damaged: position, "does not follow the commit before it: that one has another hash")
    }
    formerSeal = commit.seal
    if journal.derivedChanges.isEmpty { return commit }
    eventBytes.removeAll(keepingCapacity: true)
    eventBytes.append(bytes: commit.eventBytes)
    for changes in journal.derivedChanges { try changes.appendEvents(at: position, to: &eventBytes) }
    // The bytes are the array's, which changes only with the next call.
    return unsafe CommitView(unsafe: commit, eventBytes: eventBytes.rawSpan.unsafeBytes)
  }

  @_lifetime(immortal)
  private func checkedView(of bytes: UnsafeBytes, at position: Position, _ isChecked: Bool) throws -> CommitView {
    let commit: CommitView
    do {
      commit = try unsafe CommitView(bytes.unsafeSpan)
    } catch {
      throw journal.error(error, at: position)
    }
    let isSound = unsafe isChecked || checkedCommits.contains(bytes.unsafeSpan, at: position)
    if !isSound { try commit.check(at: position) }
    return commit
  }

  /// Moves to the next commit, unless the cursor stands on it.
  ///
  /// - Returns: Whether there is one.
  private mutating func move() throws -> Bool {
    if let failure { throw failure }
    guard last.map({ position <= $0 }) ?? true else { return false }
    let isFound =
      switch place {
      case .onNext: true
      case .onRead: try cursor.moveToNext()
      case .beforeStart: try cursor.seek(atOrAfter: JournalKey(position: position, chunk: 0).bytes.rawSpan)
      }
    // The end of the table is not the end of the journal where a damaged page ends the walk.
    if !isFound, try position <= journal.head() { throw StoreError(missing: position) }
    return isFound
  }

  /// Joins the chunks of a commit from the cursor at its first one; leaves the cursor at its last one.
  private mutating func join(_ position: Position) throws {
    var bytes = [UInt8](cursor.value)
    var chunk: UInt32 = 1
    // The last chunk is the first one that is not full; if the last part fills its chunk, an empty chunk follows.
    while bytes.count == Int(chunk) * CommitLimits.chunkSizeInBytes {
      guard try cursor.moveToNext(), try JournalKey(cursor.key) == JournalKey(position: position, chunk: chunk),
        bytes.count <= CommitLimits.maximumSizeInBytes
      else {
        throw StoreError(damaged: position, "lacks its chunk \(chunk)")
      }
      bytes.append(bytes: cursor.value)
      chunk += 1
    }
    joined = bytes
  }
}

/// Checking commits ahead of the reader.
extension CommitCursor {
  /// Returns the next commit that was checked ahead, or `nil` if the next one is to be read at the LMDB cursor.
  private mutating func nextAhead() -> CheckAhead.Commit? {
    guard let ahead else {
      if mayCheckAhead, sizeInBytes >= CommitCursor.soloSizeInBytes { ahead = CheckAhead() }
      return nil
    }
    if let commit = ahead.next() { return commit }
    repeat { gather(for: ahead) } while ahead.turn() && !ahead.isReady
    return ahead.next()
  }

  /// Adds the commits that follow to a batch, up to one that is missing or stored in several chunks.
  private mutating func gather(for ahead: CheckAhead) {
    do {
      while !ahead.isFull, try move() {
        place = .onNext
        guard try JournalKey(cursor.key) == JournalKey(position: position, chunk: 0),
          cursor.value.byteCount < CommitLimits.chunkSizeInBytes
        else { return }
        unsafe ahead.add(cursor.value.unsafeBytes, at: position)
        position = following
        place = .onRead
      }
    } catch {
      failure = error
    }
  }
}
