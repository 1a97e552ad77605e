/// Reads a sequence of fields, without copying and without trusting the bytes.
@usableFromInline
package struct FieldReader: ~Escapable, BitwiseCopyable {
  @usableFromInline var reader: ByteReader

  @inlinable
  @_lifetime(copy bytes)
  package init(_ bytes: RawSpan) {
    reader = ByteReader(bytes)
  }

  @inlinable
  package var isAtEnd: Bool { reader.isAtEnd }

  /// The number of unread bytes.
  @inlinable
  package var remaining: Int { reader.remaining }

  /// Reads the next field.
  ///
  /// - Throws: `MalformedBytes` if the bytes end within a field, or a field's form is unknown to this version.
  @inlinable
  @inline(__always)
  @_lifetime(copy self)
  package mutating func next() throws(MalformedBytes) -> FieldView {
    let start = reader.offset
    let header = try reader.varint()
    guard let number = UInt16(exactly: header &>> 4), let form = FieldForm(bits: UInt8(truncatingIfNeeded: header & 15))
    else { throw MalformedBytes(offset: start, expected: "the header of a field") }
    let payload: RawSpan
    switch form {
    case .null, .false, .true, .absent: payload = try reader.take(0)
    case .integer:
      let first = reader.offset
      _ = try reader.varint()
      payload = reader.run(from: first)
    case .double, .date: payload = try reader.take(8)
    case .uuid, .link: payload = try reader.take(ObjectID.byteCount)
    case .text, .data, .decimal, .orderedLink: payload = try reader.run()
    case .large: payload = try reader.take(LargeValue.encodedSizeInBytes)
    }
    return FieldView(tag: Tag(number), form: form, payload: payload, whole: reader.run(from: start))
  }

  /// Returns the field with a tag among fields by rising tag, or `nil` if no field has it.
  ///
  /// - Complexity: O(*n*) for the *n* fields with a smaller tag.
  @inlinable
  @_lifetime(copy bytes)
  package static func field(_ tag: Tag, in bytes: RawSpan) throws(MalformedBytes) -> FieldView? {
    var reader = FieldReader(bytes)
    while !reader.isAtEnd {
      let field = try reader.next()
      if field.tag == tag { return field }
      if field.tag > tag { return nil }
    }
    return nil
  }
}
