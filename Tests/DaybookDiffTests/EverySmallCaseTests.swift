import DaybookDiff
import DaybookTestSupport
import DifferenceCases
import Testing

/// Every pair of small lists with every possible change of each row, against the reference.
@Suite(.hangLimit) struct EverySmallCaseTests {
  @Test func unsectionedLists() throws { try checkAll(rowCount: 5, sections: [""]) }

  @Test func twoSections() throws { try checkAll(rowCount: 4, sections: ["", "A"]) }

  @Test func threeSections() throws { try checkAll(rowCount: 3, sections: ["A", "B", "C"]) }

  private enum Change: CaseIterable { case nothing, values, keys }

  /// Checks all lists with rows numbered in the old order; other names add no cases.
  private func checkAll(rowCount: Int, sections: [String]) throws {
    var count = 0
    let arrangements = arrangements(of: 0..<rowCount, inLists: sections.count)
    for oldCount in 0...rowCount {
      try withEvery("old", in: cuts(of: 0..<oldCount, inLists: sections.count)) { old in
        try withEvery("new", in: arrangements) { new in
          try withEveryChange(named(old, sections), named(new, sections)) { situation in
            count += 1
            if Rounds.include(count) { try situation.checkEverything() }
          }
        }
      }
    }
    print("\(count) situations of \(rowCount) rows in \(sections.count) sections")
  }

  /// Returns the lists with names; without the empty ones, unless there is no section key.
  private func named(_ lists: [[Int]], _ names: [String]) -> [Situation<Int>.Section] {
    let sections = zip(names, lists).map { Situation<Int>.Section(name: $0, ids: $1) }
    return names == [""] ? sections : sections.filter { !$0.ids.isEmpty }
  }

  /// Runs a body with every change of the rows that keep their section.
  ///
  /// Rows with unchanged keys keep their order. The kind of change of rows that change their section has no effect.
  private func withEveryChange(
    _ old: [Situation<Int>.Section], _ new: [Situation<Int>.Section], _ body: (Situation<Int>) throws -> Void
  ) throws {
    let kept = old.flatMap { section in
      section.ids.filter { id in new.contains { $0.name == section.name && $0.ids.contains(id) } }
    }
    try withEvery("changes", in: assignments(of: Change.allCases, to: kept)) { changes in
      let situation = Situation(
        old: old, new: new, keyChanged: Set(kept.filter { changes[$0] == .keys }),
        valueChanged: Set(kept.filter { changes[$0] == .values }))
      let fixed = Set(kept).subtracting(situation.keyChanged)
      let before = old.map { $0.ids.filter(fixed.contains) }
      let after = new.map { $0.ids.filter(fixed.contains) }
      if before.filter({ !$0.isEmpty }) == after.filter({ !$0.isEmpty }) { try body(situation) }
    }
  }
}
