/// Reads the words and paths of one line of a stream from left to right.
///
/// Each function returns `nil` for text that it cannot read, and the caller reports the command.
struct LineScanner {
  private var rest: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>) {
    rest = line
  }

  /// Reads the bytes up to the next space, which it skips, or to the end.
  mutating func word() -> ArraySlice<UInt8>? {
    let end = rest.firstIndex(of: UInt8(ascii: " ")) ?? rest.endIndex
    guard end > rest.startIndex else { return nil }
    defer { rest = rest[end...].dropFirst() }
    return rest[..<end]
  }

  /// Reads a path that ends at the next space unless it is quoted, as in a rename or a copy.
  mutating func sourcePath() -> GitPath? {
    guard rest.first == UInt8(ascii: "\"") else {
      return word().flatMap { Self.path(Array($0)) }
    }
    guard let bytes = quotedBytes(), rest.first == UInt8(ascii: " ") else { return nil }
    rest.removeFirst()
    return Self.path(bytes)
  }

  /// Reads a path that is the rest of the line, including spaces, unless it is quoted.
  ///
  /// The empty path, which is the root, must be quoted.
  mutating func lastPath() -> GitPath? {
    guard rest.first == UInt8(ascii: "\"") else {
      return rest.isEmpty ? nil : Self.path(Array(rest))
    }
    guard let bytes = quotedBytes(), rest.isEmpty else { return nil }
    return Self.path(bytes)
  }

  private static func path(_ bytes: [UInt8]) -> GitPath? {
    let path = GitPath(bytes: bytes)
    return path.isValid ? path : nil
  }

  /// Reads a string in C's quotes.
  ///
  /// Git writes names with control characters, quotes or bytes above 0x7F in this form.
  private mutating func quotedBytes() -> [UInt8]? {
    rest.removeFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return bytes
      case UInt8(ascii: "\\"):
        guard let escaped = escapedByte() else { return nil }
        bytes.append(escaped)
      default: bytes.append(byte)
      }
    }
    return nil
  }

  private mutating func escapedByte() -> UInt8? {
    guard let byte = rest.popFirst() else { return nil }
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "\""): return byte
    case UInt8(ascii: "a"): return 7
    case UInt8(ascii: "b"): return 8
    case UInt8(ascii: "t"): return 9
    case UInt8(ascii: "n"): return 10
    case UInt8(ascii: "v"): return 11
    case UInt8(ascii: "f"): return 12
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "0")...UInt8(ascii: "3"): return octalByte(first: byte)
    default: return nil
    }
  }

  /// Reads the second and third digit; the first is at most 3, so that the value is a byte.
  private mutating func octalByte(first: UInt8) -> UInt8? {
    var value = first - UInt8(ascii: "0")
    for _ in 0..<2 {
      guard let digit = rest.popFirst(), (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(digit) else { return nil }
      value = value << 3 | (digit - UInt8(ascii: "0"))
    }
    return value
  }
}
