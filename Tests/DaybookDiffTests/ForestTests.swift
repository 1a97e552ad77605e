import DaybookDiff
import Testing

/// Applying differences to trees of ids.
@Suite(.hangLimit) struct ForestTests {
  /// Makes a forest of numbers from paths.
  private func forest(_ nodes: [(Int, Int?)]) throws -> Forest<Int> {
    var forest = Forest<Int>()
    for (id, parent) in nodes { forest.append(id, to: parent) }
    return forest
  }

  @Test func parentAndChildChangePlaces() throws {
    let old = try forest([(1, nil), (2, 1), (3, 2)])
    let difference = TreeDifference<Int>([.move(1, from: [0], to: [0, 1]), .move(2, from: [0, 0], to: [0])])
    let new = try old.applying(difference)
    #expect(new.nodes.map(\.id) == [2, 3, 1] && new.nodes.map(\.level) == [0, 1, 1])
  }

  @Test func aMoveOutOfADeletedBranchSurvivesIt() throws {
    let old = try forest([(1, nil), (2, 1), (3, 2), (4, nil)])
    let difference = TreeDifference<Int>([
      .delete(1, from: [0]), .move(3, from: [0, 0, 0], to: [1, 0, 0]),
      .insert(5, with: try forest([(6, nil)]), to: [1]), .update(4, from: [1], to: [0]),
    ])
    let new = try old.applying(difference)
    #expect(new == (try forest([(4, nil), (5, nil), (6, 5), (3, 6)])))
    #expect(new[[1, 0, 0]] == 3 && new[[1, 1]] == nil && new.count == 4)
  }

  @Test func whatDoesNotFitIsRefused() throws {
    let old = try forest([(1, nil), (2, 1)])
    let none = Forest<Int>()
    let wrong: [[NodeChange<Int>]] = [
      [.delete(2, from: [0])], [.delete(1, from: [1])], [.delete(1, from: [])], [.delete(1, from: [-1])],
      [.insert(9, with: none, to: [2])], [.insert(9, with: none, to: [0, 0, 0, 0])], [.insert(9, with: none, to: [])],
      [.insert(9, with: none, to: [-1])], [.insert(9, with: try forest([(1, nil), (3, 1)]), to: [0])],
      [.insert(9, with: try forest([(9, nil), (3, 9)]), to: [0])],
      [.move(1, from: [0], to: [0, 0])], [.update(1, from: [0], to: [1])],
      [.delete(1, from: [0]), .move(1, from: [0], to: [0])],
    ]
    for changes in wrong {
      #expect(throws: DifferenceError.self, "\(changes)") { try old.applying(TreeDifference(changes)) }
    }
  }
}
