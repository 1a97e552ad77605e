#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Returns the value of a hexadecimal digit in either case, or `nil` for another character.
package func hexadecimalDigit(_ unit: UInt8) -> UInt64? {
  switch unit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(unit - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(unit - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(unit - UInt8(ascii: "A") + 10)
  default: nil
  }
}

/// Returns the bytes as lower-case hexadecimal digits.
package func hexadecimalText(of bytes: RawSpan) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(unsafeUninitializedCapacity: bytes.byteCount * 2) { buffer in
    for index in 0..<bytes.byteCount {
      let byte = bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
      buffer[index * 2] = digits[Int(byte >> 4)]
      buffer[index * 2 + 1] = digits[Int(byte & 15)]
    }
    return bytes.byteCount * 2
  }
}

/// Returns the bytes that a text of hexadecimal digits encodes, or `nil` for another text.
package func hexadecimalBytes(_ text: some StringProtocol) -> [UInt8]? {
  var bytes: [UInt8] = []
  var pending: UInt64?
  for unit in text.utf8 {
    guard let digit = hexadecimalDigit(unit) else { return nil }
    if let high = pending {
      bytes.append(UInt8(high << 4 | digit))
      pending = nil
    } else {
      pending = digit
    }
  }
  return pending == nil ? bytes : nil
}

/// Bytes as text, in the alphabet of RFC 4648, section 4, with padding.
package enum Base64 {
  package static func text(of bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
  }

  /// Decodes a text, or returns `nil` if it is not exactly what ``text(of:)`` writes.
  package static func bytes(of text: String) -> [UInt8]? {
    // The platform's decoder ignores bits that belong to no byte; such a text would not encode to itself.
    guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else { return nil }
    return [UInt8](data)
  }
}
