/// A Fenwick tree of counts, whose prefix sums are found and changed in O(log *n*).
struct FenwickTree {
  /// `sums[i]` is the sum of counts up to index `i`, as many as the lowest set bit of `i + 1`.
  private var sums: [Int] = []

  package init(_ counts: some Sequence<Int> = []) {
    sums = Array(counts)
    for index in sums.indices {
      let parent = index | (index + 1)
      if parent < sums.count { sums[parent] += sums[index] }
    }
  }

  /// Returns the sum of the first `length` counts.
  func sum(ofFirst length: Int) -> Int {
    var sum = 0
    var end = length
    while end > 0 {
      sum += sums[end - 1]
      end &= end - 1
    }
    return sum
  }

  mutating func add(_ difference: Int, at index: Int) {
    var index = index
    while index < sums.count {
      sums[index] += difference
      index |= index + 1
    }
  }

  /// Returns the index of the count that contains the n-th unit, and the unit's offset in it.
  ///
  /// - Precondition: There are more units than `number`.
  func place(of number: Int) -> (index: Int, offset: Int) {
    var (index, rest) = (0, number)
    var step = 1
    while step * 2 <= sums.count { step *= 2 }
    while step > 0 {
      if index + step <= sums.count, sums[index + step - 1] <= rest {
        index += step
        rest -= sums[index - 1]
      }
      step /= 2
    }
    return (index, rest)
  }
}
