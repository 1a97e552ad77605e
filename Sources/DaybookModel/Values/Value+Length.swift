extension Value {
  /// The number of Unicode scalars of a string, or of bytes of data; `nil` for other values.
  package var length: Int? {
    switch self {
    case .string(let text): text.unicodeScalars.count
    case .data(let bytes): bytes.count
    case .large(let value): value.size
    default: nil
    }
  }
}
