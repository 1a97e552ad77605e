import DaybookModel
import LMDB

/// Sorted keys in one buffer, in the order in which they were made, to be sorted.
///
/// Separate keys would need an allocation each. Sorting moves only the indexes of the keys, with the eight bytes after
/// the prefix that all keys share: these nearly always decide the order.
struct SortedKeyBuffer {
  private var bytes: [UInt8] = []
  /// The end of each key.
  private var ends: [Int] = []

  /// Adds the key that `append` appends to the buffer.
  mutating func add<Result>(_ append: (inout [UInt8]) throws -> Result) rethrows -> Result {
    let result = try append(&bytes)
    ends.append(bytes.count)
    return result
  }

  var count: Int { ends.count }

  /// The bytes of the key that was added at an index.
  subscript(index: Int) -> ArraySlice<UInt8> { bytes[range(index)] }

  /// Whether the key that was added at an index begins with some bytes.
  func key(_ index: Int, begins prefix: [UInt8]) -> Bool {
    hasPrefix(bytes.rawSpan.extracting(range(index)), prefix.rawSpan)
  }

  private func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

  /// Returns the indexes of the keys, in the order of the keys.
  ///
  /// - Complexity: O(*n* log *n*).
  func sortedOrder() -> [Int] {
    guard let first = ends.first else { return [] }
    let common = commonPrefixSize(first: 0..<first)
    var start = 0
    var entries: [Entry] = []
    entries.reserveCapacity(ends.count)
    for (index, end) in ends.enumerated() {
      entries.append(Entry(head: head(at: start + common, end: end), index: index))
      start = end
    }
    entries.sort { a, b in
      if a.head != b.head { return a.head < b.head }
      return compareBytes(
        bytes.rawSpan.extracting(range(a.index)), bytes.rawSpan.extracting(range(b.index))) < 0
    }
    return entries.map(\.index)
  }

  private struct Entry {
    /// Eight bytes of the key, big-endian; zeros after its end.
    let head: UInt64
    let index: Int
  }

  private func commonPrefixSize(first: Range<Int>) -> Int {
    var size = first.count
    var start = 0
    for end in ends {
      var same = 0
      let limit = min(size, end - start)
      while same < limit, bytes[start + same] == bytes[first.lowerBound + same] { same += 1 }
      size = same
      start = end
    }
    return size
  }

  private func head(at start: Int, end: Int) -> UInt64 {
    var head: UInt64 = 0
    for index in start..<(start + 8) { head = head << 8 | (index < end ? UInt64(bytes[index]) : 0) }
    return head
  }
}
