import DaybookModel

/// A message of a stream, with its number in it.
///
/// The first message names the store and holds its first model. Every other one holds a part of a payload: whole commits
/// that were published together. Most payloads have one part; a payload that is larger than the server's limit has
/// several, which follow each other.
package struct StreamMessage: Hashable, Sendable {
  /// The number of the message; the first one has 1.
  package let sequence: UInt64
  package let bytes: [UInt8]

  package init(sequence: UInt64, bytes: [UInt8]) {
    self.sequence = sequence
    self.bytes = bytes
  }
}

/// The content of a message.
package enum StreamContent: Hashable, Sendable {
  /// The store that the stream belongs to, and the payload with its first commit.
  case identity(ObjectID, payload: [UInt8])
  case part(StreamPart)

  private static let version: UInt8 = 1

  /// - Throws: `MalformedBytes` for bytes of another program, or of a later version.
  package init(_ bytes: [UInt8]) throws(MalformedBytes) {
    var reader = ByteReader(bytes.rawSpan)
    guard try reader.byte() == StreamContent.version else {
      throw MalformedBytes(offset: 0, expected: "version \(StreamContent.version) of a message")
    }
    switch try reader.byte() {
    case 0:
      let store = try StreamContent.readID(&reader)
      self = .identity(store, payload: Array(bytes[reader.offset...]))
    case 1:
      let attempt = try StreamContent.readID(&reader)
      let (index, count) = (try reader.varint(), try reader.varint())
      guard index < count, count <= StreamPart.maximumCount else {
        throw MalformedBytes(offset: reader.offset, expected: "the number of a part")
      }
      self = .part(
        StreamPart(
          attempt: attempt, index: Int(index), count: Int(count), bytes: Array(bytes[reader.offset...])))
    default: throw MalformedBytes(offset: 1, expected: "the kind of a message")
    }
  }

  private static func readID(_ reader: inout ByteReader) throws(MalformedBytes) -> ObjectID {
    ObjectID(high: try reader.fixed(UInt64.self), low: try reader.fixed(UInt64.self))
  }

  /// The bytes of the message.
  package var bytes: [UInt8] {
    var bytes = [StreamContent.version]
    switch self {
    case .identity(let store, let payload):
      bytes.append(0)
      bytes.append(store)
      bytes += payload
    case .part(let part):
      bytes.append(1)
      bytes.append(part.attempt)
      bytes.appendVarint(UInt64(part.index))
      bytes.appendVarint(UInt64(part.count))
      bytes += part.bytes
    }
    return bytes
  }
}

/// A part of a payload.
package struct StreamPart: Hashable, Sendable {
  /// A random number of the attempt to publish the payload: parts of different attempts never join.
  package let attempt: ObjectID
  package let index: Int
  package let count: Int
  package let bytes: [UInt8]

  package init(attempt: ObjectID, index: Int, count: Int, bytes: [UInt8]) {
    (self.attempt, self.index, self.count, self.bytes) = (attempt, index, count, bytes)
  }

  /// The most parts of a payload.
  package static let maximumCount: UInt64 = 1 << 20
  /// The most bytes of a message besides the bytes of its part: version, kind, attempt, index and count, and the headers
  /// that the publisher adds.
  package static let overheadInBytes = 512

  /// The most parts of an announcement: a write that runs longer lets others be faster.
  package static let maximumAnnouncement = 16

  /// Returns an empty part, by which other nodes wait for a write that is still running.
  ///
  /// The count of an announcement is never reached, so that all of its parts are skipped.
  ///
  /// - Parameter index: Less than ``maximumAnnouncement``.
  package static func announcement(_ attempt: ObjectID, index: Int) -> StreamPart {
    assert(index < maximumAnnouncement)
    return StreamPart(attempt: attempt, index: index, count: maximumAnnouncement + 1, bytes: [])
  }

  /// Returns the message by which others wait no more for an announcement: a payload without bytes, which is skipped.
  package static func withdrawal(of attempt: ObjectID) -> StreamPart {
    StreamPart(attempt: attempt, index: 0, count: 1, bytes: [])
  }

  /// Splits a payload into parts for messages of a limited size.
  package static func parts(of payload: [UInt8], attempt: ObjectID, messageSizeInBytes: Int) -> [StreamPart] {
    let size = max(messageSizeInBytes - overheadInBytes, 1)
    let count = max((payload.count + size - 1) / size, 1)
    return (0..<count).map { index in
      let bytes = payload[(index * size)..<min((index + 1) * size, payload.count)]
      return StreamPart(attempt: attempt, index: index, count: count, bytes: Array(bytes))
    }
  }
}
