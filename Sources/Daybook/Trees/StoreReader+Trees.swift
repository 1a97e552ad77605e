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
extension StoreReader {
  /// Returns the objects above an object, the nearest first.
  ///
  ///     let folders = try store.read { try $0.ancestors(of: file, over: "parent") }
  ///
  /// If the model allows cycles, and the object is in one, these are the other objects of the cycle; the cycle's
  /// objects are marked.
  ///
  /// - Throws: `StoreError`: `notFound` if the object does not exist, `badRequest` if the relationship does not make a tree
  ///   of its entity.
  /// - Complexity: O(*d* log *n*) for *d* objects above it.
  public func ancestors(of id: ObjectID, over relationship: String) throws -> [TreeObject] {
    try reader.ancestors(of: id, over: relationship)
  }

  /// Returns an object and everything below it, each object before its children.
  ///
  ///     let tree = try store.read { try $0.subtree(of: folder, over: "children", depth: 2) }
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
    try reader.subtree(of: id, over: relationship, depth: depth)
  }

  /// Returns the ids of a tree at a position.
  ///
  /// - Parameters:
  ///   - relationship: Either side of the relationship.
  ///   - root: The object at the top, which may not exist at the position; `nil` for all objects without a parent.
  ///   - depth: The number of levels below the top; `nil` for all.
  ///   - position: The position; `nil` for the reader's own. At 0 every tree is empty.
  /// - Throws: `StoreError`: `notFound` for a position beyond the reader's, `badRequest` if the relationship does not make
  ///   a tree.
  /// - Complexity: O(*n* log *n*) for *n* nodes, and the objects of the entity if there is no root.
  public func treeIDs(
    ofTree relationship: String, root: ObjectID? = nil, depth: Int? = nil, at position: Position? = nil
  ) throws -> Forest<ObjectID> {
    let request = TreeRequest(relationship: relationship, root: root, depth: depth)
    let position = position ?? self.position
    try requirePosition(position)
    guard position > .empty else {
      _ = try request.resolved(in: reader.model)
      return Forest()
    }
    return try withPast(position) { past in
      let state = request.state(past.reader, try request.resolved(in: past.reader.model))
      var forest = Forest<ObjectID>()
      try state.forEachNode { id, parent, _ in forest.append(id, to: parent) }
      return forest
    }
  }

  /// Returns the difference of a tree between two positions.
  ///
  /// A subtree that moved is one move. At 0 every tree is empty; if `to` is before `from`, it is the way back. If the
  /// model changed in between in what the tree shows, the returned change is a reset.
  ///
  /// - Parameters:
  ///   - relationship: Either side of the relationship.
  ///   - root: The object at the top, which may not exist at a position; `nil` for all objects without a parent.
  ///   - depth: The number of levels below the top; `nil` for all.
  ///   - from: The position of the old tree.
  ///   - to: The position of the new tree.
  /// - Throws: `StoreError`: `notFound` for a position beyond the head, `badRequest` if the relationship does not make a
  ///   tree of the later position's model.
  /// - Complexity: O(*k* (*d* + *s*) log *n*) for *k* events between the positions, and changed nodes on *d* levels with up
  ///   to *s* siblings; the size of inserted branches; with a depth, the size of moved branches; without a root, O(*n*) for
  ///   *n* objects of the entity.
  public func treeDifference(
    ofTree relationship: String, root: ObjectID? = nil, depth: Int? = nil, from: Position, to: Position
  ) throws -> Change<TreeDifference<ObjectID>> {
    var top: TreeTop?
    let request = TreeRequest(relationship: relationship, root: root, depth: depth)
    return try treeChange(of: request, from: from, to: to, &top)
  }
}

extension StoreReader {
  /// Returns the difference of a tree.
  ///
  /// - Parameters:
  ///   - limit: The largest size of a layer of inverse events, in bytes.
  ///   - top: The nodes at the top of the old tree if they are known; replaced by the ones of the new tree.
  /// - Throws: `SpanTooLarge`; the errors of the public form.
  func treeChange(
    of request: TreeRequest, from: Position, to: Position, limitInBytes limit: Int = .max, _ top: inout TreeTop?
  ) throws -> TreeChange {
    let (first, last) = (min(from, to), max(from, to))
    try requirePosition(last)
    guard last > .empty else {
      _ = try request.resolved(in: reader.model)
      return TreeChange(from: from, to: to)
    }
    return try withPast(last) { later in
      let tree = try request.resolved(in: later.reader.model)
      guard first < last else { return TreeChange(from: from, to: to) }
      let resolved = try later.reader.resolve(tree.request(in: later.reader.model))
      let start = from == first
      let present = request.state(later.reader, tree)
      guard first > .empty else {
        let changed = Set(try present.list(below: nil).map(\.id))
        let empty = request.state(nil, tree)
        return try treeChange(start ? empty : present, start ? present : empty, changed, request, from, to, &top)
      }
      let changed = try tree.candidates(resolved, from: first.next, through: last, in: journal, reader: later.reader)
      let isReset = try isReset(resolved, model: later.reader.model, from: first, to: last)
      if changed.isEmpty, !isReset, modelPosition <= first {
        top = top.map { TreeTop(position: to, keys: $0.keys) }
        return TreeChange(from: from, to: to)
      }
      let earlier = try later.rewound(to: first, in: journal, parts: .derived, limitInBytes: limit).reader
      // The relationship may be missing in an earlier model, which is a reset too.
      guard !isReset, let former = try? request.resolved(in: earlier.model), former == tree else {
        top = nil
        return TreeChange(from: from, to: to, isReset: true)
      }
      let past = request.state(earlier, former)
      return try treeChange(start ? past : present, start ? present : past, changed, request, from, to, &top)
    }
  }

  private func treeChange(
    _ old: TreeState, _ new: TreeState, _ changed: Set<ObjectID>, _ request: TreeRequest, _ from: Position,
    _ to: Position, _ top: inout TreeTop?
  ) throws -> TreeChange {
    if let top, top.position == from { old.setList(below: nil, to: top.keys) }
    var comparison = TreeComparison(from: old, to: new, changed: changed, countsChildren: request.countsChildren)
    let difference = try comparison.run { try new.differs($0, from: old) }
    top = new.knownList(below: nil).map { TreeTop(position: to, keys: $0) }
    var objects: [ObjectID: StoredObject] = [:]
    var childCounts: [ObjectID: Int] = [:]
    func note(_ id: ObjectID) throws {
      objects[id] = try new.reader?.object(ObjectKey(entity: new.tree.entity, id: id))
      if request.countsChildren { childCounts[id] = try new.hiddenChildCount(of: id) }
    }
    for change in difference.nodes {
      switch change {
      case .delete: continue
      case .insert(let branch, _): for node in branch.nodes { try note(node.id) }
      case .move(let id, _, _), .update(let id, _, _): try note(id)
      }
    }
    return TreeChange(
      from: from, to: to, difference: difference, source: TreeObjects(objects, childCounts: childCounts))
  }
}
