extension Value {
  /// Returns the value with its bytes if it is a reference, and unchanged otherwise.
  ///
  /// - Throws: `LargeValueFault`; the errors of the source.
  package func loaded() throws -> Value {
    guard case .large(let value) = self else { return self }
    return .data(try value.requireSource().bytes(of: value))
  }

  /// Returns the value; a reference reads its bytes from a source.
  package func reading(from source: (any LargeValueSource)?) -> Value {
    guard case .large(let value) = self, source != nil else { return self }
    return .large(value.reading(from: source))
  }

  /// Whether the value is data of more bytes than are stored in events and records.
  package var isLarge: Bool {
    switch self {
    case .large: true
    case .data(let bytes): bytes.count > LargeValue.thresholdInBytes
    default: false
    }
  }
}
