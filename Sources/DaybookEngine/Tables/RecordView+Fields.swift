import DaybookModel

extension RecordView {
  /// Appends the bytes by which an attribute's value sorts, ascending.
  ///
  /// The record's bytes are converted to the key's without creating a value, except for a string with a collation.
  func appendSortKey(_ attribute: ResolvedAttribute, order: StringOrder, to key: inout [UInt8]) throws {
    if order == .codepoint, try appendSortKey(tag: attribute.tag, to: &key) { return }
    SortKey.append(try value(of: attribute), order: order, to: &key)
  }

  /// Appends the bytes by which a field sorts, if they follow from the field's own bytes.
  ///
  /// - Returns: Whether they do; if not, nothing was appended.
  func appendSortKey(tag: Tag, to key: inout [UInt8]) throws -> Bool {
    guard let field = try FieldReader.field(tag, in: fields) else { return false }
    var reader = ByteReader(field.payload)
    switch field.form {
    case .text:
      key.append(1)
      SortKey.appendEscaped(field.payload, to: &key)
      SortKey.appendEnd(to: &key)
    case .integer: SortKey.append(integer: try reader.zigzag(), to: &key)
    case .date: SortKey.append(integer: try reader.fixed(Int64.self), to: &key)
    default: return false
    }
    return true
  }

  /// Returns the target of a to-one link that the record holds, whether or not it exists.
  func target(of link: Tag) throws -> ObjectID? { try FieldReader.field(link, in: fields)?.target() }

  /// Returns the value of an attribute.
  package func value(of attribute: ResolvedAttribute) throws -> Value {
    try FieldReader.field(attribute.tag, in: fields)?.value() ?? attribute.missingValue
  }
}

extension RecordView {
  /// Returns whether an attribute has no value.
  package func isNull(_ attribute: ResolvedAttribute) throws -> Bool {
    guard let field = try FieldReader.field(attribute.tag, in: fields) else { return attribute.missingValue.isNull }
    return field.form == .null
  }

  /// Returns the record with only the fields to keep, or `nil` if all fields are kept.
  package func keepingFields(where isKept: (Tag) -> Bool) throws -> [UInt8]? {
    var changed: [UInt8] = []
    changed.appendRecordHead(stamps, of: entity)
    var reader = FieldReader(fields)
    var isChanged = false
    while !reader.isAtEnd {
      let field = try reader.next()
      if isKept(field.tag) { changed.append(bytes: field.whole) } else { isChanged = true }
    }
    return isChanged ? changed : nil
  }
}
