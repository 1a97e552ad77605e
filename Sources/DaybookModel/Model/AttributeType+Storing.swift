extension AttributeType {
  /// Whether a value is stored unchanged, without a check or a conversion.
  @inlinable
  package func takesAsIs(_ value: Value) -> Bool {
    switch value {
    case .string: self == .string
    case .integer: self == .integer
    case .boolean: self == .boolean
    case .date: self == .date
    case .uuid: self == .uuid
    case .null, .double, .decimal, .data, .large: false
    }
  }
}
