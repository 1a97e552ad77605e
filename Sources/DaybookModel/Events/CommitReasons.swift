/// The part of a commit's header that records why the commit was written.
///
/// A header has it only if it is not empty, and then has version 2.
///
/// | bytes | meaning |
/// |---|---|
/// | 1 | flags, see ``Flag``; at least one |
/// | variable | metadata, canonical JSON after its length, if flagged |
/// | variable | the position of the causing commit, if flagged |
/// | 16 | the commit id of the causing commit, if flagged |
/// | variable | correlation, text after its length, if flagged |
/// | variable | the positions of the commits that it undoes or redoes, if flagged, see ``PositionList`` |
package struct CommitReasons: Hashable, Sendable {
  /// The canonical JSON of the metadata, which is decoded on demand; empty without metadata.
  package var metadata: [UInt8] = []
  /// The commit that caused this one, as its writer named it.
  package var causation: CommitReference?
  /// The name that all commits of one flow share.
  package var correlation: String?
  /// The commits that this one undoes; a commit that undoes some redoes none.
  package var undoes = PositionList()
  /// The commits that this one redoes.
  package var redoes = PositionList()

  package init() {}

  package var isEmpty: Bool {
    metadata.isEmpty && causation == nil && correlation == nil && !namesCommits
  }

  /// Whether the commit is an undo or a redo; only such a commit may have no events.
  package var namesCommits: Bool { !undoes.isEmpty || !redoes.isEmpty }

  /// Decodes the metadata.
  ///
  /// - Throws: `MetadataFault` if they are damaged.
  package func decodedMetadata() throws(MetadataFault) -> CommitMetadata {
    metadata.isEmpty ? CommitMetadata() : try CommitMetadata(canonicalBytes: metadata)
  }

  private enum Flag {
    static let hasMetadata: UInt8 = 1
    static let hasCausingPosition: UInt8 = 2
    static let hasCausingID: UInt8 = 4
    static let hasCorrelation: UInt8 = 8
    static let undoes: UInt8 = 16
    static let redoes: UInt8 = 32
    static let all: UInt8 = 63
  }
}

extension CommitReasons {
  init(reading reader: inout ByteReader) throws(MalformedBytes) {
    let start = reader.offset
    let flags = try reader.byte()
    let causes = Flag.hasCausingPosition | Flag.hasCausingID
    let named = Flag.undoes | Flag.redoes
    guard flags > 0, flags & ~Flag.all == 0, flags & causes != causes, flags & named != named else {
      throw MalformedBytes(offset: start, expected: "known flags")
    }
    if flags & Flag.hasMetadata != 0 {
      let run = try reader.run()
      guard run.byteCount > 0, run.byteCount <= CommitMetadata.maximumSizeInBytes else {
        throw MalformedBytes(offset: start, expected: "metadata within the limits")
      }
      metadata = [UInt8](run)
    }
    if flags & Flag.hasCausingPosition != 0 { causation = .position(Position(try reader.varint())) }
    if flags & Flag.hasCausingID != 0 { causation = .commitID(try reader.objectID()) }
    if flags & Flag.hasCorrelation != 0 { correlation = try reader.text() }
    if flags & Flag.undoes != 0 { undoes = try PositionList(reading: &reader) }
    if flags & Flag.redoes != 0 { redoes = try PositionList(reading: &reader) }
  }

  /// Appends the bytes; the reasons must not be empty.
  func append(to bytes: inout [UInt8]) {
    assert(!isEmpty && (undoes.isEmpty || redoes.isEmpty))
    var flags: UInt8 = 0
    if !metadata.isEmpty { flags |= Flag.hasMetadata }
    if case .position = causation { flags |= Flag.hasCausingPosition }
    if case .commitID = causation { flags |= Flag.hasCausingID }
    if correlation != nil { flags |= Flag.hasCorrelation }
    if !undoes.isEmpty { flags |= Flag.undoes } else if !redoes.isEmpty { flags |= Flag.redoes }
    bytes.append(flags)
    if !metadata.isEmpty { bytes.appendRun(metadata.rawSpan) }
    switch causation {
    case .position(let position): bytes.appendVarint(position.number)
    case .commitID(let id): bytes.append(id)
    case nil: break
    }
    if let correlation { bytes.appendText(correlation) }
    if !undoes.isEmpty { undoes.append(to: &bytes) } else if !redoes.isEmpty { redoes.append(to: &bytes) }
  }
}
