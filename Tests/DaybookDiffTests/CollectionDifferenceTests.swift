import DaybookDiff
import Testing

@Suite(.hangLimit) struct CollectionDifferenceTests {
  @Test func movesAreAssociated() throws {
    let difference = Difference<Int>(
      sections: [],
      rows: [
        .delete(1, from: path(0, 0)), .insert(9, to: path(0, 0)), .move(3, from: path(0, 2), to: path(0, 1)),
        .update(2, from: path(0, 1), to: path(0, 2)),
      ])
    let changes = try #require(difference.collectionDifference)
    #expect(
      changes.removals == [
        .remove(offset: 0, element: 1, associatedWith: nil), .remove(offset: 2, element: 3, associatedWith: 1),
      ])
    #expect(
      changes.insertions == [
        .insert(offset: 0, element: 9, associatedWith: nil), .insert(offset: 1, element: 3, associatedWith: 2),
      ])
    #expect([1, 2, 3].applying(changes) == [9, 3, 2])
  }

  @Test func aSectionedResultHasNone() {
    #expect(Difference<Int>(sections: [.insert(index: 0, name: "A")], rows: []).collectionDifference == nil)
    #expect(Difference<Int>(sections: [], rows: [.insert(1, to: path(1, 0))]).collectionDifference == nil)
    #expect(Difference<Int>(sections: [], rows: []).collectionDifference != nil)
  }
}
