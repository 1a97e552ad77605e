import DaybookDiff
import DaybookModel
import WorkLimits

/// Compares two states of a tree, from the objects that differ.
///
/// Only the lists of children on the ways from the changed nodes to the top are read, and branches that are new, or that
/// a limited depth cuts at another place. A list of one state is the other state's list with the changed objects
/// replaced, so it is read once.
package struct TreeComparison {
  private let old: TreeState
  private let new: TreeState
  /// The objects whose parent, place or shown values may differ.
  private let changed: [ObjectID]
  private let changedSet: Set<ObjectID>
  /// Whether the number of children of a node on the last level is a part of the node.
  private let countsChildren: Bool
  private var deletes: Set<ObjectID> = []
  private var inserts: Set<ObjectID> = []
  private var moves: Set<ObjectID> = []
  private var updates: Set<ObjectID> = []
  /// The changed objects that left a node, or the top, or came to it.
  private var left: [ObjectID?: [ObjectID]] = [:]
  private var arrived: [ObjectID?: [ObjectID]] = [:]
  /// The objects that stayed below a node, or at the top, and whose keys differ.
  private var reordered: [ObjectID?: [(id: ObjectID, isUpdate: Bool)]] = [:]

  /// The changed objects below each node, and at the top, of each state.
  private var oldChildren: [ObjectID?: [SiblingKey]] = [:]
  private var newChildren: [ObjectID?: [SiblingKey]] = [:]
  private var work = WorkCounter()

  /// - Parameters:
  ///   - changed: All objects whose parent, place among their siblings or shown values differ, and maybe others.
  ///   - countsChildren: Whether a node on the last level is updated if the number of its children differs.
  package init(from old: TreeState, to new: TreeState, changed: Set<ObjectID>, countsChildren: Bool = false) {
    self.countsChildren = countsChildren
    self.old = old
    self.new = new
    self.changed = changed.sorted()
    changedSet = changed
  }

  /// Returns the difference.
  ///
  /// - Parameter isDifferent: Returns whether the shown values of an object of both states differ.
  /// - Complexity: O(*k* (*d* + *s*) log *n*) for *k* changed objects on *d* levels with up to *s* siblings, and the size
  ///   of the branches that are new or cut at another place; O(*n*) for *n* objects if there is no root, and neither
  ///   state knows the nodes at the top.
  package mutating func run(isDifferent: (ObjectID) throws -> Bool) throws -> TreeDifference<ObjectID> {
    oldChildren = try children(in: old)
    newChildren = try children(in: new)
    for id in changed {
      try work.step()
      switch (try old.contains(id), try new.contains(id)) {
      case (false, false): continue
      case (true, false): try noteDelete(id)
      case (false, true): try noteInsert(id)
      case (true, true): try compare(id, isDifferent)
      }
    }
    for (parent, rows) in reordered { try placeSiblings(below: parent, rows) }
    if countsChildren { try noteCounts() }
    return try difference()
  }

  private mutating func noteDelete(_ id: ObjectID) throws {
    let parent = try old.parent(of: id)
    left[parent, default: []].append(id)
    if try parent.map({ try new.contains($0) }) ?? true { deletes.insert(id) }
  }

  private mutating func noteInsert(_ id: ObjectID) throws {
    let parent = try new.parent(of: id)
    arrived[parent, default: []].append(id)
    if try parent.map({ try old.contains($0) }) ?? true { inserts.insert(id) }
  }

  private mutating func compare(_ id: ObjectID, _ isDifferent: (ObjectID) throws -> Bool) throws {
    let (before, after) = (try old.parent(of: id), try new.parent(of: id))
    guard before == after else {
      left[before, default: []].append(id)
      arrived[after, default: []].append(id)
      moves.insert(id)
      return try noteCuts(below: id)
    }
    let isUpdate = try isDifferent(id)
    if try id != new.root && old.key(of: id) != new.key(of: id) {
      reordered[after, default: []].append((id, isUpdate))
    } else if isUpdate {
      updates.insert(id)
    }
  }

  /// Finds the nodes below a moved one that a limited depth includes in only one of the states.
  private mutating func noteCuts(below id: ObjectID) throws {
    let (before, after) = (try old.level(of: id), try new.level(of: id))
    if after < before, new.depth < Int.max - 1 {
      inserts.formUnion(try stayed(below: id, levels: new.depth + 1 - before, in: new))
    } else if after > before, new.depth < Int.max - 1 {
      deletes.formUnion(try stayed(below: id, levels: new.depth + 1 - after, in: old))
    }
  }

  /// Returns the nodes some levels below a node that are there in both states, with the same parents in between.
  private func stayed(below id: ObjectID, levels: Int, in state: TreeState) throws -> [ObjectID] {
    var level = [id]
    for _ in 0..<levels where !level.isEmpty {
      level = try level.flatMap { parent in
        try list(below: parent, in: state).map(\.id).filter { child in
          guard changedSet.contains(child) else { return true }
          return try old.parent(of: child) == parent && new.parent(of: child) == parent
        }
      }
    }
    return level
  }

  /// Finds the nodes that must leave their places among those that stayed beside them.
  private mutating func placeSiblings(below parent: ObjectID?, _ rows: [(id: ObjectID, isUpdate: Bool)]) throws {
    var builder = DifferenceBuilder<ObjectID>()
    for id in left[parent] ?? [] { builder.delete(id, from: try path(of: id, below: parent, in: old)) }
    for id in arrived[parent] ?? [] { builder.insert(id, to: try path(of: id, below: parent, in: new)) }
    for (id, isUpdate) in rows {
      builder.change(
        id, from: try path(of: id, below: parent, in: old), to: try path(of: id, below: parent, in: new),
        isUpdate ? .keys : .order)
    }
    for change in try builder.build().rows {
      switch change {
      case .move(let id, _, _): moves.insert(id)
      case .update(let id, _, _): updates.insert(id)
      case .delete, .insert: continue
      }
    }
  }

  /// Finds the nodes on the last level whose numbers of children differ, or that were on another level.
  private mutating func noteCounts() throws {
    var parents: Set<ObjectID> = []
    for id in changed {
      for state in [old, new] { if let parent = try state.parent(of: id) { parents.insert(parent) } }
    }
    // Below a node that was moved to the last level with a branch, nothing else may have changed.
    for id in deletes { if let parent = try new.parent(of: id) { parents.insert(parent) } }
    for id in parents where !moves.contains(id) {
      guard try old.contains(id), let count = try new.hiddenChildCount(of: id) else { continue }
      if try old.hiddenChildCount(of: id) != count { updates.insert(id) }
    }
  }

  private func path(of id: ObjectID, below parent: ObjectID?, in state: TreeState) throws -> RowPath {
    guard let key = try state.key(of: id) else {
      throw StoreError(.damaged, "There is no object \(id).", advice: .verify)
    }
    return RowPath(section: 0, row: try list(below: parent, in: state).rank(of: key))
  }

  private mutating func difference() throws -> TreeDifference<ObjectID> {
    var nodes: [NodeChange<ObjectID>] = []
    for id in deletes { nodes.append(.delete(id, from: try path(of: id, in: old))) }
    for id in inserts {
      nodes.append(.insert(id, with: try newForest(below: id), to: try path(of: id, in: new)))
    }
    for id in moves { nodes.append(.move(id, from: try path(of: id, in: old), to: try path(of: id, in: new))) }
    for id in updates { nodes.append(.update(id, from: try path(of: id, in: old), to: try path(of: id, in: new))) }
    return TreeDifference(nodes)
  }

  /// Returns the path of an object, after the lists on the way were taken from the other state where it knows them.
  private mutating func path(of id: ObjectID, in state: TreeState) throws -> [Int] {
    try work.step()
    var next: ObjectID? = id
    while let present = next {
      next = try state.parent(of: present)
      _ = try list(below: next, in: state)
    }
    return try state.path(of: id)
  }

  /// Returns everything below an object of the new tree that is only there.
  private mutating func newForest(below id: ObjectID) throws -> Forest<ObjectID> {
    var forest = Forest<ObjectID>()
    var pending = [Forest<ObjectID>.Node(id, level: try new.level(of: id))]
    while let node = pending.popLast() {
      try work.step()
      guard node.level < new.depth else { continue }
      let children = try list(below: node.id, in: new).filter { try !old.contains($0.id) }
      for child in children {
        forest.append(child.id, to: node.id == id ? nil : node.id)
        pending.append(Forest<ObjectID>.Node(child.id, level: node.level + 1))
      }
    }
    return forest
  }

  /// Returns the nodes below a node, or at the top, of one state.
  private func list(below parent: ObjectID?, in state: TreeState) throws -> [SiblingKey] {
    if let known = state.knownList(below: parent) { return known }
    let other = state === old ? new : old
    // The list of a node that one state lacks is in neither's tables but its own.
    let source = other.knownList(below: parent) != nil ? other : state === old && new.reader != nil ? new : state
    if source === state { return try state.list(below: parent) }
    let own = (state === old ? oldChildren : newChildren)[parent] ?? []
    let list = try source.list(below: parent).replacing(changedSet, with: own)
    state.setList(below: parent, to: list)
    return list
  }

  /// Returns the changed objects that exist in a state, by their parents there.
  private func children(in state: TreeState) throws -> [ObjectID?: [SiblingKey]] {
    var children: [ObjectID?: [SiblingKey]] = [:]
    for id in changed {
      guard let key = try state.key(of: id) else { continue }
      let parent = try state.parent(of: id)
      // Only the root is at the top of a tree that has one.
      if parent == nil, let root = state.root, id != root { continue }
      children[parent, default: []].append(key)
    }
    return children
  }
}
