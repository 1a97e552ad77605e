/// The metadata of a commit, stored before its events.
///
/// | bytes | meaning |
/// |---|---|
/// | 1 | version of the format |
/// | 1 | flags, see ``Flag`` |
/// | 8 | position |
/// | 32 | SHA-256 of the previous commit's header; zeros for the first |
/// | 32 | SHA-256 of the body |
/// | 8 | recorded time, microseconds since 1970 |
/// | variable | number of events |
/// | variable | size of the body in bytes |
/// | 16 | commit id, if flagged |
/// | 8 | time when it happened, if flagged |
/// | variable | author, text after its length, if flagged |
/// | variable | message, likewise |
/// | variable | in version 2: why the commit was written, see ``CommitReasons`` |
///
/// A header without reasons has version 1, so that a store without them is readable by earlier programs.
///
/// The body follows: the events, or for a commit of the model its JSON.
package struct CommitHeader: Hashable, Sendable {
  package var position: Position
  package var previousHash: Digest
  package var bodyDigest: Digest
  /// The time when the store wrote the commit; it never decreases.
  package var recordedAt: Timestamp
  /// The time when the change happened according to the writer; it may decrease.
  package var happenedAt: Timestamp?
  /// The writer's own name for the commit, which identifies a repeated write.
  package var commitID: ObjectID?
  package var author: String?
  package var message: String?
  package var eventCount: Int
  package var bodySize: Int
  /// Whether the body is a model instead of events.
  package var isModel: Bool
  /// Why the commit was written; empty for a header of version 1.
  package var reasons: CommitReasons

  /// The newest version that this code writes and reads.
  package static let formatVersion: UInt8 = 2

  package init(
    position: Position, previousHash: Digest, bodyDigest: Digest, recordedAt: Timestamp, happenedAt: Timestamp?,
    commitID: ObjectID?, author: String?, message: String?, eventCount: Int, bodySize: Int, isModel: Bool,
    reasons: CommitReasons = CommitReasons()
  ) {
    self.position = position
    self.previousHash = previousHash
    self.bodyDigest = bodyDigest
    self.recordedAt = recordedAt
    self.happenedAt = happenedAt
    self.commitID = commitID
    self.author = author
    self.message = message
    self.eventCount = eventCount
    self.bodySize = bodySize
    self.isModel = isModel
    self.reasons = reasons
  }

  /// The version in which the header is written: the earliest one that has all its parts.
  package var version: UInt8 { reasons.isEmpty ? 1 : 2 }

  /// The time that objects receive from the commit: `happenedAt`, or else `recordedAt`.
  package var time: Timestamp { happenedAt ?? recordedAt }

  private enum Flag {
    static let isModel: UInt8 = 1
    static let hasCommitID: UInt8 = 2
    static let hasHappenedAt: UInt8 = 4
    static let hasAuthor: UInt8 = 8
    static let hasMessage: UInt8 = 16
    static let all: UInt8 = 31
  }
}

extension CommitHeader {
  /// Reads a header from the start of a commit's bytes.
  ///
  /// - Returns: The header and its size in bytes, which is also the offset of the body.
  /// - Throws: `CommitFault.newerFormat` if a newer version wrote it, `.malformed` if it is not a header.
  package static func read(_ bytes: RawSpan) throws(CommitFault) -> (header: CommitHeader, size: Int) {
    var reader = ByteReader(bytes)
    do {
      let version = try reader.byte()
      if version > formatVersion { throw CommitFault.newerFormat(version) }
      guard version > 0 else { throw MalformedBytes(offset: 0, expected: "version 1 to \(formatVersion)") }
      return (try CommitHeader(reading: &reader, version: version), reader.offset)
    } catch let fault as MalformedBytes {
      throw .malformed(fault)
    } catch let fault as CommitFault {
      throw fault
    } catch {
      preconditionFailure("Only the two errors above are thrown: \(error)")
    }
  }

  private init(reading reader: inout ByteReader, version: UInt8) throws(MalformedBytes) {
    let flags = try reader.byte()
    guard flags & ~Flag.all == 0 else { throw MalformedBytes(offset: 1, expected: "known flags") }
    isModel = flags & Flag.isModel != 0
    position = Position(try reader.fixed(UInt64.self))
    previousHash = try Digest(reading: &reader)
    bodyDigest = try Digest(reading: &reader)
    recordedAt = Timestamp(microseconds: try reader.fixed(Int64.self))
    eventCount = try reader.count()
    bodySize = try reader.count()
    commitID = flags & Flag.hasCommitID != 0 ? try reader.objectID() : nil
    happenedAt = flags & Flag.hasHappenedAt != 0 ? Timestamp(microseconds: try reader.fixed(Int64.self)) : nil
    author = flags & Flag.hasAuthor != 0 ? try reader.text() : nil
    message = flags & Flag.hasMessage != 0 ? try reader.text() : nil
    reasons = version > 1 ? try CommitReasons(reading: &reader) : CommitReasons()
    guard bodySize <= CommitLimits.maximumSizeInBytes, eventCount <= CommitLimits.maximumEventCount else {
      throw MalformedBytes(offset: reader.offset, expected: "a commit within the limits")
    }
  }

  /// Appends the header's bytes.
  package func append(to bytes: inout [UInt8]) {
    var flags: UInt8 = isModel ? Flag.isModel : 0
    if commitID != nil { flags |= Flag.hasCommitID }
    if happenedAt != nil { flags |= Flag.hasHappenedAt }
    if author != nil { flags |= Flag.hasAuthor }
    if message != nil { flags |= Flag.hasMessage }
    bytes.append(version)
    bytes.append(flags)
    bytes.appendFixed(position.number)
    bytes.append(previousHash)
    bytes.append(bodyDigest)
    bytes.appendFixed(recordedAt.microseconds)
    bytes.appendVarint(UInt64(eventCount))
    bytes.appendVarint(UInt64(bodySize))
    if let commitID { bytes.append(commitID) }
    if let happenedAt { bytes.appendFixed(happenedAt.microseconds) }
    if let author { bytes.appendText(author) }
    if let message { bytes.appendText(message) }
    if !reasons.isEmpty { reasons.append(to: &bytes) }
  }
}

/// The reason why a commit's bytes cannot be used.
package enum CommitFault: Error, Hashable {
  /// A newer version of Daybook wrote the commit, in a format unknown to this version.
  case newerFormat(UInt8)
  case malformed(MalformedBytes)
}

/// The limits of a commit; a larger one is refused, never split.
package enum CommitLimits {
  /// Events in one commit.
  package static let maximumEventCount = 1_000_000
  /// Bytes of a commit: header and events.
  package static let maximumSizeInBytes = 256 << 20
  /// Bytes of one value of the journal; a larger commit continues in further values.
  package static let chunkSizeInBytes = 1 << 20
  /// Bytes of an author.
  package static let maximumAuthorSizeInBytes = 64 << 10
  /// Bytes of a message.
  package static let maximumMessageSizeInBytes = 16 << 20
  /// Bytes of a correlation.
  package static let maximumCorrelationSizeInBytes = 200
  /// Bytes of an order key; a longer key would require renumbering its list.
  package static let maximumOrderKeySizeInBytes = 64
}

extension CommitHeader {
  /// Reads the number of events from the start of a commit's bytes.
  ///
  /// It reads no field of variable length, so it is cheap and a first chunk suffices.
  package static func eventCount(_ bytes: RawSpan) throws(CommitFault) -> Int {
    var reader = ByteReader(bytes)
    do {
      let version = try reader.byte()
      if version > formatVersion { throw CommitFault.newerFormat(version) }
      _ = try reader.take(eventCountOffset - 1)
      return try reader.count()
    } catch let fault as MalformedBytes {
      throw .malformed(fault)
    } catch let fault as CommitFault {
      throw fault
    } catch {
      preconditionFailure("Only the two errors above are thrown: \(error)")
    }
  }

  /// The offset after version, flags, position, two digests and the recorded time.
  private static let eventCountOffset = 1 + 1 + 8 + 2 * Digest.byteCount + 8
}
