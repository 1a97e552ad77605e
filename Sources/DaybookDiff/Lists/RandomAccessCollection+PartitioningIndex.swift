extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element of the second part, or the end index if empty.
  ///
  /// All elements of the first part must come before all of the second.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package func partitioningIndex(where belongsToSecondPart: (Element) throws -> Bool) rethrows -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if try belongsToSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
