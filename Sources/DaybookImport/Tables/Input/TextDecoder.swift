#if Import

/// Decodes pieces of a text into valid UTF-8, independent of where the pieces are cut.
///
/// At the first invalid byte it returns the text before it and the fault, so that the reader of the text knows the line and
/// column of the fault.
struct TextDecoder {
  /// Valid UTF-8, and the fault after it.
  struct Piece {
    var text: [UInt8]
    var fault: String?
  }

  private let encoding: TextEncoding
  /// The bytes of a character whose rest is in the next piece.
  private var held: [UInt8] = []
  /// The number of bytes before the held ones.
  private var offset: Int

  /// - Parameters:
  ///   - encoding: The encoding; with `utf16`, the byte order is big-endian.
  ///   - offset: The number of bytes of the byte order mark, which is not decoded.
  init(_ encoding: TextEncoding, offset: Int) {
    self.encoding = encoding
    self.offset = offset
  }

  /// Decodes the next bytes.
  ///
  /// - Parameter isEnd: Whether no more bytes follow.
  mutating func decode(_ bytes: [UInt8], isEnd: Bool) -> Piece {
    let bytes = held.isEmpty ? bytes : held + bytes
    held = []
    defer { offset += bytes.count - held.count }
    switch encoding {
    case .utf8: return utf8(bytes, isEnd: isEnd)
    case .latin1: return Piece(text: TextDecoder.latin1(bytes))
    case .windows1252: return windows1252(bytes)
    case .utf16LittleEndian: return utf16(bytes, isEnd: isEnd, low: 0)
    case .utf16, .utf16BigEndian: return utf16(bytes, isEnd: isEnd, low: 1)
    }
  }

  // MARK: UTF-8

  private mutating func utf8(_ bytes: [UInt8], isEnd: Bool) -> Piece {
    guard let invalid = TextDecoder.invalidOffset(in: bytes) else { return Piece(text: bytes) }
    if !isEnd, bytes.count - invalid < 4, TextDecoder.isCutSequence(bytes[invalid...]) {
      held = Array(bytes[invalid...])
      return Piece(text: Array(bytes[..<invalid]))
    }
    return Piece(text: Array(bytes[..<invalid]), fault: fault(bytes[invalid], at: invalid, "is not UTF-8"))
  }

  /// Returns the offset of the first byte that does not belong to valid UTF-8, or `nil` if all bytes do.
  static func invalidOffset(in bytes: [UInt8]) -> Int? {
    var offset = 0
    while offset < bytes.count {
      if bytes[offset] < 0x80 {
        offset += 1
        continue
      }
      guard let (size, second) = shape(of: bytes[offset]), bytes.count - offset >= size,
        second.contains(bytes[offset + 1])
      else { return offset }
      for rest in (offset + 2)..<max(offset + size, offset + 2) where bytes[rest] & 0xc0 != 0x80 { return offset }
      offset += size
    }
    return nil
  }

  /// Returns the length of a sequence and the range of its second byte, or `nil` if no sequence has the first byte.
  ///
  /// The ranges exclude surrogates and longer forms than needed; see the Unicode Standard, table 3-7.
  private static func shape(of first: UInt8) -> (size: Int, second: ClosedRange<UInt8>)? {
    switch first {
    case 0xc2...0xdf: (2, 0x80...0xbf)
    case 0xe0: (3, 0xa0...0xbf)
    case 0xe1...0xec, 0xee, 0xef: (3, 0x80...0xbf)
    case 0xed: (3, 0x80...0x9f)
    case 0xf0: (4, 0x90...0xbf)
    case 0xf1...0xf3: (4, 0x80...0xbf)
    case 0xf4: (4, 0x80...0x8f)
    default: nil
    }
  }

  /// Returns whether bytes are the beginning of a sequence, and not all of it.
  private static func isCutSequence(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, let (size, second) = shape(of: first), bytes.count < size else { return false }
    return bytes.dropFirst().first.map(second.contains) ?? true
      && bytes.dropFirst(2).allSatisfy { $0 & 0xc0 == 0x80 }
  }

  // MARK: Single bytes

  private static func latin1(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: { $0 >= 0x80 }) else { return bytes }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes { append(UInt32(byte), to: &text) }
    return text
  }

  /// The code points of 0x80 to 0x9F; zero for the five bytes that have none.
  private static let windows1252: [UInt32] = [
    0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0,
    0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e,
    0x0178,
  ]

  private func windows1252(_ bytes: [UInt8]) -> Piece {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for (index, byte) in bytes.enumerated() {
      guard case 0x80...0x9f = byte else {
        TextDecoder.append(UInt32(byte), to: &text)
        continue
      }
      let scalar = TextDecoder.windows1252[Int(byte) - 0x80]
      guard scalar != 0 else { return Piece(text: text, fault: fault(byte, at: index, "is not windows-1252")) }
      TextDecoder.append(scalar, to: &text)
    }
    return Piece(text: text)
  }

  // MARK: UTF-16

  /// Decodes UTF-16.
  ///
  /// - Parameter low: The index of the low byte of a unit.
  private mutating func utf16(_ bytes: [UInt8], isEnd: Bool, low: Int) -> Piece {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    let unit = { (index: Int) in UInt32(bytes[index + low]) | UInt32(bytes[index + 1 - low]) << 8 }
    var index = 0
    while index + 1 < bytes.count {
      let first = unit(index)
      guard (0xd800..<0xe000).contains(first) else {
        TextDecoder.append(first, to: &text)
        index += 2
        continue
      }
      if first < 0xdc00, index + 3 >= bytes.count, !isEnd { break }
      guard first < 0xdc00, index + 3 < bytes.count, (0xdc00..<0xe000).contains(unit(index + 2)) else {
        let number = String(first, radix: 16)
        return Piece(
          text: text, fault: "the half 0x\(number) of a surrogate pair stands alone (byte \(offset + index))")
      }
      TextDecoder.append(0x10000 + (first - 0xd800) << 10 + (unit(index + 2) - 0xdc00), to: &text)
      index += 4
    }
    guard index < bytes.count else { return Piece(text: text) }
    guard isEnd else {
      held = Array(bytes[index...])
      return Piece(text: text)
    }
    return Piece(text: text, fault: fault(bytes[index], at: index, "is half of a character of UTF-16"))
  }

  // MARK: Bytes

  private static func append(_ scalar: UInt32, to text: inout [UInt8]) {
    let continuation = { (shift: UInt32) in UInt8(truncatingIfNeeded: scalar >> shift & 0x3f | 0x80) }
    switch scalar {
    case 0..<0x80: text.append(UInt8(scalar))
    case 0x80..<0x800:
      text.append(UInt8(scalar >> 6 | 0xc0))
      text.append(continuation(0))
    case 0x800..<0x10000:
      text.append(UInt8(scalar >> 12 | 0xe0))
      text.append(continuation(6))
      text.append(continuation(0))
    default:
      text.append(UInt8(scalar >> 18 | 0xf0))
      text.append(continuation(12))
      text.append(continuation(6))
      text.append(continuation(0))
    }
  }

  private func fault(_ byte: UInt8, at index: Int, _ problem: String) -> String {
    "the byte 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16)) (byte \(offset + index) of the file, from 0) \(problem)"
  }
}

#endif
