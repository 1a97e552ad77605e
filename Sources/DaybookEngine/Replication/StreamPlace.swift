import DaybookModel

/// How far a node has folded the stream: a row of the journal, written with the commits of the messages.
package struct StreamPlace: Hashable, Sendable {
  /// When the stream was created, in nanoseconds since 1970: a stream that replaced another one has other messages.
  package var created: Int64
  /// The last message that was folded; 0 for none.
  package var sequence: UInt64 = 0
  /// The SHA-256 of that message, by which a node sees that the stream has another one in its place.
  package var digest = Digest.zero
  /// The last commit that the messages up to there hold.
  package var position = Position.empty
  /// How many messages were skipped.
  package var skippedCount: UInt64 = 0

  package static let key = Array("stream place".utf8)

  package init(created: Int64) {
    self.created = created
  }

  package init(_ bytes: [UInt8]) throws(MalformedBytes) {
    var reader = ByteReader(bytes.rawSpan)
    created = try reader.fixed(Int64.self)
    sequence = try reader.fixed(UInt64.self)
    digest = try Digest(reading: &reader)
    position = Position(try reader.fixed(UInt64.self))
    skippedCount = try reader.fixed(UInt64.self)
  }

  /// Returns whether a stream has the last message that was folded.
  ///
  /// - Parameter digest: Returns the SHA-256 of a message, or `nil` if the stream has none of that number.
  package func isPresent(_ digest: (UInt64) throws -> Digest?) rethrows -> Bool {
    try sequence == 0 || digest(sequence) == self.digest
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendFixed(created)
    bytes.appendFixed(sequence)
    bytes.append(digest)
    bytes.appendFixed(position.number)
    bytes.appendFixed(skippedCount)
    return bytes
  }
}
