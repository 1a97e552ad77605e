extension ByteReader {
  /// Reads the tag of a record's entity.
  @usableFromInline
  mutating func recordEntity() throws(MalformedBytes) -> Tag {
    let start = offset
    guard let number = UInt16(exactly: try varint()), number > 0 else {
      throw MalformedBytes(offset: start, expected: "the tag of an entity")
    }
    return Tag(number)
  }
}
