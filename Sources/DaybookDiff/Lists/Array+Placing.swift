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
