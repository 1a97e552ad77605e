import DaybookModel

import struct Crypto.SHA256

/// The keys of the rows in the built-in projections.
///
/// Tags and identities are big-endian, so that related rows are adjacent.
package enum RowKey {
  /// Returns the beginning of the keys of all rows of a tag.
  package static func prefix(of tag: Tag) -> [UInt8] {
    var key: [UInt8] = []
    key.appendFixed(tag.number)
    return key
  }

  /// Builds the key of an object's row.
  package static func object(_ tag: Tag, _ id: ObjectID, into key: inout [UInt8]) {
    key.removeAll(keepingCapacity: true)
    key.append(tag, id)
  }

  /// Builds the prefix of the keys of all links of one relationship from one source.
  package static func links(_ relationship: Tag, from source: ObjectID, into key: inout [UInt8]) {
    object(relationship, source, into: &key)
  }

  /// Builds the key of a link's row.
  ///
  /// An ordered relationship has an order key between source and target, ended by a zero, which no order key contains.
  package static func link(
    _ relationship: Tag, from source: ObjectID, orderKey: RawSpan, to target: ObjectID, into key: inout [UInt8]
  ) {
    place(relationship, from: source, orderKey: orderKey, into: &key)
    key.append(target)
  }

  /// Builds the beginning of the key of a link at a place of an ordered relationship.
  ///
  /// The target's identity follows.
  package static func place(
    _ relationship: Tag, from source: ObjectID, orderKey: RawSpan, into key: inout [UInt8]
  ) {
    object(relationship, source, into: &key)
    guard !orderKey.isEmpty else { return }
    key.append(bytes: orderKey)
    key.append(0)
  }

  /// The size of the tag and the identity at the beginning of object and link rows.
  package static let headSize = 2 + ObjectID.byteCount

  /// Returns the identity at the end of a link's or an index's row.
  package static func trailingID(of key: RawSpan) throws(MalformedBytes) -> ObjectID {
    guard key.byteCount >= headSize else { throw MalformedBytes(offset: 0, expected: "the key of a row") }
    var reader = ByteReader(key.extracting(droppingFirst: key.byteCount - ObjectID.byteCount))
    return try reader.objectID()
  }

  /// Returns the identity after the tag at the beginning of an object's or a link's row.
  package static func leadingID(of key: RawSpan) throws(MalformedBytes) -> ObjectID {
    guard key.byteCount >= headSize else { throw MalformedBytes(offset: 0, expected: "the key of a row") }
    var reader = ByteReader(key.extracting(2..<headSize))
    return try reader.objectID()
  }

  /// Returns the identity in a constraint's row.
  package static func objectID(of value: RawSpan) throws(MalformedBytes) -> ObjectID {
    var reader = ByteReader(value)
    return try reader.objectID()
  }

  /// Returns the order key in a link's row, which is empty if the relationship has no order.
  @_lifetime(copy key)
  package static func orderKey(of key: RawSpan) -> RawSpan {
    let end = key.byteCount - ObjectID.byteCount - 1
    return end > headSize ? key.extracting(headSize..<end) : key.extracting(0..<0)
  }

  /// Completes an index's key, which holds the tag and the terms.
  ///
  /// The terms are cut to the available space, and the id is appended.
  package static func finishIndexKey(_ id: ObjectID, key: inout [UInt8]) {
    let limit = 2 + SortKey.maximumTermsSize
    if key.count > limit { key.removeLast(key.count - limit) }
    key.append(id)
  }

  /// Completes a constraint's key, which holds the tag and the values.
  ///
  /// Long values are replaced by their digest.
  package static func finishUnique(key: inout [UInt8]) {
    guard key.count > 2 + maximumUniqueSize else { return }
    let digest = SHA256.hash(data: key[2...])
    key.removeSubrange(2...)
    key.append(contentsOf: digest)
  }

  /// The largest size of a constraint's values in bytes; longer ones are replaced by a SHA-256.
  package static let maximumUniqueSize = 400

  /// Returns the first key after all keys that begin with `prefix`, or `nil` if no key is greater.
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

extension RowKey {
  /// Returns the identity at the end of a sorted key.
  package static func trailingID(ofSorted key: [UInt8]) throws(MalformedBytes) -> ObjectID {
    guard key.count >= ObjectID.byteCount else { throw MalformedBytes(offset: 0, expected: "a sorted key") }
    var reader = ByteReader(key.rawSpan.extracting(droppingFirst: key.count - ObjectID.byteCount))
    return try reader.objectID()
  }
}
