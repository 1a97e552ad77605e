import Daybook

/// A tree of folders as plain lists, and the difference of two of them by the rules alone.
///
/// It reads everything and computes each rule by its definition, without the store's shortcuts.
struct PlainTree: Equatable {
  struct Node: Equatable {
    var parent: ObjectID?
    var name: String?
    /// Its place among the children of its parent, where they have an order.
    var place: Int = 0
    /// All values and links that the node shows.
    var state: String
  }

  var nodes: [ObjectID: Node] = [:]
  let root: ObjectID?
  let depth: Int
  let isOrdered: Bool

  /// Reads all folders of a position.
  init(
    _ store: Store, at position: Position, root: ObjectID?, depth: Int?, ordered isOrdered: Bool = false
  ) throws {
    (self.root, self.depth, self.isOrdered) = (root, depth ?? .max, isOrdered)
    guard position > .empty else { return }
    nodes = try store.at(position).read { reader in
      var nodes: [ObjectID: Node] = [:]
      for object in try reader.fetch(Request(entity: "Folder")).rows {
        let parent = try reader.targets(of: object.id, "parent").first
        let siblings = try parent.map { try reader.targets(of: $0, "children") } ?? []
        var name: String?
        if case .string(let text) = object["name"] { name = text }
        let state = "\(object.values.map { "\($0)" }) \(object.links.map { "\($0)" })"
        nodes[object.id] = Node(
          parent: parent, name: name, place: siblings.firstIndex(of: object.id) ?? 0, state: state)
      }
      return nodes
    }
  }

  func parent(_ id: ObjectID) -> ObjectID? { id == root ? nil : nodes[id]?.parent }

  /// The nodes below a node, or at the top, in order.
  func children(_ parent: ObjectID?) -> [ObjectID] {
    if parent == nil, let root { return nodes[root] == nil ? [] : [root] }
    let ids = nodes.keys.filter { $0 != root && nodes[$0]?.parent == parent }
    return ids.sorted { a, b in
      let (first, second) = (nodes[a]!, nodes[b]!)
      if isOrdered, parent != nil { return first.place < second.place }
      if first.name == second.name { return a < b }
      guard let one = first.name else { return true }
      guard let other = second.name else { return false }
      return one.utf8.lexicographicallyPrecedes(other.utf8)
    }
  }

  /// All nodes of the tree with their paths, each before its children.
  var paths: [(id: ObjectID, path: [Int])] {
    var paths: [(ObjectID, [Int])] = []
    func visit(_ parent: ObjectID?, _ path: [Int]) {
      guard path.count <= depth || depth == .max else { return }
      for (index, id) in children(parent).enumerated() {
        paths.append((id, path + [index]))
        visit(id, path + [index])
      }
    }
    visit(nil, [])
    return paths
  }

  var forest: Forest<ObjectID> {
    var forest = Forest<ObjectID>()
    for (id, _) in paths { forest.append(id, to: parent(id)) }
    return forest
  }

  /// What a difference must contain; of several smallest sets of moves, only the number is fixed.
  struct Expected {
    var deletes: [ObjectID: [Int]] = [:]
    var inserts: [ObjectID: (path: [Int], branch: [ObjectID])] = [:]
    /// Nodes with another parent, which always move.
    var moves: Set<ObjectID> = []
    /// Nodes that stayed and changed their own state.
    var changed: Set<ObjectID> = []
    /// Nodes whose key changed, by their parent: these may move.
    var reordered: [ObjectID?: Set<ObjectID>] = [:]
    /// The least number of moves below each parent.
    var moveCounts: [ObjectID?: Int] = [:]
    var old: [ObjectID: [Int]] = [:]
    var new: [ObjectID: [Int]] = [:]
  }

  func difference(to other: PlainTree) -> Expected {
    var expected = Expected()
    expected.old = Dictionary(uniqueKeysWithValues: paths)
    expected.new = Dictionary(uniqueKeysWithValues: other.paths)
    for (id, path) in expected.old where expected.new[id] == nil {
      if parent(id).map({ expected.new[$0] != nil }) ?? true { expected.deletes[id] = path }
    }
    for (id, path) in other.paths where expected.old[id] == nil {
      guard other.parent(id).map({ expected.old[$0] != nil }) ?? true else { continue }
      let branch = other.paths.filter { $0.path.starts(with: path) && expected.old[$0.id] == nil }.map(\.id)
      expected.inserts[id] = (path, branch.filter { other.isJoined($0, to: id, expected.old) })
    }
    for id in expected.old.keys where expected.new[id] != nil {
      if parent(id) != other.parent(id) {
        expected.moves.insert(id)
        continue
      }
      if nodes[id]?.state != other.nodes[id]?.state { expected.changed.insert(id) }
      let isSameKey = isOrdered && parent(id) != nil ? false : nodes[id]?.name == other.nodes[id]?.name
      if !isSameKey, id != root { expected.reordered[parent(id), default: []].insert(id) }
    }
    // The order keys, which decide what may move, are not in the lists.
    for (parent, ids) in expected.reordered where !isOrdered || parent == nil {
      expected.moveCounts[parent] = leastMoves(of: ids, below: parent, to: other)
    }
    return expected
  }

  /// Whether all nodes between a node and one above it are new.
  private func isJoined(_ id: ObjectID, to top: ObjectID, _ old: [ObjectID: [Int]]) -> Bool {
    var next: ObjectID? = id
    while let present = next, present != top {
      if old[present] != nil { return false }
      next = parent(present)
    }
    return next == top
  }

  /// The least number of nodes that must move: tries all sets of nodes that may.
  private func leastMoves(
    of ids: Set<ObjectID>, below parent: ObjectID?, to other: PlainTree
  ) -> Int {
    let (before, after) = (children(parent), other.children(parent))
    let stayed = Set(before).intersection(after)
    let candidates = Array(ids)
    var least = candidates.count
    for bits in 0..<(1 << candidates.count) where bits.nonzeroBitCount < least {
      let moved = Set(candidates.indices.filter { bits >> $0 & 1 == 1 }.map { candidates[$0] })
      let fixed = stayed.subtracting(moved)
      if before.filter(fixed.contains) == after.filter(fixed.contains) { least = bits.nonzeroBitCount }
    }
    return least
  }
}
