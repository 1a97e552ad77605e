import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookRuntime

extension StoreReader {
  /// Returns the ids of a tree at a position; at 0 every tree is empty.
  ///
  /// - Throws: `StoreError`: `notFound` for a position beyond the reader's, `badRequest` if the relationship does not make
  ///   a tree.
  package func treeIDs(
    ofTree relationship: String, root: ObjectID? = nil, depth: Int? = nil, at position: Position
  ) throws -> Forest<ObjectID> {
    let request = TreeRequest(relationship: relationship, root: root, depth: depth)
    try requirePosition(position)
    guard position > .empty else {
      _ = try request.resolved(in: reader.model)
      return Forest()
    }
    return try withPast(position) { try $0.reader.nodes(of: request) }
  }

  /// Returns the difference of a tree between two positions; see `Store.treeDifference(ofTree:root:depth:from:to:)`.
  package func treeDifference(
    ofTree relationship: String, root: ObjectID? = nil, depth: Int? = nil, from: Position, to: Position
  ) throws -> Change<TreeDifference<ObjectID>> {
    var top: TreeTop?
    let request = TreeRequest(relationship: relationship, root: root, depth: depth)
    return try treeChange(of: request, from: from, to: to, &top)
  }

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
      case .insert(let id, let below, _):
        try note(id)
        for node in below.nodes { try note(node.id) }
      case .move(let id, _, _), .update(let id, _, _): try note(id)
      }
    }
    return TreeChange(
      from: from, to: to, difference: difference, source: TreeObjects(objects, childCounts: childCounts))
  }
}
