import DaybookModel
import LMDB

/// Sorted keys in one buffer, in the order in which they were made, to be sorted.
///
/// Separate keys would need an allocation each. Sorting moves only the indexes of the keys (``SortedKeyOrder``).
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
  /// - Throws: `WorkLimitExceeded`.
  /// - Complexity: As ``SortedKeyOrder/sorted()``.
  func sortedOrder() throws -> [Int] { try SortedKeyOrder(bytes, ends: ends).sorted() }
}
