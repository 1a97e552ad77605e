import Foundation

/// The order of values as a comparison; ``SortKey`` is the same order as bytes.
///
/// Null is least; false comes before true; numbers compare numerically, dates by time, identities and data by bytes,
/// strings by their collation and then by UTF-8 bytes. Data of more than 64 KiB comes after all shorter data, by its
/// SHA-256, because its bytes need not be at hand. Values of different types, which one attribute never has, are
/// ordered by type so that the order is total.
package enum ValueOrder {
  /// Compares two values.
  ///
  /// - Returns: A number below, equal to or above zero.
  package static func compare(_ a: Value, _ b: Value, order: StringOrder = .codepoint) -> Int {
    switch (a, b) {
    case (.null, .null): 0
    case (.string(let a), .string(let b)): compare(a, b, order: order)
    case (.integer(let a), .integer(let b)): three(a, b)
    case (.double(let a), .double(let b)): three(a, b)
    case (.decimal(let a), .decimal(let b)): three(a, b)
    case (.boolean(let a), .boolean(let b)): three(a ? 1 : 0, b ? 1 : 0)
    case (.date(let a), .date(let b)): three(a, b)
    case (.uuid(let a), .uuid(let b)): three(a, b)
    case (.data, .data), (.data, .large), (.large, .data), (.large, .large): compareData(a, b)
    default: three(rank(a), rank(b))
    }
  }

  private static func compareData(_ a: Value, _ b: Value) -> Int {
    switch (digest(ofLarge: a), digest(ofLarge: b)) {
    case (let a?, let b?): return compareBytes(a.bytes.rawSpan, b.bytes.rawSpan)
    case (nil, .some): return -1
    case (.some, nil): return 1
    case (nil, nil):
      guard case .data(let a) = a, case .data(let b) = b else { return 0 }
      return compareBytes(a.rawSpan, b.rawSpan)
    }
  }

  /// Returns the digest of large data, or `nil` for any other value.
  private static func digest(ofLarge value: Value) -> Digest? {
    switch value {
    case .large(let value): value.sha256
    case .data(let bytes) where value.isLarge: Digest(hashing: bytes.rawSpan)
    default: nil
    }
  }

  /// Compares two strings.
  package static func compare(_ a: String, _ b: String, order: StringOrder) -> Int {
    if order != .codepoint {
      var keys: (a: [UInt8], b: [UInt8]) = ([], [])
      Collation.appendKey(of: a, order: order, to: &keys.a)
      Collation.appendKey(of: b, order: order, to: &keys.b)
      let result = compareBytes(keys.a.rawSpan, keys.b.rawSpan)
      if result != 0 { return result }
    }
    return compareBytes(a, b)
  }

  private static func three<Number: Comparable>(_ a: Number, _ b: Number) -> Int {
    a < b ? -1 : a == b ? 0 : 1
  }

  private static func rank(_ value: Value) -> Int {
    switch value {
    case .null: 0
    case .boolean: 1
    case .integer: 2
    case .double: 3
    case .decimal: 4
    case .date: 5
    case .string: 6
    case .uuid: 7
    case .data, .large: 8
    }
  }
}
