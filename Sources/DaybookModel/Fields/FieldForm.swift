/// The form of a field's payload; the low four bits of its header.
@usableFromInline
package enum FieldForm: UInt8, BitwiseCopyable, Sendable {
  /// An explicit null, where a missing field would mean the default of a later attribute.
  case null = 0
  /// Zigzag, variable length.
  case integer = 1
  /// Eight bytes, the IEEE 754 bits, big-endian.
  case double = 2
  /// Eight bytes, microseconds since 1970, big-endian.
  case date = 3
  case `false` = 4
  case `true` = 5
  /// UTF-8 after its length.
  case text = 6
  /// Bytes after their length.
  case data = 7
  /// Sixteen bytes.
  case uuid = 8
  /// Sign, exponent and coefficient after their length.
  ///
  /// The exponent is zigzag; the coefficient's bytes are big-endian, without leading zeros.
  case decimal = 9
  /// The target of a to-one relationship that the entity owns: sixteen bytes.
  case link = 10
  /// The same for an ordered inverse: after its length, the target and the order key.
  case orderedLink = 11
  /// A reference to data of more than 64 KiB: its SHA-256 and its size in eight bytes.
  case large = 12
  /// No field; only in events, as the old or the new side of a change.
  case absent = 15

  /// The form with a number, or `nil` if no form has it.
  @inlinable
  init?(bits: UInt8) {
    // A switch that the compiler makes of `init(rawValue:)` is not inlined in other modules.
    switch bits {
    case 0: self = .null
    case 1: self = .integer
    case 2: self = .double
    case 3: self = .date
    case 4: self = .false
    case 5: self = .true
    case 6: self = .text
    case 7: self = .data
    case 8: self = .uuid
    case 9: self = .decimal
    case 10: self = .link
    case 11: self = .orderedLink
    case 12: self = .large
    case 15: self = .absent
    default: return nil
    }
  }
}

/// A field of a record or an event, borrowed from its bytes.
///
/// A field is a header, the variable-length integer `tag << 4 | form`, and a payload. Fields follow each other by
/// rising tag, which is unique in a store, so two sequences of fields merge in one pass.
@usableFromInline
package struct FieldView: ~Escapable, BitwiseCopyable {
  @usableFromInline package let tag: Tag
  @usableFromInline package let form: FieldForm
  /// The payload without the length that may precede it.
  @usableFromInline package let payload: RawSpan
  /// Header and payload, as stored.
  @usableFromInline package let whole: RawSpan

  @inlinable
  @_lifetime(copy payload, copy whole)
  package init(tag: Tag, form: FieldForm, payload: RawSpan, whole: RawSpan) {
    self.tag = tag
    self.form = form
    self.payload = payload
    self.whole = whole
  }
}

extension FieldView {
  /// The value of an attribute's field; for a link, its target.
  ///
  /// - Throws: `MalformedBytes` if the payload is not a value.
  @inlinable
  @inline(__always)
  package func value() throws(MalformedBytes) -> Value {
    var reader = ByteReader(payload)
    switch form {
    case .null, .absent: return .null
    case .integer: return .integer(try reader.zigzag())
    case .double: return .double(Double(bitPattern: try reader.fixed(UInt64.self)))
    case .date: return .date(Timestamp(microseconds: try reader.fixed(Int64.self)))
    case .false: return .boolean(false)
    case .true: return .boolean(true)
    case .uuid, .link, .orderedLink: return .uuid(try reader.objectID())
    case .text, .data, .decimal, .large: return try variableValue()
    }
  }

  /// The value of a field whose payload has any length, or is rare.
  @usableFromInline
  func variableValue() throws(MalformedBytes) -> Value {
    switch form {
    case .data: return .data([UInt8](payload))
    case .large: return .large(try largeValue())
    case .decimal: return .decimal(try decimalParts().decimal)
    default:
      guard let text = String(validating: payload) else {
        throw MalformedBytes(offset: 0, expected: "text in UTF-8")
      }
      return .string(text)
    }
  }

  /// Checks that ``value()`` and ``target()`` can decode the payload.
  package func check() throws(MalformedBytes) {
    switch form {
    case .null, .absent, .integer, .double, .date, .false, .true, .data, .uuid, .link: return
    case .text: guard payload.isUTF8 else { throw MalformedBytes(offset: 0, expected: "text in UTF-8") }
    case .decimal: _ = try decimalParts()
    case .orderedLink: _ = try target()
    case .large: _ = try largeValue()
    }
  }

  /// The reference in the field of a large value.
  package func largeValue() throws(MalformedBytes) -> LargeValue {
    guard form == .large else { throw MalformedBytes(offset: 0, expected: "a large value") }
    return try LargeValue(payload: payload)
  }

  /// The parts of a decimal's field.
  package func decimalParts() throws(MalformedBytes) -> DecimalParts {
    var reader = ByteReader(payload)
    let sign = try reader.byte()
    let exponent = try reader.zigzag()
    guard sign <= 1, reader.remaining <= 16, let small = Int(exactly: exponent), (-999...999).contains(small)
    else {
      throw MalformedBytes(offset: reader.offset, expected: "a decimal")
    }
    var coefficient: UInt128 = 0
    while !reader.isAtEnd { coefficient = coefficient << 8 | UInt128(try reader.byte()) }
    let parts = DecimalParts(isNegative: sign == 1, coefficient: coefficient, exponent: small)
    // A number that no decimal can hold would become NaN, which has no place in any order.
    guard parts.isStorable else {
      throw MalformedBytes(offset: reader.offset, expected: "a decimal that can be stored")
    }
    return parts
  }

  /// The target of a link's field.
  @inlinable
  package func target() throws(MalformedBytes) -> ObjectID {
    guard form == .link || form == .orderedLink else { throw MalformedBytes(offset: 0, expected: "a link") }
    var reader = ByteReader(payload)
    return try reader.objectID()
  }

  /// The order key of a link's field; empty if the inverse has no order.
  @inlinable
  @_lifetime(copy self)
  package func orderKey() throws(MalformedBytes) -> RawSpan {
    guard form == .orderedLink else { return payload.extracting(0..<0) }
    guard payload.byteCount > ObjectID.byteCount else { throw MalformedBytes(offset: 0, expected: "an order key") }
    return payload.extracting(droppingFirst: ObjectID.byteCount)
  }
}
