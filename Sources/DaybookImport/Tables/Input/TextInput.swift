#if Import

/// A text in pieces of valid UTF-8, with the place of the next byte.
///
/// It detects the encoding by the byte order mark, and removes the mark. The memory does not depend on the length of the
/// text.
struct TextInput {
  private var source: any ImportByteSource
  private let named: TextEncoding?
  private var decoder: TextDecoder?
  private var isAtEnd = false
  private var fault: String?
  let file: String?

  /// The current piece.
  private(set) var bytes: [UInt8] = []
  /// The index of the next byte in the piece.
  var index = 0
  /// The line of the next byte, from 1: CR, LF, and CR with LF end a line.
  private(set) var line = 1
  /// The column of the next byte, from 1, in code points.
  private(set) var column = 1
  /// Whether the last byte was CR, so that LF belongs to the same end of a line.
  private(set) var isAfterReturn = false

  private static let readSize = 128 << 10

  init(_ source: any ImportByteSource, encoding: TextEncoding? = nil, file: String? = nil) {
    self.source = source
    named = encoding
    self.file = file
  }

  /// The place of the next byte.
  var place: TextPlace { TextPlace(line: line, column: column) }

  /// Makes the next byte available at `index`; returns `false` at the end of the text.
  ///
  /// - Throws: `ImportError` if the file cannot be read, or if the next bytes are invalid in the encoding.
  mutating func fill() throws(ImportError) -> Bool {
    while index == bytes.count {
      if let fault {
        throw error(
          .data, fault,
          advice: "correct the file, or name its encoding, such as latin1")
      }
      guard !isAtEnd else { return false }
      try readPiece()
    }
    return true
  }

  private mutating func readPiece() throws(ImportError) {
    index = 0
    guard decoder != nil else { return try readFirstPiece() }
    let raw = try source.read(upTo: TextInput.readSize)
    decode(raw)
  }

  private mutating func decode(_ raw: [UInt8]) {
    isAtEnd = raw.isEmpty
    // The decoder is set before the first piece is decoded.
    let piece = decoder!.decode(raw, isEnd: isAtEnd)
    bytes = piece.text
    fault = piece.fault
  }

  /// Reads the byte order mark and the bytes after it.
  private mutating func readFirstPiece() throws(ImportError) {
    var raw: [UInt8] = []
    while raw.count < 4 {
      let more = try source.read(upTo: TextInput.readSize)
      if more.isEmpty { break }
      raw += more
    }
    let encoding = try encoding(of: raw)
    decoder = TextDecoder(encoding.encoding, offset: encoding.markSize)
    raw.removeFirst(encoding.markSize)
    if raw.isEmpty { bytes = [] } else { decode(raw) }
  }

  /// Returns the encoding, and the number of bytes of its byte order mark.
  private func encoding(of raw: [UInt8]) throws(ImportError) -> (encoding: TextEncoding, markSize: Int) {
    if named == .latin1 || named == .windows1252 { return (named!, 0) }
    if raw.starts(with: [0xff, 0xfe, 0, 0]) || raw.starts(with: [0, 0, 0xfe, 0xff]) {
      throw error(.usage, "the text is in UTF-32, which is not read", advice: "convert it to UTF-8")
    }
    let found: (encoding: TextEncoding, markSize: Int)? =
      raw.starts(with: [0xef, 0xbb, 0xbf])
      ? (.utf8, 3)
      : raw.starts(with: [0xff, 0xfe])
        ? (.utf16LittleEndian, 2) : raw.starts(with: [0xfe, 0xff]) ? (.utf16BigEndian, 2) : nil
    guard let named else { return found ?? (.utf8, 0) }
    guard let found else {
      guard named != .utf16 else {
        throw error(
          .data, "the text has no byte order mark, which \(named.rawValue) needs",
          advice:
            "name the encoding \(TextEncoding.utf16LittleEndian.rawValue) or \(TextEncoding.utf16BigEndian.rawValue)")
      }
      return (named, 0)
    }
    guard found.encoding == named || named == .utf16 && found.encoding != .utf8 else {
      throw error(
        .data, "the byte order mark is of \(found.encoding.rawValue), and the encoding is to be \(named.rawValue)",
        advice: "leave the encoding out")
    }
    return found
  }

  /// Moves past the bytes before an index of the piece, none of which ends a line.
  mutating func skip(to end: Int) {
    guard end > index else { return }
    for position in index..<end where bytes[position] & 0xc0 != 0x80 { column += 1 }
    isAfterReturn = false
    index = end
  }

  /// Moves past the next byte.
  mutating func skipByte() {
    switch bytes[index] {
    case UInt8(ascii: "\n") where isAfterReturn: isAfterReturn = false
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      isAfterReturn = bytes[index] == UInt8(ascii: "\r")
      line += 1
      column = 1
    case let byte:
      isAfterReturn = false
      if byte & 0xc0 != 0x80 { column += 1 }
    }
    index += 1
  }

  /// Makes an error at a place, or at the next byte.
  func error(
    _ kind: ImportError.Kind, _ message: String, at place: TextPlace? = nil, advice: String? = nil
  ) -> ImportError {
    let place = place ?? self.place
    return ImportError(kind, message, file: file, at: place, advice: advice)
  }
}

#endif
