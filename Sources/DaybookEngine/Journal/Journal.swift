import DaybookModel
import LMDB

/// The totally ordered record of commits, as read by projections and feeds.
///
/// This is the interface for distribution: its users do not depend on whether commits come from LMDB or from a
/// replicated journal.
package protocol Journal {
  /// The position of the last commit; ``Position/empty`` without commits.
  func head() throws -> Position

  /// Returns the header of one commit with its hash, after comparing the hash with the seal.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the journal lacks the commit, or its header is damaged.
  func header(at position: Position) throws -> (header: CommitHeader, hash: Digest)

  /// Reads one commit, after comparing it with its seal and its digest.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the journal lacks the commit, or the commit is damaged.
  func withCommit<Result>(at position: Position, _ body: (CommitView) throws -> Result) throws -> Result

  /// Reads commits in order until `body` returns false; compares each with its seal and digest.
  ///
  /// - Parameters:
  ///   - first: The position of the first commit; at least 1.
  ///   - last: The position of the last commit; `nil` for the head.
  func forEachCommit(
    from first: Position, through last: Position?, _ body: (CommitView) throws -> Bool
  ) throws

  /// Returns the positions at which the model changed, rising.
  func modelPositions() throws -> [Position]

  /// Whether all of its commits are read by one model, so that a walk need not end at a commit of a model.
  var isReadByOneModel: Bool { get }

  /// Returns the position of the commit with an id, or `nil` if no commit has it.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the commit at this position has another id.
  func position(ofCommitID id: ObjectID) throws -> Position?
}

extension Journal {
  package var isReadByOneModel: Bool { false }

  /// Reads the commits of events that lead from one position to another, forward or backward.
  ///
  /// The walk ends at a commit of a model, which changes how events are read: the caller adapts its state to the model
  /// and walks on.
  ///
  /// - Parameter body: Receives each commit to fold; returns `false` to end the walk before that commit.
  /// - Returns: The position reached: before the first commit that was not folded, or, when walking back, at it.
  package func walk(
    from start: Position, to end: Position, _ body: (CommitView) throws -> Bool
  ) throws -> Position {
    var position = start
    if start < end {
      try forEachCommit(from: start.next, through: end) { commit in
        guard try !endsWalk(commit) && body(commit) else { return false }
        position = commit.header.position
        return true
      }
    }
    while position > end, try withCommit(at: position, { try !endsWalk($0) && body($0) }) {
      position = Position(position.number - 1)
    }
    return position
  }

  private func endsWalk(_ commit: CommitView) -> Bool { commit.header.isModel && !isReadByOneModel }

  /// Returns the position of a commit that is named by position or id, or `nil` if no commit has the id.
  package func position(of commit: CommitReference) throws -> Position? {
    switch commit {
    case .position(let position): position
    case .commitID(let id): try position(ofCommitID: id)
    }
  }

  package func model(at position: Position) throws -> ResolvedModel {
    try withCommit(at: position) { commit in
      guard commit.header.isModel else {
        throw StoreError(.damaged, "Commit \(position) should be a model.", advice: .verify)
      }
      return try ResolvedModel(body: commit.body, at: position)
    }
  }
}

/// A commit, borrowed from the journal.
package struct CommitView: ~Escapable {
  package let header: CommitHeader
  /// Header, body and seal, as stored.
  package let bytes: RawSpan
  /// The encoded header; its SHA-256 is the commit's hash.
  package let headerBytes: RawSpan
  /// The events; for a commit of a model, its JSON.
  package let body: RawSpan
  /// The events of the commit and, after them, those by which projections changed derived entities because of it.
  ///
  /// A commit of a model has only the latter. A journal without derived changes has none of them.
  package let eventBytes: RawSpan
  /// The first bytes of the hash, as written with the commit.
  package let seal: CommitSeal

  /// Splits a commit's bytes into header, body and seal.
  ///
  /// - Throws: `CommitFault` if the bytes are not a commit.
  @_lifetime(copy bytes)
  package init(_ bytes: RawSpan) throws(CommitFault) {
    let (header, size) = try CommitHeader.read(bytes)
    let end = bytes.byteCount - CommitSeal.byteCount
    guard end - size == header.bodySize else {
      throw .malformed(MalformedBytes(offset: size, expected: "\(header.bodySize) bytes of events and a seal"))
    }
    do {
      seal = try CommitSeal(bytes.extracting(end..<bytes.byteCount))
    } catch {
      throw .malformed(error)
    }
    self.header = header
    self.bytes = bytes
    headerBytes = bytes.extracting(first: size)
    body = bytes.extracting(size..<end)
    eventBytes = header.isModel ? body.extracting(first: 0) : body
  }

  /// Makes the view of a commit with the changes of derived entities.
  @unsafe
  @_lifetime(immortal)
  init(unsafe commit: borrowing CommitView, eventBytes: UnsafeBytes) {
    header = commit.header
    unsafe bytes = commit.bytes.unsafeBytes.unsafeSpan
    unsafe headerBytes = commit.headerBytes.unsafeBytes.unsafeSpan
    unsafe body = commit.body.unsafeBytes.unsafeSpan
    seal = commit.seal
    unsafe self.eventBytes = eventBytes.unsafeSpan
  }

  /// The events in ``eventBytes``, from first to last.
  package var events: EventReader {
    @_lifetime(copy self)
    get { EventReader(eventBytes, position: header.position, time: header.time) }
  }

  /// The hash of the commit: SHA-256 of its header.
  package var hash: Digest { Digest(hashing: headerBytes) }

  /// The damage found by comparing digests, as half a sentence, or `nil` without damage.
  ///
  /// - Complexity: O(*n*) for *n* bytes: see ``Digest/init(hashing:)``.
  package var damage: String? {
    if seal != CommitSeal(hash) { return "its header is damaged: its hash is not the one in its seal" }
    if Digest(hashing: body) != header.bodyDigest { return "its body is damaged: its digest differs" }
    return nil
  }
}

extension CommitView {
  /// Throws if the commit is not the one at a position, or does not match its seal and its digest.
  func check(at position: Position) throws(StoreError) {
    guard header.position == position else {
      throw StoreError(
        .damaged, "The commit under position \(position) records position \(header.position).",
        advice: .verifyAndRestore)
    }
    if let damage { throw StoreError(damaged: position, "is damaged: \(damage)") }
  }
}
