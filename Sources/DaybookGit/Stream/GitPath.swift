/// A path as git stores it: bytes with `/` between the names, in no particular encoding.
///
/// Two paths are the same only if their bytes are. Swift's `String` compares by canonical equivalence, which would
/// merge two files whose names differ in normalisation, so a path stays bytes until its names are written to the store.
package struct GitPath: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The names between the slashes; none for the root, which is the empty path.
  var names: [ArraySlice<UInt8>] {
    guard !bytes.isEmpty else { return [] }
    return bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  }

  /// Whether the bytes form a path: no empty name, and no zero byte.
  var isValid: Bool {
    var previous = UInt8(ascii: "/")
    for byte in bytes {
      if byte == 0 || (byte == UInt8(ascii: "/") && previous == byte) { return false }
      previous = byte
    }
    return bytes.isEmpty || previous != UInt8(ascii: "/")
  }
}

extension GitPath: ExpressibleByStringLiteral, CustomStringConvertible {
  package init(stringLiteral value: String) {
    bytes = Array(value.utf8)
  }

  /// The path as readable text, for error messages.
  package var description: String {
    String(decoding: bytes, as: UTF8.self)
  }
}
