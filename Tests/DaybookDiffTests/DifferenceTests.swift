import DaybookDiff
import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct DifferenceTests {
  @Test func sectionsCountBeforeRows() {
    #expect(RowPath(section: 0, row: 9) < RowPath(section: 1, row: 0))
    #expect(RowPath(section: 1, row: 0) < RowPath(section: 1, row: 1))
  }

  @Test func changesArePutInOrder() {
    let sections: [SectionChange] = [
      .delete(index: 4, name: "E"), .delete(index: 1, name: "B"), .insert(index: 0, name: "0"),
      .insert(index: 3, name: "D"),
    ]
    let rows: [RowChange<Int>] = [
      .delete(1, from: path(2, 0)), .delete(2, from: path(0, 5)), .insert(3, to: path(0, 0)),
      .insert(4, to: path(1, 0)),
      .move(5, from: path(0, 1), to: path(9, 9)), .move(6, from: path(0, 2), to: path(0, 1)),
      .update(7, from: path(0, 0), to: path(0, 3)), .update(8, from: path(3, 0), to: path(3, 0)),
    ]
    var random = SeededRandom(seed: 1)
    for _ in 0..<50 {
      let difference = Difference(sections: sections.shuffled(using: &random), rows: rows.shuffled(using: &random))
      #expect(difference.sections == sections)
      #expect(difference.rows == rows)
    }
  }

  @Test func equalResultsHaveNoDifference() throws {
    let list = SectionedIDs(sections: [.init(name: "A", rows: [1, 2]), .init(name: "B", rows: [3])])
    let difference = try Difference(from: list, to: list, keyChanged: { _ in false }, stateChanged: { _ in false })
    #expect(difference.isEmpty)
    #expect(difference.viewPlan.isEmpty)
    #expect(try list.applying(difference) == list)
  }

  @Test func aRenamedSectionIsADeleteAnInsertAndMoves() throws {
    let old = SectionedIDs(sections: [.init(name: "A", rows: [1, 2])])
    let new = SectionedIDs(sections: [.init(name: "B", rows: [1, 2])])
    let difference = try Difference(from: old, to: new, keyChanged: { _ in false }, stateChanged: { _ in false })
    #expect(difference.sections == [.delete(index: 0, name: "A"), .insert(index: 0, name: "B")])
    #expect(
      difference.rows == [
        .move(1, from: path(0, 0), to: path(0, 0)), .move(2, from: path(0, 1), to: path(0, 1)),
      ])
    #expect(difference.viewPlan.rows.isEmpty)
  }

  @Test func theEmptyStateLeadsToEverything() throws {
    let new = SectionedIDs(unsectioned: [1, 2])
    let difference = try Difference(
      from: SectionedIDs(unsectioned: []), to: new, keyChanged: { _ in false }, stateChanged: { _ in false })
    #expect(difference.sections.isEmpty)
    #expect(difference.rows == [.insert(1, to: path(0, 0)), .insert(2, to: path(0, 1))])
    #expect(try new.applying(difference.inverted) == SectionedIDs(unsectioned: []))
  }

  @Test func aNamelessSectionOfASectionedResultComesAndGoes() throws {
    let old = SectionedIDs<Int>(sections: [])
    let new = SectionedIDs(sections: [.init(name: "", rows: [1])])
    let difference = try Difference(from: old, to: new, keyChanged: { _ in false }, stateChanged: { _ in false })
    #expect(difference.sections == [.insert(index: 0, name: "")])
    #expect(try old.applying(difference) == new)
    #expect(try new.applying(difference.inverted) == old)
  }

  @Test func namesAreComparedByTheirBytes() throws {
    let old = SectionedIDs(sections: [.init(name: "\u{e9}", rows: [1])])
    let new = SectionedIDs(sections: [.init(name: "e\u{301}", rows: [1])])
    #expect(old != new)
    #expect(SectionChange.delete(index: 0, name: "\u{e9}") != .delete(index: 0, name: "e\u{301}"))
    let difference = try Difference(from: old, to: new, keyChanged: { _ in false }, stateChanged: { _ in false })
    #expect(difference.sections.count == 2)
    #expect(try old.applying(difference) == new)
    try difference.checkInvariants(old: old, new: new)
  }

  @Test func rowsWithUnchangedKeysCannotChangePlaces() {
    #expect(
      code(.badFacts) {
        _ = try Difference(
          from: SectionedIDs(unsectioned: [1, 2]), to: SectionedIDs(unsectioned: [2, 1]), keyChanged: { _ in false },
          stateChanged: { _ in false })
      })
  }

  @Test func listsAreChecked() {
    let bad: [SectionedIDs<Int>] = [
      SectionedIDs(unsectioned: [1, 1]),
      SectionedIDs(sections: [.init(name: "A", rows: [1]), .init(name: "B", rows: [1])]),
      SectionedIDs(sections: [.init(name: "A", rows: [1]), .init(name: "A", rows: [2])]),
      SectionedIDs(sections: [.init(name: "A", rows: [])]),
      SectionedIDs(sections: [.init(name: "", rows: []), .init(name: "A", rows: [1])]),
    ]
    for list in bad { #expect(code(.badList) { try list.checkInvariants() }, "\(list)") }
  }

  @Test func aDifferenceThatContradictsItselfIsFound() {
    let bad: [Difference<Int>] = [
      Difference(sections: [], rows: [.delete(1, from: path(0, 0)), .insert(1, to: path(0, 0))]),
      Difference(sections: [], rows: [.delete(1, from: path(0, 0)), .delete(2, from: path(0, 0))]),
      Difference(
        sections: [], rows: [.delete(1, from: path(0, 0)), .move(2, from: path(0, 0), to: path(0, 1))]),
      Difference(
        sections: [], rows: [.insert(1, to: path(0, 0)), .update(2, from: path(0, 0), to: path(0, 0))]),
      Difference(sections: [.delete(index: 0, name: "A"), .delete(index: 0, name: "B")], rows: []),
      Difference(sections: [.insert(index: -1, name: "A")], rows: []),
      Difference(sections: [], rows: [.insert(1, to: path(0, -1))]),
    ]
    for difference in bad { #expect(code(.badDifference) { try difference.checkInvariants() }, "\(difference)") }
  }

  @Test func aSectionOfBothListsIsNotReported() {
    let list = SectionedIDs(sections: [.init(name: "A", rows: [1])])
    let difference = Difference<Int>(
      sections: [.delete(index: 0, name: "A"), .insert(index: 0, name: "A")],
      rows: [.move(1, from: path(0, 0), to: path(0, 0))])
    #expect(code(.badDifference) { try difference.checkInvariants(old: list, new: list) })
  }
}
