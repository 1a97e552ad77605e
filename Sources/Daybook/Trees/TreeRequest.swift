import DaybookEngine
import DaybookModel

/// A tree of a store's objects: a relationship, what is at the top, and the levels to follow.
struct TreeRequest: Hashable, Sendable {
  /// The name of either side, such as `children` or `Folder.children`.
  let relationship: String
  /// The object at the top; `nil` for all objects of the entity without a parent.
  let root: ObjectID?
  /// The number of levels below the top; `nil` for all.
  let depth: Int?
  /// Whether the number of children of a node on the last level is a part of the node.
  var countsChildren = false

  /// Finds the relationship in a model.
  ///
  /// - Throws: `StoreError` with the code `badRequest`.
  func resolved(in model: ResolvedModel) throws -> TreeRelationship {
    guard depth ?? 0 >= 0 else {
      throw StoreError(.badRequest, "A tree cannot have \(depth ?? 0) levels.", advice: "Give a depth from 0.")
    }
    return try TreeRelationship(relationship, in: model)
  }

  func state(_ reader: Reader?, _ tree: TreeRelationship) -> TreeState {
    TreeState(reader, tree, root: root, depth: depth)
  }
}
