import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct BisectionTests {
  /// Runs a bisection, and returns its result and the number of tested positions.
  private func run(
    _ range: ClosedRange<UInt64>, holdsFrom start: UInt64, skipping skipped: Set<UInt64> = []
  ) -> (finding: Bisection.Finding?, count: Int) {
    var bisection = Bisection(from: Position(range.lowerBound), through: Position(range.upperBound))
    var tested: [UInt64] = []
    while let position = bisection.candidate {
      tested.append(position.number)
      bisection.record(
        skipped.contains(position.number) ? nil : position.number >= start)
    }
    #expect(Set(tested).count == tested.count && tested.allSatisfy(range.contains))
    return (bisection.finding, tested.count)
  }

  @Test func theFirstPositionIsFound() {
    for last in UInt64(1)...20 {
      for first in UInt64(0)...last {
        for start in first...(last + 1) {
          let expected: Bisection.Finding = start > last ? .never : .first(Position(start))
          #expect(run(first...last, holdsFrom: start).finding == expected, "\(first) to \(last), from \(start)")
        }
      }
    }
    #expect(run(1...1_000_000, holdsFrom: 777_777).count <= 21)
  }

  @Test func positionsThatCannotBeTestedAreLeftOut() {
    for start in UInt64(1)...6 {
      for bits in 0..<64 {
        let skipped = Set((1...6 as ClosedRange<UInt64>).filter { bits & (1 << ($0 - 1)) != 0 })
        let result = run(1...6, holdsFrom: start, skipping: skipped).finding
        // Positions that are known: those that were not skipped.
        let low = (1...6 as ClosedRange<UInt64>).last { $0 < start && !skipped.contains($0) }.map { $0 + 1 } ?? 1
        let high = (1...6 as ClosedRange<UInt64>).first { $0 >= start && !skipped.contains($0) }
        let expected: Bisection.Finding? =
          if skipped.contains(6) {
            .skipped(1...6)
          } else if let high {
            low < high ? .skipped(Position(low)...Position(high)) : .first(Position(high))
          } else { nil }
        #expect(result == expected, "from \(start) without \(skipped.sorted())")
      }
    }
  }

  @Test func theFirstCommitWithEnoughRowsIsFound() throws {
    try withTemporaryStore(FeedModel.model) { store in
      for number in 1...12 { try store.insertRecipes("recipe \(number)") }
      let all = Request(entity: "Recipe")
      #expect(try store.bisect(all) == 2)
      #expect(try store.bisect(all) { $0 >= 4 } == 5)
      #expect(try store.bisect(all, from: 8) { $0 >= 4 } == 8)
      #expect(try store.bisect(all, to: 4) { $0 >= 4 } == nil)
      #expect(try store.bisect(all, from: 0) { $0 >= 12 } == 13)
      let none = Request(entity: "Recipe", filter: try Filter(parsing: "name == \"none\""))
      #expect(try store.bisect(none) == nil)
      #expect(throws: StoreError.self) { try store.bisect(all, from: 5, to: 4) }
      #expect(throws: StoreError.self) { try store.bisect(all, to: 14) }
      #expect(throws: StoreError.self) { try store.bisect(Request(entity: "Nothing")) }
    }
  }

  @Test func anEntityHasNoRowsBeforeItsModel() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a", "b")
      var model = FeedModel.model
      model.entities.append(Entity(name: "Note", attributes: [Attribute(name: "text", type: .string)]))
      try store.apply(model)
      for _ in 0..<3 { try store.write { _ = try $0.insert("Note", ["text": "x"]) } }
      let position = try store.bisect(Request(entity: "Note")) { $0 >= 2 }
      #expect(position == Position(try store.position.number - 1))
    }
  }
}
