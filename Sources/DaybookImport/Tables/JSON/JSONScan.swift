#if Import

/// Finds the end of a JSON object by its brackets and strings, independent of the pieces in which it is read.
///
/// It does not check the object: where the text cannot be JSON the object ends too, and the parser reports the fault.
struct JSONScan {
  /// The brackets that close the open ones, the innermost last.
  private var open: [UInt8] = []
  /// The most brackets that were open together.
  private(set) var deepest = 0
  private(set) var isFinished = false
  private var isInString = false
  private var isEscaped = false

  /// Returns the index after the object's last byte, the index of the next end of a line, or the end of the piece.
  mutating func end(in bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      if isInString {
        // No string contains a control character, so the object cannot continue on another line.
        guard byte >= 0x20 else {
          isFinished = true
          return index + 1
        }
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return index
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          open.append(byte + 2)
          deepest = max(deepest, open.count)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          // A bracket of the other kind ends the object too, so that its place is reported, and not the file's end.
          if open.popLast() != byte || open.isEmpty {
            isFinished = true
            return index + 1
          }
        default: break
        }
      }
      index += 1
    }
    return index
  }
}

#endif
