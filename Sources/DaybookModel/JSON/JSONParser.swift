/// Reads JSON from start to end; the text must be valid UTF-8.
struct JSONParser {
  let text: [UInt8]
  let maximumDepth: Int
  var offset = 0
  private var depth = 0

  init(text: [UInt8], maximumDepth: Int = JSONValue.maximumDepth) {
    self.text = text
    self.maximumDepth = maximumDepth
    // A byte order mark has no meaning in UTF-8, and some editors write one.
    if text.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
  }

  /// Returns the offset of the first byte that does not belong to valid UTF-8, or `nil` if all bytes do.
  static func invalidOffset(in text: [UInt8]) -> Int? {
    text.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        // Most texts are ASCII, which is checked by eight bytes at a time.
        if bytes.count - offset >= 8,
          bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          offset += 8
        } else if bytes[offset] < 0x80 {
          offset += 1
        } else if let size = scalarSize(at: offset, in: bytes) {
          offset += size
        } else {
          return offset
        }
      }
      return nil
    }
  }

  /// Returns the number of bytes of a scalar outside ASCII, or `nil` if they are not well formed.
  ///
  /// The ranges exclude surrogates and longer forms than needed; see the Unicode Standard, table 3-7.
  private static func scalarSize(at offset: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    let (size, second): (Int, ClosedRange<UInt8>)
    switch bytes[offset] {
    case 0xc2...0xdf: (size, second) = (2, 0x80...0xbf)
    case 0xe0: (size, second) = (3, 0xa0...0xbf)
    case 0xe1...0xec, 0xee, 0xef: (size, second) = (3, 0x80...0xbf)
    case 0xed: (size, second) = (3, 0x80...0x9f)
    case 0xf0: (size, second) = (4, 0x90...0xbf)
    case 0xf1...0xf3: (size, second) = (4, 0x80...0xbf)
    case 0xf4: (size, second) = (4, 0x80...0x8f)
    default: return nil
    }
    guard bytes.count - offset >= size, second.contains(bytes[offset + 1]) else { return nil }
    return bytes[(offset + 2)..<(offset + size)].allSatisfy { $0 & 0xc0 == 0x80 } ? size : nil
  }

  mutating func document() throws(JSONError) -> JSONValue {
    let value = try value()
    skipSpace()
    guard offset == text.count else { throw error("nothing may follow the value, but \(here) does") }
    return value
  }

  mutating func value() throws(JSONError) -> JSONValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in .object(try parser.object()) }
    case UInt8(ascii: "["): return try nested { parser throws(JSONError) in .array(try parser.array()) }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: return try word()
    }
  }

  private mutating func nested(
    _ read: (inout JSONParser) throws(JSONError) -> JSONValue
  ) throws(JSONError) -> JSONValue {
    guard depth < maximumDepth else {
      throw error("nested more than \(maximumDepth) deep")
    }
    depth += 1
    offset += 1
    let value = try read(&self)
    depth -= 1
    return value
  }

  private mutating func array() throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return elements }
    while true {
      elements.append(try value())
      skipSpace()
      if take(UInt8(ascii: "]")) { return elements }
      guard take(UInt8(ascii: ",")) else { throw error("expected “,” or “]”, but found \(here)") }
    }
  }

  private mutating func object() throws(JSONError) -> [(key: String, value: JSONValue)] {
    var members: [(key: String, value: JSONValue)] = []
    var keys = KeySet()
    skipSpace()
    if take(UInt8(ascii: "}")) { return members }
    while true {
      skipSpace()
      let start = offset
      guard next == UInt8(ascii: "\"") else { throw error("expected a key in quotes, but found \(here)") }
      let key = try string()
      guard keys.insert(key, besides: members) else {
        throw JSONError("the key “\(key)” is there twice", at: start, of: text)
      }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw error("expected “:” after the key, but found \(here)") }
      members.append((key: key, value: try value()))
      skipSpace()
      if take(UInt8(ascii: "}")) { return members }
      guard take(UInt8(ascii: ",")) else { throw error("expected “,” or “}”, but found \(here)") }
    }
  }

  private mutating func word() throws(JSONError) -> JSONValue {
    let words: [(String, JSONValue)] = [("null", .null), ("true", .boolean(true)), ("false", .boolean(false))]
    for (word, value) in words where text[offset...].starts(with: word.utf8) {
      offset += word.utf8.count
      return value
    }
    throw error("expected a JSON value, but found \(here)")
  }
}

extension JSONParser {
  /// The next byte, or zero at the end, which no rule expects.
  var next: UInt8 { offset < text.count ? text[offset] : 0 }

  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte, offset < text.count else { return false }
    offset += 1
    return true
  }

  mutating func skipSpace() {
    while offset < text.count {
      switch text[offset] {
      case 0x20, 0x0a, 0x0d, 0x09: offset += 1
      default: return
      }
    }
  }

  /// The text at the current offset, for messages.
  var here: String {
    guard offset < text.count else { return "the end" }
    let rest = String(decoding: text[offset..<min(offset + 16, text.count)], as: UTF8.self)
    return rest.first.map { "“\($0)”" } ?? "the end"
  }

  func error(_ message: String) -> JSONError { JSONError(message, at: offset, of: text) }
}

/// The keys of one object, by their bytes: few keys are compared one by one, many are hashed.
private struct KeySet {
  private var hashed: Set<[UInt8]> = []
  private static let fewKeys = 8

  /// Adds a key; returns `false` if it is a duplicate.
  mutating func insert(_ key: String, besides members: [(key: String, value: JSONValue)]) -> Bool {
    if members.count < KeySet.fewKeys { return !members.contains { equalBytes($0.key, key) } }
    if hashed.isEmpty { hashed.formUnion(members.map { Array($0.key.utf8) }) }
    return hashed.insert(Array(key.utf8)).inserted
  }
}

/// The reason why a text is not JSON, and the place.
package struct JSONError: Error, Hashable, Sendable {
  /// The fault, and what was expected.
  package let message: String
  /// The line, from 1.
  package let line: Int
  /// The column, from 1, counted in code points.
  package let column: Int

  package init(_ message: String, line: Int, column: Int) {
    self.message = message
    self.line = line
    self.column = column
  }

  /// Creates an error at a byte of a text; bytes that are not UTF-8 count unchanged.
  init(_ message: String, at offset: Int, of text: [UInt8]) {
    let before = text[..<min(offset, text.count)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
    self.message = message
    line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    column = before[lineStart...].reduce(1) { $1 & 0xc0 == 0x80 ? $0 : $0 + 1 }
  }
}

extension JSONError: CustomStringConvertible {
  package var description: String { "line \(line), column \(column): \(message)" }
}
