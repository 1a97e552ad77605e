import DaybookModel

extension RecordView {
  /// Appends the bytes by which an attribute's value sorts, ascending.
  ///
  /// Goes from the record's bytes to the key's without making a value, except where a string has a collation.
  func appendSortKey(_ attribute: ResolvedAttribute, to key: inout [UInt8]) throws {
    guard let field = try FieldReader.field(attribute.tag, in: fields) else {
      return SortKey.append(attribute.missingValue, order: attribute.order, to: &key)
    }
    switch field.form {
    case .text where attribute.order == .codepoint:
      key.append(1)
      SortKey.appendEscaped(field.payload, to: &key)
      SortKey.appendEnd(to: &key)
    case .integer:
      var reader = ByteReader(field.payload)
      SortKey.append(integer: try reader.zigzag(), to: &key)
    default: SortKey.append(try field.value(), order: attribute.order, to: &key)
    }
  }

  /// The value of an attribute.
  package func value(of attribute: ResolvedAttribute) throws -> Value {
    try FieldReader.field(attribute.tag, in: fields)?.value() ?? attribute.missingValue
  }
}

extension RecordView {
  /// Whether an attribute has no value.
  func isNull(_ attribute: ResolvedAttribute) throws -> Bool {
    guard let field = try FieldReader.field(attribute.tag, in: fields) else { return attribute.missingValue.isNull }
    return field.form == .null
  }
}

extension ResolvedAttribute {
  /// What an attribute is where its object's record has no field for it.
  package var missingValue: Value {
    guard let derivation else { return valueWhenMissing }
    switch derivation.kind {
    case .count: return .integer(0)
    case .sum: return type == .double ? .double(0) : type == .decimal ? .decimal(0) : .integer(0)
    case .minimum, .maximum: return .null
    }
  }
}
