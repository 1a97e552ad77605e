import DaybookModel

/// The totally ordered record of commits, as projections and feeds read it.
///
/// This is the seam for distribution: what is above it does not know whether commits come from LMDB or from a
/// replicated journal.
package protocol Journal {
  /// The position of the last commit; ``Position/empty`` if there is none.
  func head() throws -> Position

  /// The header of one commit, and its hash, which was compared with the seal.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the journal has no such commit, or its header is not what was
  ///   written.
  func header(at position: Position) throws -> (header: CommitHeader, hash: Digest)

  /// Reads one commit, which was compared with its seal and its digest.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the journal has no such commit, or it is not what was written.
  func withCommit<Result>(at position: Position, _ body: (CommitView) throws -> Result) throws -> Result

  /// Reads commits in order, each compared with its seal and its digest, until `body` returns false.
  ///
  /// - Parameters:
  ///   - first: The position of the first commit; at least 1.
  ///   - last: The position of the last one; nil for the head.
  func forEachCommit(
    from first: Position, through last: Position?, _ body: (CommitView) throws -> Bool
  ) throws

  /// The positions at which the model changed, from 1 up.
  func modelPositions() throws -> [Position]
}

extension Journal {
  /// The model that a commit brought.
  package func model(at position: Position) throws -> ResolvedModel {
    try withCommit(at: position) { commit in
      guard commit.header.isModel else {
        throw StoreError(.damaged, "Commit \(position) should be a model.", advice: "Run `daybook verify`.")
      }
      return try ResolvedModel(body: commit.body, at: position)
    }
  }
}

/// A commit, borrowed from the journal.
package struct CommitView: ~Escapable {
  package let header: CommitHeader
  /// The header as it was written; its SHA-256 is the commit's hash.
  package let headerBytes: RawSpan
  /// The events; for a commit of the model its JSON.
  package let body: RawSpan
  /// What was written as the beginning of the hash.
  package let seal: CommitSeal

  /// Takes a commit's bytes apart: header, body and seal.
  ///
  /// - Throws: `CommitFault` if they are not those of a commit.
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
    headerBytes = bytes.extracting(first: size)
    body = bytes.extracting(size..<end)
  }

  /// The events, from first to last.
  package var events: EventReader {
    @_lifetime(copy self)
    get { EventReader(body, position: header.position, time: header.time) }
  }

  /// The hash of the commit: SHA-256 of its header.
  package var hash: Digest { Digest(hashing: headerBytes) }

  /// What is not as it was written, as half a sentence; nil if all is.
  ///
  /// - Complexity: O(*n*) for *n* bytes: see ``Digest/init(hashing:)``.
  package var damage: String? {
    if seal != CommitSeal(hash) { return "its header is damaged: its hash is not the one in its seal" }
    if Digest(hashing: body) != header.bodyDigest { return "its body is damaged: its digest differs" }
    return nil
  }
}
