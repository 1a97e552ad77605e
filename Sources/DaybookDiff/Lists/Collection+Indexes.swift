extension Array {
  /// Returns this array without the elements at some indexes.
  ///
  /// - Parameter indexes: Ascending, distinct, and valid for this array.
  /// - Complexity: O(*n*); the elements between two indexes are copied at once.
  func removing(at indexes: some Sequence<Int>) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(count)
    var next = 0
    for index in indexes {
      result += self[next..<index]
      next = index + 1
    }
    result += self[next...]
    return result
  }

  /// Returns this array with elements inserted, each at the index that it has in the result.
  ///
  /// - Parameter newcomers: Elements and their indexes in the result, ascending and distinct.
  /// - Returns: The result, or `nil` if it has too few elements to reach an index.
  /// - Complexity: O(*n* + *k*) for *k* newcomers.
  func inserting(_ newcomers: [(index: Int, element: Element)]) -> [Element]? {
    var result: [Element] = []
    result.reserveCapacity(count + newcomers.count)
    var next = 0
    for newcomer in newcomers {
      let before = newcomer.index - result.count
      guard before <= count - next else { return nil }
      result += self[next..<(next + before)]
      next += before
      result.append(newcomer.element)
    }
    result += self[next...]
    return result
  }
}

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
