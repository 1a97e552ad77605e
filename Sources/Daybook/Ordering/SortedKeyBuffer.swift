import DaybookModel
import LMDB

/// Sorted keys in the order in which they were made, in one buffer, to be brought into theirs.
///
/// Keys of their own would be an allocation each. What is sorted are the places of the keys with eight of their bytes,
/// those behind what all begin with: they decide nearly always.
struct SortedKeyBuffer {
  private var bytes: [UInt8] = []
  /// Where each key ends.
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
    hasPrefix(bytes.span.bytes.extracting(range(index)), prefix.span.bytes)
  }

  private func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

  /// The indexes of the keys, in the order of the keys.
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
        bytes.span.bytes.extracting(range(a.index)), bytes.span.bytes.extracting(range(b.index))) < 0
    }
    return entries.map(\.index)
  }

  private struct Entry {
    /// Eight bytes of the key, big-endian; zeros behind its end.
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
