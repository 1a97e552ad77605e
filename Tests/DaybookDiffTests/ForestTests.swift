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
    let branch = try TreeBranch([.init(5, level: 0), .init(6, level: 1)])
    let difference = TreeDifference<Int>([
      .delete(1, from: [0]), .move(3, from: [0, 0, 0], to: [1, 0, 0]), .insert(branch, to: [1]),
      .update(4, from: [1], to: [0]),
    ])
    let new = try old.applying(difference)
    #expect(new == (try forest([(4, nil), (5, nil), (6, 5), (3, 6)])))
    #expect(new[[1, 0, 0]] == 3 && new[[1, 1]] == nil && new.count == 4)
  }

  @Test func whatDoesNotFitIsRefused() throws {
    let old = try forest([(1, nil), (2, 1)])
    let one = try TreeBranch([TreeBranch<Int>.Node(9, level: 0)])
    let wrong: [[NodeChange<Int>]] = [
      [.delete(2, from: [0])], [.delete(1, from: [1])], [.delete(1, from: [])], [.delete(1, from: [-1])],
      [.insert(one, to: [2])], [.insert(one, to: [0, 0, 0, 0])], [.insert(one, to: [])], [.insert(one, to: [-1])],
      [.move(1, from: [0], to: [0, 0])], [.update(1, from: [0], to: [1])],
      [.delete(1, from: [0]), .move(1, from: [0], to: [0])],
    ]
    for changes in wrong {
      #expect(throws: DifferenceError.self, "\(changes)") { try old.applying(TreeDifference(changes)) }
    }
    for levels in [[], [1], [0, 0], [0, 2], [0, 1, 3]] {
      #expect(throws: DifferenceError.self) {
        try TreeBranch(levels.enumerated().map { TreeBranch<Int>.Node($0, level: $1) })
      }
    }
  }
}
