import DaybookModel

/// Where the journal of a node and the stream differ: a row of the journal, until the fork is resolved.
package struct StreamFork: Hashable, Sendable {
  /// The first position at which they differ.
  package let position: Position
  /// The hash of the node's own commit.
  package let own: Digest
  /// The hash of the stream's commit.
  package let stream: Digest

  package static let key = Array("stream fork".utf8)

  package init(position: Position, own: Digest, stream: Digest) {
    (self.position, self.own, self.stream) = (position, own, stream)
  }

  package init(_ bytes: [UInt8]) throws(MalformedBytes) {
    var reader = ByteReader(bytes.rawSpan)
    position = Position(try reader.fixed(UInt64.self))
    own = try Digest(reading: &reader)
    stream = try Digest(reading: &reader)
  }

  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendFixed(position.number)
    bytes.append(own)
    bytes.append(stream)
    return bytes
  }

  /// The error of writes, and of following, while the node is forked.
  package var error: StoreError {
    StoreError(
      .conflict,
      "The journal of this node and the stream differ from commit \(position) on: it is \(own) here and \(stream) there.",
      advice: .resolveFork)
  }
}
