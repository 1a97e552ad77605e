/// Finds the rows that stay after a reordering: a longest rising run of their new places.
enum RisingRun {
  /// Returns the indexes of a longest rising subsequence.
  ///
  /// Of several, it is the one whose indexes are smallest, compared from the left.
  ///
  /// - Parameter values: Distinct numbers.
  /// - Complexity: O(*k* log *k*) for *k* numbers.
  static func indexesOfLongest(in values: [Int]) -> [Int] {
    let lengths = lengthsOfLongest(in: values)
    guard var needed = lengths.max() else { return [] }
    // From the left, take each number that is above the last one taken and begins a run of the length still needed. The
    // first of these is the smallest index with which any longest run can continue: an earlier number that is above the
    // last one begins a shorter run, since with a longer one the whole would be longer than the longest.
    var result: [Int] = []
    result.reserveCapacity(needed)
    var last = Int.min
    for index in values.indices where lengths[index] == needed && values[index] > last {
      result.append(index)
      last = values[index]
      needed -= 1
    }
    return result
  }

  /// Returns for each number the length of the longest rising subsequence that begins with it.
  private static func lengthsOfLongest(in values: [Int]) -> [Int] {
    var lengths = Array(repeating: 0, count: values.count)
    // From the right: the largest number that begins a run of length 1, 2, 3, ... of those seen. They fall, because a
    // run of a length holds a shorter one that begins with a larger number.
    var largest: [Int] = []
    for index in values.indices.reversed() {
      let value = values[index]
      let place = largest.partitioningIndex { $0 < value }
      if place == largest.count {
        largest.append(value)
      } else {
        largest[place] = value
      }
      lengths[index] = place + 1
    }
    return lengths
  }
}
