import DaybookDiff
import DaybookEngine
import DaybookModel

extension Reader {
  /// Returns the objects above an object, the nearest first.
  func ancestors(of id: ObjectID, over relationship: String) throws -> [TreeObject] {
    let state = try tree(above: id, relationship, depth: nil)
    let (ids, cycle) = try state.ancestors(of: id)
    return try ids.enumerated().map { index, ancestor in
      try treeObject(ancestor, state, distance: index + 1, isInCycle: cycle.contains(ancestor))
    }
  }

  /// Returns an object and everything below it, each object before its children.
  func subtree(of id: ObjectID, over relationship: String, depth: Int?) throws -> [TreeObject] {
    let state = try tree(above: id, relationship, depth: depth)
    // Everything below an object that is in no cycle is in none either.
    let cycle = try state.ancestors(of: id).cycle
    let ring = cycle.contains(id) ? cycle : []
    var objects: [TreeObject] = []
    try state.forEachNode { node, _, level in
      objects.append(try treeObject(node, state, distance: level, isInCycle: ring.contains(node)))
    }
    return objects
  }

  /// Returns the ids of a tree.
  func nodes(of request: TreeRequest) throws -> Forest<ObjectID> {
    let state = request.state(self, try request.resolved(in: model))
    var forest = Forest<ObjectID>()
    try state.forEachNode { id, parent, _ in forest.append(id, to: parent) }
    return forest
  }

  private func tree(above id: ObjectID, _ relationship: String, depth: Int?) throws -> TreeState {
    guard let key = try find(id) else {
      throw StoreError(.notFound, "There is no object \(id).", advice: .readHistory)
    }
    guard depth ?? 0 >= 0 else {
      throw StoreError(.badRequest, "A tree cannot have \(depth ?? 0) levels.", advice: "Give a depth from 0.")
    }
    let tree = try TreeRelationship(relationship, of: key.entity, in: model)
    guard model.entities[key.entity].isKind(of: model.entities[tree.entity]) else {
      throw StoreError(
        .badRequest,
        "\(id) is a \(model.entities[key.entity].name), and “\(relationship)” is a relationship of \(model.entities[tree.entity].name)."
      )
    }
    return TreeState(self, tree, root: id, depth: depth)
  }

  private func treeObject(
    _ id: ObjectID, _ state: TreeState, distance: Int, isInCycle: Bool
  ) throws -> TreeObject {
    guard let object = try object(ObjectKey(entity: state.tree.entity, id: id)) else { throw contradiction(in: .links) }
    return TreeObject(object: object, distance: distance, isInCycle: isInCycle)
  }
}
