import DaybookDiff
import Testing

@Suite(.hangLimit) struct DifferenceBuilderTests {
  @Test func farRowsAreNotNeeded() throws {
    var builder = DifferenceBuilder<Int>()
    builder.delete(1, from: path(7, 500_000))
    builder.change(2, from: path(7, 900_000), to: path(6, 899_999), .keys)
    builder.change(3, from: path(9, 4), to: path(8, 4), .values)
    builder.delete(4, from: path(0, 0))
    builder.touch(TouchedSection(name: "A", old: .init(index: 0, count: 1), new: nil))
    builder.touch(
      TouchedSection(name: "H", old: .init(index: 7, count: 1_000_000), new: .init(index: 6, count: 999_999)))
    let difference = try builder.build()
    #expect(difference.sections == [.delete(index: 0, name: "A")])
    #expect(
      difference.rows == [
        .delete(1, from: path(7, 500_000)), .delete(4, from: path(0, 0)),
        .update(2, from: path(7, 900_000), to: path(6, 899_999)), .update(3, from: path(9, 4), to: path(8, 4)),
      ])
  }

  @Test func aRowWithChangedKeysMovesWhenAFixedRowChangesSides() throws {
    var builder = DifferenceBuilder<Int>()
    builder.change(1, from: path(0, 3), to: path(0, 4), .keys)
    #expect(try builder.build().rows == [.move(1, from: path(0, 3), to: path(0, 4))])
  }

  @Test func aRowWithChangedKeysStaysWhenOnlyLooseRowsChangeSides() throws {
    var builder = DifferenceBuilder<Int>()
    builder.change(1, from: path(0, 3), to: path(0, 4), .keys)
    builder.insert(2, to: path(0, 0))
    #expect(try builder.build().rows == [.insert(2, to: path(0, 0)), .update(1, from: path(0, 3), to: path(0, 4))])
  }

  @Test func ofSeveralSmallestSetsTheRowsWithTheSmallestOldPathsStay() throws {
    var builder = DifferenceBuilder<Int>()
    builder.change(2, from: path(0, 1), to: path(0, 0), .keys)
    builder.change(1, from: path(0, 0), to: path(0, 1), .keys)
    #expect(
      try builder.build().rows == [
        .move(2, from: path(0, 1), to: path(0, 0)), .update(1, from: path(0, 0), to: path(0, 1)),
      ])
  }

  @Test func unchangedRowsMayBeGiven() throws {
    var builder = DifferenceBuilder<Int>()
    builder.insert(1, to: path(0, 0))
    builder.change(2, from: path(0, 5), to: path(0, 6), .nothing)
    builder.touch(TouchedSection(name: "", old: .init(index: 0, count: 6), new: .init(index: 0, count: 7)))
    #expect(try builder.build().rows == [.insert(1, to: path(0, 0))])
  }

  @Test func aRowOfAnotherSectionMovesWhateverElseChanged() throws {
    for alteration in [Alteration.nothing, .values, .keys, .order] {
      var builder = DifferenceBuilder<Int>()
      builder.change(1, from: path(0, 0), to: path(0, 0), alteration)
      builder.touch(TouchedSection(name: "A", old: .init(index: 0, count: 1), new: nil))
      builder.touch(TouchedSection(name: "B", old: nil, new: .init(index: 0, count: 1)))
      #expect(try builder.build().rows == [.move(1, from: path(0, 0), to: path(0, 0))])
    }
  }

  @Test func aNewOrderOfTheRequestMovesRowsAndUpdatesNone() throws {
    let old = SectionedIDs(sections: [
      .init(name: "A", rows: [1, 2, 3]), .init(name: "B", rows: [4]), .init(name: "C", rows: [5]),
    ])
    let new = SectionedIDs(sections: [
      .init(name: "C", rows: [5]), .init(name: "B", rows: [4]), .init(name: "A", rows: [3, 2, 1]),
    ])
    let difference = try Difference(from: old, to: new) { _ in .order }
    #expect(
      difference.sections == [
        .delete(index: 2, name: "C"), .delete(index: 1, name: "B"), .insert(index: 0, name: "C"),
        .insert(index: 1, name: "B"),
      ])
    #expect(difference.rows.allSatisfy { if case .move = $0 { true } else { false } })
    #expect(difference.rows.map(\.id) == [2, 3, 4, 5])
    try difference.checkInvariants(old: old, new: new)
    #expect(try new.applying(difference.inverted) == old)
  }

  @Test(arguments: BadFacts.allCases)
  func factsThatCannotBeTrueAreRefused(_ facts: BadFacts) {
    #expect(code(.badFacts) { _ = try facts.builder.build() })
  }
}

/// The facts that a store with an inconsistent ordering could report.
enum BadFacts: CaseIterable {
  case rowTwice, oldPathTwice, newPathTwice, negativePath
  case fixedRowPassedAnother, unchangedRowShifted
  case sectionNowhere, sectionDeletedTwice, negativeCount
  case deletedSectionWithUnreportedRows, rowPastTheCount, countsDoNotAddUp, survivorAtTheWrongIndex

  var builder: DifferenceBuilder<Int> {
    var builder = DifferenceBuilder<Int>()
    addRows(&builder)
    for section in sections { builder.touch(section) }
    return builder
  }

  private func addRows(_ builder: inout DifferenceBuilder<Int>) {
    switch self {
    case .rowTwice:
      builder.delete(1, from: path(0, 0))
      builder.insert(1, to: path(0, 3))
    case .oldPathTwice:
      builder.delete(1, from: path(0, 0))
      builder.change(2, from: path(0, 0), to: path(0, 0), .keys)
    case .newPathTwice:
      builder.insert(1, to: path(0, 0))
      builder.insert(2, to: path(0, 0))
    case .negativePath:
      builder.insert(1, to: path(0, -1))
    case .fixedRowPassedAnother:
      builder.change(1, from: path(0, 0), to: path(0, 1), .values)
      builder.change(2, from: path(0, 1), to: path(0, 0), .values)
    case .unchangedRowShifted:
      builder.change(1, from: path(0, 0), to: path(0, 1), .nothing)
    case .deletedSectionWithUnreportedRows, .rowPastTheCount, .countsDoNotAddUp:
      builder.delete(1, from: path(0, 1))
    case .sectionNowhere, .sectionDeletedTwice, .negativeCount, .survivorAtTheWrongIndex:
      break
    }
  }

  private var sections: [TouchedSection] {
    switch self {
    case .sectionNowhere:
      [TouchedSection(name: "A", old: nil, new: nil)]
    case .sectionDeletedTwice:
      [
        TouchedSection(name: "A", old: .init(index: 0, count: 0), new: nil),
        TouchedSection(name: "B", old: .init(index: 0, count: 0), new: nil),
      ]
    case .negativeCount:
      [TouchedSection(name: "A", old: .init(index: 0, count: -1), new: .init(index: 0, count: -1))]
    case .deletedSectionWithUnreportedRows:
      [TouchedSection(name: "A", old: .init(index: 0, count: 2), new: nil)]
    case .rowPastTheCount:
      [TouchedSection(name: "A", old: .init(index: 0, count: 1), new: .init(index: 0, count: 0))]
    case .countsDoNotAddUp:
      [TouchedSection(name: "A", old: .init(index: 0, count: 2), new: .init(index: 0, count: 2))]
    case .survivorAtTheWrongIndex:
      [TouchedSection(name: "A", old: .init(index: 0, count: 1), new: .init(index: 1, count: 1))]
    default: []
    }
  }
}
