extension Array {
  /// The index of the first element that belongs to the second part, where all elements of the first part come before
  /// all of the second; the end if there is none.
  ///
  /// - Complexity: O(log *n*).
  func partitioningIndex(where belongsToSecondPart: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if belongsToSecondPart(self[middle]) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }
}
