/// The middle and the ends of some numbers.
struct Summary: Codable {
  let median: Double
  let mean: Double
  let minimum: Double
  let maximum: Double

  /// The smallest number that 99 of 100 do not exceed.
  let percentile99: Double

  /// - Precondition: There is at least one number.
  init(_ numbers: [Double]) {
    precondition(!numbers.isEmpty, "A summary needs a number.")
    let sorted = numbers.sorted()
    let middle = sorted.count / 2
    median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    mean = sorted.reduce(0, +) / Double(sorted.count)
    minimum = sorted[0]
    maximum = sorted[sorted.count - 1]
    percentile99 = sorted[(sorted.count * 99 + 99) / 100 - 1]
  }
}
