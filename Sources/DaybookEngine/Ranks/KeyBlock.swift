import DaybookModel

/// A few hundred sorted keys, stored consecutively in one buffer.
struct KeyBlock {
  private var bytes: [UInt8] = []
  /// The end of each key.
  private var ends: [UInt32] = []

  /// The limits of a block: with more keys or bytes it is split.
  static let maximumCount = 512
  static let maximumSizeInBytes = 1 << 16

  var count: Int { ends.count }
  var isTooLarge: Bool { ends.count > KeyBlock.maximumCount || isHeavy }

  private var isHeavy: Bool { bytes.count > KeyBlock.maximumSizeInBytes && ends.count > 1 }

  private func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  subscript(index: Int) -> [UInt8] { Array(bytes[range(index)]) }

  /// Compares a key of the block to another key; the result is below, equal to or above zero.
  func compare(_ index: Int, _ key: [UInt8]) -> Int {
    compareBytes(bytes.rawSpan.extracting(range(index)), key.rawSpan)
  }

  /// Returns the index of the first key that is not less than `key`.
  func lowerBound(_ key: [UInt8]) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if compare(middle, key) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Reserves memory for exactly this number and size of keys.
  mutating func reserveCapacity(_ count: Int, sizeInBytes: Int) {
    ends.reserveCapacity(count)
    bytes.reserveCapacity(sizeInBytes)
  }

  mutating func append(_ key: some Collection<UInt8>) {
    bytes.append(contentsOf: key)
    ends.append(UInt32(bytes.count))
  }

  mutating func insert(_ key: [UInt8], at index: Int) {
    let start = index == 0 ? 0 : Int(ends[index - 1])
    bytes.insert(contentsOf: key, at: start)
    ends.insert(UInt32(start), at: index)
    for later in index..<ends.count { ends[later] += UInt32(key.count) }
  }

  mutating func remove(at index: Int) {
    let range = range(index)
    bytes.removeSubrange(range)
    ends.remove(at: index)
    for later in index..<ends.count { ends[later] -= UInt32(range.count) }
  }

  /// Removes and returns the second half of the keys.
  mutating func splitOff() -> KeyBlock {
    let middle = count / 2
    let start = middle == 0 ? 0 : Int(ends[middle - 1])
    var second = KeyBlock()
    second.bytes = Array(bytes[start...])
    second.ends = ends[middle...].map { $0 - UInt32(start) }
    bytes.removeSubrange(start...)
    ends.removeSubrange(middle...)
    return second
  }
}
