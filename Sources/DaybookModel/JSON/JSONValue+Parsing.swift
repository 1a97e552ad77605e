extension JSONValue {
  /// The limit on the nesting of arrays and objects.
  package static let maximumDepth = 200
  /// The longest text that is parsed: 256 MiB, as large as a commit can be.
  package static let maximumByteCount = 256 << 20

  /// Parses a text with one JSON value (RFC 8259), which only white space may surround.
  ///
  /// - Throws: The error and its place: invalid JSON, invalid UTF-8 or a lone surrogate, a duplicate key, or a text
  ///   that is nested too deeply or too long.
  package init(parsing text: [UInt8]) throws(JSONError) {
    guard text.count <= JSONValue.maximumByteCount else {
      throw JSONError(
        "the text has \(text.count) bytes; \(JSONValue.maximumByteCount) are allowed", line: 1, column: 1)
    }
    if let offset = JSONParser.invalidOffset(in: text) {
      throw JSONError("a byte that is not UTF-8", at: offset, of: text)
    }
    var parser = JSONParser(text: text)
    self = try parser.document()
  }

  package init(parsing text: some StringProtocol) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }
}
