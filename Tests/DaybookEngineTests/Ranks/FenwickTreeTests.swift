import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookEngine

@Suite(.hangLimit) struct FenwickTreeTests {
  /// All lists of up to four counts from 0 to 2.
  private static let small: [[Int]] = (0...4).flatMap { length in
    (0..<length).reduce([[]]) { lists, _ in lists.flatMap { list in (0...2).map { list + [$0] } } }
  }

  @Test func everySmallTreeSumsAndFindsItsUnits() throws {
    for counts in Self.small { try check(FenwickTree(counts), counts) }
  }

  @Test func everyChangeOfASmallTreeIsSeen() throws {
    for counts in Self.small {
      for index in counts.indices {
        var (tree, changed) = (FenwickTree(counts), counts)
        tree.add(3, at: index)
        changed[index] += 3
        try check(tree, changed)
        tree.add(-3 - counts[index], at: index)
        changed[index] = 0
        try check(tree, changed)
      }
    }
  }

  @Test func aLargeTreeAgreesWithAnArray() throws {
    try Seeds.run(20) { seed in
      var random = SeededRandom(seed: seed)
      var counts = (0..<random.number(1...300)).map { _ in random.number(0...9) }
      var tree = FenwickTree(counts)
      for _ in 0..<20 {
        let index = random.number(0...(counts.count - 1))
        let difference = random.number(-counts[index]...9)
        tree.add(difference, at: index)
        counts[index] += difference
        try check(tree, counts)
      }
    }
  }

  private func check(_ tree: FenwickTree, _ counts: [Int]) throws {
    var number = 0
    for (index, count) in counts.enumerated() {
      guard tree.sum(ofFirst: index) == number else { throw Mismatch("the sum of the first \(index) of \(counts)") }
      for offset in 0..<count {
        guard tree.place(of: number) == (index, offset) else { throw Mismatch("the place of \(number) in \(counts)") }
        number += 1
      }
    }
    guard tree.sum(ofFirst: counts.count) == number else { throw Mismatch("the sum of \(counts)") }
  }
}
