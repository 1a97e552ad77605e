import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookRuntime

/// The trees that a relationship of an entity to itself makes of its objects.
///
/// The relationship is named by either side, with its entity or, if no other entity has such a relationship, without:
/// `Folder.children`, `Folder.parent` or `children`. One side leads to one parent, the other one to many children.
/// Siblings are in the order of the relationship if it is ordered, else by their name attribute, in its order, and then
/// by id; nodes at the top are always by name.
extension ObjectReader where Self: ~Copyable {
  /// Returns the objects above an object, the nearest first.
  ///
  ///     let folders = try store.ancestors(of: file, over: "parent")
  ///
  /// If the model allows cycles, and the object is in one, these are the other objects of the cycle; the cycle's
  /// objects are marked.
  ///
  /// - Throws: `StoreError`: `notFound` if the object does not exist, `badRequest` if the relationship does not make a tree
  ///   of its entity.
  /// - Complexity: O(*d* log *n*) for *d* objects above it.
  public func ancestors(of id: ObjectID, over relationship: String) throws -> [TreeObject] {
    try read { try $0.settled { try $0.ancestors(of: id, over: relationship) } }
  }

  /// Returns an object and everything below it, each object before its children.
  ///
  ///     let tree = try store.subtree(of: folder, over: "children", depth: 2)
  ///
  /// If the model allows cycles, and the object is in one, each object of the cycle is returned once, and marked.
  ///
  /// - Parameters:
  ///   - id: The object at the top.
  ///   - relationship: Either side of the relationship.
  ///   - depth: The number of levels below the object; `nil` for all.
  /// - Throws: As ``ancestors(of:over:)``.
  /// - Complexity: O(*n* log *n*) for *n* returned objects.
  public func subtree(of id: ObjectID, over relationship: String, depth: Int? = nil) throws -> [TreeObject] {
    try read { try $0.settled { try $0.subtree(of: id, over: relationship, depth: depth) } }
  }

  /// Returns the ids of a tree, to which differences of the tree are applied.
  ///
  ///     let folders = try store.at(5).treeIDs(ofTree: "Folder.children")
  ///
  /// - Parameters:
  ///   - relationship: Either side of the relationship.
  ///   - root: The object at the top, which may not exist; `nil` for all objects without a parent.
  ///   - depth: The number of levels below the top; `nil` for all.
  /// - Throws: `StoreError` with the code `badRequest` if the relationship does not make a tree.
  /// - Complexity: O(*n* log *n*) for *n* nodes, and the objects of the entity if there is no root.
  public func treeIDs(
    ofTree relationship: String, root: ObjectID? = nil, depth: Int? = nil
  ) throws -> Forest<ObjectID> {
    let request = TreeRequest(relationship: relationship, root: root, depth: depth)
    return try read { try $0.settled { try $0.nodes(of: request) } }
  }
}
