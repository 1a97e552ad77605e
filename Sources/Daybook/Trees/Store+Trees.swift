import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Store {
  /// Returns the difference of a tree between two positions.
  ///
  ///     let change = try store.treeDifference(ofTree: "Folder.children", from: 5)
  ///
  /// A subtree that moved is one move. At 0 every tree is empty; if `to` is before `from`, it is the way back. If the
  /// model changed in between in what the tree shows, the returned change is a reset.
  ///
  /// - Parameters:
  ///   - relationship: Either side of the relationship.
  ///   - root: The object at the top, which may not exist at a position; `nil` for all objects without a parent.
  ///   - depth: The number of levels below the top; `nil` for all.
  ///   - from: The position of the old tree.
  ///   - to: The position of the new tree, which may be before `from`; `nil` for the head.
  /// - Throws: `StoreError`: `notFound` for a position beyond the head, `badRequest` if the relationship does not make a
  ///   tree of the later position's model.
  /// - Complexity: O(*k* (*d* + *s*) log *n*) for *k* events between the positions, and changed nodes on *d* levels with up
  ///   to *s* siblings; the size of inserted branches; with a depth, the size of moved branches; without a root, O(*n*) for
  ///   *n* objects of the entity.
  public func treeDifference(
    ofTree relationship: String, root: ObjectID? = nil, depth: Int? = nil, from: Position, to: Position? = nil
  ) throws -> Change<TreeDifference<ObjectID>> {
    try read {
      try $0.treeDifference(ofTree: relationship, root: root, depth: depth, from: from, to: to ?? $0.position)
    }
  }

  /// Returns a live feed of a tree's differences from a position on.
  ///
  ///     var folders = try store.at(position).treeIDs(ofTree: "Folder.children")
  ///     for try await change in store.changes(ofTree: "Folder.children", from: position) {
  ///       folders = try folders.applying(change.difference)
  ///       position = change.to
  ///     }
  ///
  /// Each difference is computed on demand from the commits since the last one; an empty one is not delivered. A slow
  /// consumer receives one difference for everything that it missed. ``Change/isReset`` means that the tree must be
  /// read again.
  ///
  /// - Parameters:
  ///   - relationship: Either side of the relationship, such as `Folder.children`.
  ///   - root: The object at the top, which need not exist yet; `nil` for all objects without a parent.
  ///   - depth: The number of levels below the top; `nil` for all.
  ///   - start: The position of the tree that the caller has; 0 if it has none.
  /// - Complexity: As ``treeDifference(ofTree:root:depth:from:to:)``; without a root, only the first change
  ///   takes a visit of all objects of the entity.
  public func changes(
    ofTree relationship: String, root: ObjectID? = nil, depth: Int? = nil, from start: Position = .empty
  ) -> Feed<Change<TreeDifference<ObjectID>>> {
    changes(ofTree: relationship, root: root, depth: depth, countsChildren: false, from: start)
  }

  /// Returns a live feed of a tree's differences.
  ///
  /// - Parameter countsChildren: Whether the number of children of a node on the last level is a part of the node, which is
  ///   updated when it changes.
  package func changes(
    ofTree relationship: String, root: ObjectID?, depth: Int?, countsChildren: Bool, from start: Position
  ) -> Feed<TreeChange> {
    let request = TreeRequest(relationship: relationship, root: root, depth: depth, countsChildren: countsChildren)
    return Feed { TreeSource(self, request, from: start) }
  }
}
