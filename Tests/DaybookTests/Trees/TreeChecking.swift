import Daybook
import Testing

/// Compares a difference with what the rules require for the two trees.
func check(
  _ change: TreeChange, from old: PlainTree, to new: PlainTree, _ comment: String,
  at location: SourceLocation = #_sourceLocation
) throws {
  func expect(_ condition: Bool, _ what: String) {
    #expect(condition, "\(comment): \(what)\n\(change.difference)", sourceLocation: location)
  }
  let reached = try old.forest.applying(change.difference)
  expect(reached == new.forest, "it leads to \(reached) and not to \(new.forest)")
  let expected = old.difference(to: new)
  var moveCounts: [ObjectID?: Int] = [:]
  var seen: Set<ObjectID> = []
  var updates: Set<ObjectID> = []
  var moves: Set<ObjectID> = []
  for node in change.difference.nodes {
    expect(seen.insert(node.id).inserted, "\(node.id) is listed twice")
    if let from = node.from { expect(expected.old[node.id] == from, "\(node.id) was at \(from)") }
    if let to = node.to { expect(expected.new[node.id] == to, "\(node.id) is at \(to)") }
    switch node {
    case .delete: expect(expected.deletes[node.id] != nil, "\(node.id) is deleted")
    case .insert(_, let below, _):
      let branch = [node.id] + below.nodes.map(\.id)
      expect(expected.inserts[node.id]?.branch == branch, "the branch of \(node.id)")
      for inserted in branch { expect(change.objects[inserted] != nil, "\(inserted) has no object") }
    case .move:
      moves.insert(node.id)
      expect(change.objects[node.id] != nil, "\(node.id) has no object")
      if expected.moves.contains(node.id) { continue }
      let parent = old.parent(node.id)
      expect(expected.reordered[parent]?.contains(node.id) == true, "\(node.id) kept its key and moves")
      moveCounts[parent, default: 0] += 1
    case .update:
      expect(change.objects[node.id] != nil, "\(node.id) has no object")
      updates.insert(node.id)
    }
  }
  let deletes = Set(change.difference.nodes.filter { $0.to == nil }.map(\.id))
  expect(deletes == Set(expected.deletes.keys), "the deletes are \(expected.deletes)")
  let inserts = Set(change.difference.nodes.filter { $0.from == nil }.map(\.id))
  expect(inserts == Set(expected.inserts.keys), "the inserts are \(expected.inserts)")
  expect(expected.moves.isSubset(of: moves), "the moves are \(expected.moves)")
  for (parent, count) in expected.moveCounts {
    expect(moveCounts[parent] ?? 0 == count, "\(count) moves below \(parent?.description ?? "the top")")
  }
  expect(updates == expected.changed.subtracting(moves), "the updates are \(expected.changed)")
}
