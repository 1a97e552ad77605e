import DaybookDiff
import DaybookTestSupport
import DifferenceCases
import Testing

@Suite(.hangLimit) struct ApplyingTests {
  private let list = SectionedIDs(sections: [.init(name: "A", rows: [1, 2, 3]), .init(name: "B", rows: [4])])

  @Test func aDifferenceOfAnotherListIsRefused() {
    let bad: [Difference<Int>] = [
      Difference(sections: [], rows: [.delete(9, from: path(0, 0))]),
      Difference(sections: [], rows: [.delete(1, from: path(0, 1))]),
      Difference(sections: [], rows: [.delete(1, from: path(0, 3))]),
      Difference(sections: [], rows: [.delete(1, from: path(2, 0))]),
      Difference(sections: [], rows: [.delete(4, from: path(1, 0))]),
      Difference(sections: [], rows: [.insert(3, to: path(1, 0))]),
      Difference(sections: [], rows: [.insert(9, to: path(0, 4))]),
      Difference(sections: [], rows: [.insert(9, to: path(2, 0))]),
      Difference(sections: [], rows: [.move(2, from: path(0, 1), to: path(0, 3))]),
      Difference(sections: [], rows: [.update(2, from: path(0, 1), to: path(0, 2))]),
      Difference(sections: [], rows: [.update(2, from: path(0, 2), to: path(0, 2))]),
      Difference(sections: [.delete(index: 1, name: "B")], rows: []),
      Difference(sections: [.delete(index: 1, name: "C")], rows: [.delete(4, from: path(1, 0))]),
      Difference(sections: [.delete(index: 2, name: "B")], rows: [.delete(4, from: path(1, 0))]),
      Difference(sections: [.insert(index: 2, name: "C")], rows: []),
      Difference(sections: [.insert(index: 2, name: "A")], rows: [.insert(9, to: path(2, 0))]),
      Difference(sections: [.insert(index: 3, name: "C")], rows: [.insert(9, to: path(3, 0))]),
    ]
    for difference in bad { #expect(code(.mismatch) { _ = try list.applying(difference) }, "\(difference)") }
  }

  @Test func aSectionIsReplacedByOneOfTheSameName() throws {
    let difference = Difference<Int>(
      sections: [.delete(index: 1, name: "B"), .insert(index: 0, name: "B")],
      rows: [.move(4, from: path(1, 0), to: path(0, 0))])
    #expect(
      try list.applying(difference)
        == SectionedIDs(sections: [.init(name: "B", rows: [4]), .init(name: "A", rows: [1, 2, 3])]))
  }

  /// A damaged difference is refused, or produces a valid list that its inverse reverts.
  @Test func damagedDifferencesNeverMakeBadLists() throws {
    try SeededRandom.run(Rounds.of(20_000)) { random in
      let list = randomList(&random)
      let difference = damaged(list, &random)
      let result: SectionedIDs<Int>
      do {
        result = try list.applying(difference)
      } catch {
        try check(error is DifferenceError, "\(error)")
        return
      }
      try result.checkInvariants()
      try checkEqual(try result.applying(difference.inverted), list, "\(difference) there and back")
    }
  }

  private func randomList(_ random: inout SeededRandom) -> SectionedIDs<Int> {
    let ids = Array((0..<6).shuffled(using: &random))
    let cut = random.number(1..<6)
    return SectionedIDs(sections: [
      .init(name: "A", rows: Array(ids[..<cut])), .init(name: "B", rows: Array(ids[cut...])),
    ])
  }

  /// Returns a few changes of rows, mainly with correct paths.
  private func damaged(_ list: SectionedIDs<Int>, _ random: inout SeededRandom) -> Difference<Int> {
    var rows: [RowChange<Int>] = []
    for _ in 0..<random.number(1..<4) {
      let section = random.number(0..<2)
      let from = path(section, random.number(0..<list.sections[section].rows.count))
      let id = random.isOneIn(9) ? random.number(0..<8) : list[from]
      let to = path(random.number(0..<3), random.number(0..<4))
      switch random.number(0..<4) {
      case 0: rows.append(.delete(id, from: from))
      case 1: rows.append(.insert(random.number(5..<9), to: to))
      case 2: rows.append(.move(id, from: from, to: to))
      default: rows.append(.update(id, from: from, to: random.isOneIn(2) ? from : to))
      }
    }
    var sections: [SectionChange] = []
    if random.isOneIn(4) { sections.append(.insert(index: random.number(0..<3), name: "C")) }
    if random.isOneIn(6) { sections.append(.delete(index: 1, name: "B")) }
    return Difference(sections: sections, rows: rows)
  }
}
