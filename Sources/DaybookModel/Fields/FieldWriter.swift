import Foundation

/// Appending the fields that ``FieldReader`` reads.
extension [UInt8] {
  @inlinable
  package mutating func appendFieldHeader(_ tag: Tag, _ form: FieldForm) {
    appendVarint(UInt64(tag.number) &<< 4 | UInt64(form.rawValue))
  }

  /// Appends an attribute's field; for ``Value/null`` an explicit null.
  package mutating func appendField(_ tag: Tag, _ value: Value) {
    switch value {
    case .null: appendFieldHeader(tag, .null)
    case .string(let text):
      appendFieldHeader(tag, .text)
      appendText(text)
    case .integer(let number):
      appendFieldHeader(tag, .integer)
      appendZigzag(number)
    case .double(let number):
      appendFieldHeader(tag, .double)
      appendFixed((number == 0 ? 0.0 : number).bitPattern)
    case .decimal(let number):
      appendFieldHeader(tag, .decimal)
      append(DecimalParts(number))
    case .boolean(let flag): appendFieldHeader(tag, flag ? .true : .false)
    case .date(let time):
      appendFieldHeader(tag, .date)
      appendFixed(time.microseconds)
    case .uuid(let id):
      appendFieldHeader(tag, .uuid)
      append(id)
    case .data(let bytes):
      appendFieldHeader(tag, .data)
      appendRun(bytes.rawSpan)
    case .large(let value):
      appendFieldHeader(tag, .large)
      append(value.sha256)
      appendFixed(UInt64(value.size))
    }
  }

  /// Appends a link's field; the order key is passed if and only if the inverse is ordered.
  package mutating func appendLink(_ tag: Tag, target: ObjectID, orderKey: RawSpan? = nil) {
    guard let orderKey else {
      appendFieldHeader(tag, .link)
      append(target)
      return
    }
    appendFieldHeader(tag, .orderedLink)
    appendVarint(UInt64(ObjectID.byteCount + orderKey.byteCount))
    append(target)
    append(bytes: orderKey)
  }

  private mutating func append(_ decimal: DecimalParts) {
    var payload: [UInt8] = [decimal.isNegative ? 1 : 0]
    payload.appendZigzag(Int64(decimal.exponent))
    Swift.withUnsafeBytes(of: decimal.coefficient.bigEndian) { payload.append(contentsOf: $0.drop { $0 == 0 }) }
    appendRun(payload.rawSpan)
  }

  /// Appends `base` with the field of one tag replaced, or removed if `field` is `nil`.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  package mutating func appendFields(
    _ base: RawSpan, replacing tag: Tag, with field: RawSpan?
  ) throws(MalformedBytes) {
    var reader = FieldReader(base)
    var copied = 0
    var resume = base.byteCount
    while !reader.isAtEnd {
      let start = reader.reader.offset
      let present = try reader.next()
      if present.tag < tag {
        copied = reader.reader.offset
        continue
      }
      resume = present.tag == tag ? reader.reader.offset : start
      break
    }
    append(bytes: base.extracting(0..<copied))
    if let field { append(bytes: field) }
    append(bytes: base.extracting(resume..<base.byteCount))
  }

  /// The side of a change to apply.
  package enum ChangeSide: Sendable { case old, new }

  /// Appends `base` with the changes of a `renamed` or `set` event applied.
  ///
  /// - Parameter changes: For each attribute, by rising tag, its old field and then its new one.
  /// - Complexity: O(*n*) for *n* bytes.
  package mutating func appendFields(
    _ base: RawSpan, applying changes: RawSpan, side: ChangeSide
  ) throws(MalformedBytes) {
    var base = FieldReader(base)
    var changes = FieldReader(changes)
    var pending = base.isAtEnd ? nil : try base.next()
    while !changes.isAtEnd {
      let old = try changes.next()
      let new = try changes.next()
      while let field = pending, field.tag < old.tag {
        append(bytes: field.whole)
        pending = base.isAtEnd ? nil : try base.next()
      }
      if let field = pending, field.tag == old.tag { pending = base.isAtEnd ? nil : try base.next() }
      let chosen = side == .old ? old.form : new.form
      if chosen != .absent { append(bytes: side == .old ? old.whole : new.whole) }
    }
    while let field = pending {
      append(bytes: field.whole)
      pending = base.isAtEnd ? nil : try base.next()
    }
  }
}
