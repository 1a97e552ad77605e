#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Bytes as text, in the alphabet of RFC 4648, section 4, with padding.
enum Base64 {
  static func text(of bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
  }

  /// Decodes a text, or returns `nil` if it is not exactly what ``text(of:)`` writes.
  static func bytes(of text: String) -> [UInt8]? {
    // The platform's decoder ignores bits that belong to no byte; such a text would not encode to itself.
    guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else { return nil }
    return [UInt8](data)
  }
}
