/// Searches for bytes in linear time (Knuth, Morris and Pratt).
///
/// The time grows with the sum of the lengths and not with their product: both texts may be long and come from
/// untrusted sources.
package struct BytePattern: Sendable {
  private let bytes: [UInt8]
  /// For each length of a partial match, the longest shorter match that is a suffix of it.
  private let fallback: [Int]

  init(_ text: String) {
    bytes = Array(text.utf8)
    var fallback = [Int](repeating: 0, count: bytes.count)
    var length = 0
    for index in bytes.indices.dropFirst() {
      while length > 0, bytes[index] != bytes[length] { length = fallback[length - 1] }
      if bytes[index] == bytes[length] { length += 1 }
      fallback[index] = length
    }
    self.fallback = fallback
  }

  func isFound(in text: String) -> Bool {
    guard !bytes.isEmpty else { return true }
    // Only a string bridged from another language has no contiguous storage.
    return text.utf8.withContiguousStorageIfAvailable { isFound(in: $0) } ?? isFound(in: text.utf8)
  }

  private func isFound(in units: some Sequence<UInt8>) -> Bool {
    var length = 0
    for unit in units {
      while length > 0, unit != bytes[length] { length = fallback[length - 1] }
      if unit == bytes[length] { length += 1 }
      if length == bytes.count { return true }
    }
    return false
  }
}
