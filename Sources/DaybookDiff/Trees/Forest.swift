/// The ids of trees: the nodes at the top, and the children of each node, in order.
///
///     var folders = try store.read { try $0.treeIDs("Folder.children") }
///     for try await change in store.changes(ofTree: "Folder.children", from: position) {
///       folders = try folders.applying(change.difference)
///     }
public struct Forest<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The nodes at the top.
  public internal(set) var roots: [ID] = []
  /// The children of each node that has some.
  var children: [ID: [ID]] = [:]

  /// Makes a forest without nodes.
  public init() {}

  /// Returns the children of a node; empty if it has none or is not in the forest.
  public func children(of id: ID) -> [ID] { children[id] ?? [] }

  /// The number of nodes.
  ///
  /// - Complexity: O(*n*) for *n* nodes that have children.
  public var count: Int { children.values.reduce(roots.count) { $0 + $1.count } }

  /// Returns all nodes, each before its children, with the number of nodes above it.
  ///
  /// - Complexity: O(*n*) for *n* nodes.
  package var nodes: [Node] {
    var nodes: [Node] = []
    var pending = roots.reversed().map { Node($0, level: 0) }
    while let node = pending.popLast() {
      nodes.append(node)
      pending += children(of: node.id).reversed().map { Node($0, level: node.level + 1) }
    }
    return nodes
  }

  /// A node in the list of all nodes.
  package struct Node: Hashable, Sendable {
    /// The node.
    package let id: ID
    /// The number of nodes above it; 0 at the top.
    package let level: Int

    package init(_ id: ID, level: Int) {
      self.id = id
      self.level = level
    }
  }

  /// Appends a node at an end: after the last node of the level above it, or at the top.
  ///
  /// - Parameters:
  ///   - id: A node that is not in the forest, which is not checked.
  ///   - parent: A node of the forest, or `nil` for the top.
  public mutating func append(_ id: ID, to parent: ID?) {
    if let parent { children[parent, default: []].append(id) } else { roots.append(id) }
  }

  /// Returns the node at a path, or `nil` if no node is there.
  ///
  /// - Complexity: O(*d*) for a path of *d* levels.
  public subscript(path: [Int]) -> ID? {
    var siblings = roots
    var node: ID?
    for index in path {
      guard siblings.indices.contains(index) else { return nil }
      node = siblings[index]
      siblings = children(of: siblings[index])
    }
    return node
  }
}
