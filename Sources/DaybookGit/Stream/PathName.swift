/// One name of a path, compared and hashed by its bytes.
struct PathName: Hashable {
  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  /// Hashes eight bytes at a time, because hashing a word costs the same as hashing a byte.
  func hash(into hasher: inout Hasher) {
    var word: UInt64 = 0
    var count = 0
    for byte in bytes {
      word = word << 8 | UInt64(byte)
      count += 1
      if count % 8 == 0 { hasher.combine(word) }
    }
    // The last word may repeat bytes of the previous one, which has no effect on equality.
    hasher.combine(word)
    hasher.combine(count)
  }

  /// Orders names as git orders paths: by their bytes.
  static func < (first: PathName, second: PathName) -> Bool {
    first.bytes.lexicographicallyPrecedes(second.bytes)
  }
}
