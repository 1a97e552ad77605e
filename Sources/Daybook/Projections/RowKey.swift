import DaybookModel

import struct Crypto.SHA256

/// The keys of the rows in the built-in projections: tags and identities big-endian, so that rows which belong together
/// lie together.
package enum RowKey {
  /// An object's row.
  package static func object(_ tag: Tag, _ id: ObjectID, into key: inout [UInt8]) {
    key.removeAll(keepingCapacity: true)
    key.appendFixed(tag.number)
    key.append(id)
  }

  /// What all links of one relationship from one source begin with.
  package static func links(_ relationship: Tag, from source: ObjectID, into key: inout [UInt8]) {
    object(relationship, source, into: &key)
  }

  /// One link's row. An ordered relationship has an order key between source and target, ended by a zero, which no
  /// order key holds.
  package static func link(
    _ relationship: Tag, from source: ObjectID, orderKey: RawSpan, to target: ObjectID, into key: inout [UInt8]
  ) {
    place(relationship, from: source, orderKey: orderKey, into: &key)
    key.append(target)
  }

  /// What the row of a link at a place of an ordered relationship begins with; the target's identity follows.
  package static func place(
    _ relationship: Tag, from source: ObjectID, orderKey: RawSpan, into key: inout [UInt8]
  ) {
    object(relationship, source, into: &key)
    guard !orderKey.isEmpty else { return }
    key.append(bytes: orderKey)
    key.append(0)
  }

  /// The size of the tag and the identity that object and link rows begin with.
  package static let headSize = 2 + ObjectID.byteCount

  /// The identity that a link's or a view's row ends with.
  package static func trailingID(of key: RawSpan) throws(MalformedBytes) -> ObjectID {
    guard key.byteCount >= headSize else { throw MalformedBytes(offset: 0, expected: "the key of a row") }
    var reader = ByteReader(key.extracting(droppingFirst: key.byteCount - ObjectID.byteCount))
    return try reader.objectID()
  }

  /// The identity that an object's or a link's row begins with, behind the tag.
  package static func leadingID(of key: RawSpan) throws(MalformedBytes) -> ObjectID {
    guard key.byteCount >= headSize else { throw MalformedBytes(offset: 0, expected: "the key of a row") }
    var reader = ByteReader(key.extracting(2..<headSize))
    return try reader.objectID()
  }

  /// The identity in a constraint's row.
  package static func objectID(of value: RawSpan) throws(MalformedBytes) -> ObjectID {
    var reader = ByteReader(value)
    return try reader.objectID()
  }

  /// The order key in a link's row; empty where the relationship has no order.
  @_lifetime(copy key)
  package static func orderKey(of key: RawSpan) -> RawSpan {
    let end = key.byteCount - ObjectID.byteCount - 1
    return end > headSize ? key.extracting(headSize..<end) : key.extracting(0..<0)
  }

  /// Finishes a view's row, whose key holds the tag and the terms: cuts the terms to the space and appends the id.
  package static func finishView(_ id: ObjectID, key: inout [UInt8]) {
    let limit = 2 + SortKey.maximumTermsSize
    if key.count > limit { key.removeLast(key.count - limit) }
    key.append(id)
  }

  /// Finishes a constraint's row, whose key holds the tag and the values: what is long is replaced by its digest.
  package static func finishUnique(key: inout [UInt8]) {
    guard key.count > 2 + maximumUniqueSize else { return }
    let digest = SHA256.hash(data: key[2...])
    key.removeSubrange(2...)
    key.append(contentsOf: digest)
  }

  /// Values of a constraint that are longer than this, in bytes, are kept as their SHA-256.
  package static let maximumUniqueSize = 400

  /// The first key behind all keys that begin with `prefix`, or nil if there is none.
  package static func successor(ofPrefix prefix: [UInt8]) -> [UInt8]? {
    var key = prefix
    while let last = key.popLast() {
      if last < 255 {
        key.append(last + 1)
        return key
      }
    }
    return nil
  }
}
