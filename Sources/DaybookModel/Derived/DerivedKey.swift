/// The key of a derived object: what its identity is made from.
package struct DerivedKey: Hashable, Sendable {
  /// The values of the key's fields, in their order and in stored form; a link is the identity of its target.
  package let values: [Value]
  /// The encoded values: a field for each, with the number of its place, from 1, as its tag.
  package let bytes: [UInt8]

  /// - Throws: `ValueError` for a value that is not of its field's type.
  package init(_ values: [Value], types: [AttributeType]) throws(ValueError) {
    // In the common case all values are in stored form, and the array is not copied.
    var (stored, bytes): ([Value], [UInt8]) = (values, [])
    bytes.reserveCapacity(values.count * 20)
    for number in values.indices {
      if !values[number].isNull, !types[number].takesAsIs(values[number]) {
        stored[number] = try values[number].normalized(as: types[number])
      }
      bytes.appendField(Tag(UInt16(number + 1)), stored[number])
    }
    (self.values, self.bytes) = (stored, bytes)
  }

  /// The identity of the object with this key.
  ///
  /// It is a UUID of version 8 (RFC 9562, section 5.8) with bits of the SHA-256 over the names of the projection and of
  /// the entity and the encoded key, each after its length as a varint: the same in each process and after each rebuild.
  package func objectID(of entity: String, in projection: String) -> ObjectID {
    var input: [UInt8] = []
    input.reserveCapacity(projection.utf8.count + entity.utf8.count + bytes.count + 6)
    input.appendText(projection)
    input.appendText(entity)
    input.appendRun(bytes.rawSpan)
    return ObjectID(hashing: input.rawSpan)
  }
}
