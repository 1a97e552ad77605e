extension ObjectID {
  /// Makes a UUID of version 8 (RFC 9562, section 5.8) of bits of a SHA-256.
  package init(hashing bytes: RawSpan) {
    let (high, low, _, _) = Digest(hashing: bytes).words
    self.init(high: high & ~0xF000 | 0x8000, low: low & (.max >> 2) | 0b10 << 62)
  }
}
