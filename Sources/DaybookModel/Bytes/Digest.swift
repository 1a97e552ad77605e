/// A SHA-256 digest.
public struct Digest: Hashable, Sendable {
  package let words: (UInt64, UInt64, UInt64, UInt64)

  /// All zeros: the previous hash of the first commit.
  package static let zero = Digest(words: (0, 0, 0, 0))
  package static let byteCount = 32

  package init(words: (UInt64, UInt64, UInt64, UInt64)) {
    self.words = words
  }

  package init(reading reader: inout ByteReader) throws(MalformedBytes) {
    words = (
      try reader.fixed(UInt64.self), try reader.fixed(UInt64.self), try reader.fixed(UInt64.self),
      try reader.fixed(UInt64.self)
    )
  }

  /// Reads 64 hexadecimal digits, or returns `nil` for any other text.
  public init?(_ text: some StringProtocol) {
    guard let bytes = hexadecimalBytes(text), bytes.count == Digest.byteCount else { return nil }
    var reader = ByteReader(bytes.rawSpan)
    guard let digest = try? Digest(reading: &reader) else { return nil }  // It cannot fail: the length was checked.
    self = digest
  }

  public static func == (a: Digest, b: Digest) -> Bool { a.words == b.words }

  public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }

  /// The 32 bytes.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(self)
    return bytes
  }
}

extension Digest: CustomStringConvertible {
  /// The 64 hexadecimal digits, in lower case.
  public var description: String {
    hexadecimalText(of: bytes.rawSpan)
  }
}

extension [UInt8] {
  package mutating func append(_ digest: Digest) {
    appendFixed(digest.words.0)
    appendFixed(digest.words.1)
    appendFixed(digest.words.2)
    appendFixed(digest.words.3)
  }
}
