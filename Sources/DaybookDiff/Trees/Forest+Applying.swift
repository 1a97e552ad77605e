extension Forest {
  /// Returns the new state of a forest.
  ///
  /// All deleted and moved nodes are taken out by their old paths; then inserted and moved nodes are put in by rising new
  /// paths, a parent before its children.
  ///
  /// - Throws: ``DifferenceError`` with the code `mismatch` if the difference is not of this forest, `badDifference` if
  ///   it contradicts itself. The forest is unchanged.
  /// - Complexity: O(*k* (*d* + *s*)) for *k* changed nodes on *d* levels with up to *s* siblings.
  public func applying(_ difference: TreeDifference<ID>) throws -> Forest {
    var forest = self
    try forest.take(out: difference)
    for change in difference.nodes.filter({ $0.isPut }).sorted(by: Forest.comesFirst) { try forest.put(change) }
    for case .update(let id, _, let to) in difference.nodes where forest[to] != id {
      throw DifferenceError(.mismatch, "Node \(id) is not at \(to) of the new tree.")
    }
    return forest
  }

  private static func comesFirst(_ a: NodeChange<ID>, _ b: NodeChange<ID>) -> Bool {
    (a.to ?? []).lexicographicallyPrecedes(b.to ?? [])
  }

  /// Removes deleted nodes with what stayed below them, and moved nodes without it.
  private mutating func take(out difference: TreeDifference<ID>) throws {
    var taken: Set<ID> = []
    var parents: Set<ID> = []
    var isRootTaken = false
    for change in difference.nodes {
      guard let from = change.from else { continue }
      guard !from.isEmpty, self[from] == change.id else {
        throw DifferenceError(.mismatch, "Node \(change.id) is not at \(from) of the old tree.")
      }
      if case .update = change { continue }
      guard taken.insert(change.id).inserted else {
        throw DifferenceError(.badDifference, "Node \(change.id) is listed twice.")
      }
      if let parent = self[Array(from.dropLast())] { parents.insert(parent) } else { isRootTaken = true }
    }
    if isRootTaken { roots.removeAll(where: taken.contains) }
    for parent in parents { setChildren(of: parent, to: children(of: parent).filter { !taken.contains($0) }) }
    for case .delete(let id, _) in difference.nodes { removeBranch(id) }
  }

  private mutating func removeBranch(_ id: ID) {
    var pending = [id]
    while let next = pending.popLast() {
      if let below = children.removeValue(forKey: next) { pending += below }
    }
  }

  private mutating func setChildren(of parent: ID, to list: [ID]) {
    children[parent] = list.isEmpty ? nil : list
  }

  private mutating func put(_ change: NodeChange<ID>) throws {
    guard let to = change.to, let index = to.last else {
      throw DifferenceError(.badDifference, "Node \(change.id) has no new path.")
    }
    let path = Array(to.dropLast())
    let parent = self[path]
    guard parent != nil || path.isEmpty else {
      throw DifferenceError(.mismatch, "Node \(change.id) comes to \(to), but there is no node at \(path).")
    }
    var siblings = parent.map { children(of: $0) } ?? roots
    guard (0...siblings.count).contains(index) else {
      throw DifferenceError(.mismatch, "Node \(change.id) comes to \(to), but it has \(siblings.count) siblings.")
    }
    siblings.insert(change.id, at: index)
    if let parent { setChildren(of: parent, to: siblings) } else { roots = siblings }
    if case .insert(let id, let below, _) = change { try put(below, below: id) }
  }

  /// Adds what is below an inserted node.
  private mutating func put(_ forest: Forest, below id: ID) throws {
    guard !forest.roots.isEmpty else { return }
    var lists = forest.children
    guard lists.updateValue(forest.roots, forKey: id) == nil, !forest.roots.contains(id) else {
      throw DifferenceError(.badDifference, "Node \(id) is below itself.")
    }
    try children.merge(lists) { _, _ in
      throw DifferenceError(.badDifference, "A node below \(id) is in the tree already.")
    }
  }
}

private extension NodeChange {
  /// Whether the change puts a node in its place.
  var isPut: Bool {
    switch self {
    case .insert, .move: true
    case .delete, .update: false
    }
  }
}
