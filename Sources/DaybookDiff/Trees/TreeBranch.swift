/// A node with everything below it, as a list: each node before its children, siblings in order.
///
/// It is a list and not nested, so that a branch of any depth can be read and released.
public struct TreeBranch<ID: Hashable & Sendable>: Hashable, Sendable {
  /// A node of the branch.
  public struct Node: Hashable, Sendable {
    /// The node.
    public let id: ID
    /// The number of levels below the first node; 0 for the first node.
    public let level: Int

    /// Makes a node.
    public init(_ id: ID, level: Int) {
      self.id = id
      self.level = level
    }
  }

  /// The nodes; at least one.
  public let nodes: [Node]

  /// Makes a branch.
  ///
  /// - Parameter nodes: The nodes, each before its children. The first has level 0, and each other one a level from 1 to
  ///   one more than the node before it.
  /// - Throws: ``DifferenceError`` with the code `badDifference` if the levels are others.
  public init(_ nodes: [Node]) throws {
    guard nodes.first?.level == 0 else {
      throw DifferenceError(.badDifference, "A branch begins with a node of level 0.")
    }
    for (node, next) in zip(nodes, nodes.dropFirst()) where next.level < 1 || next.level > node.level + 1 {
      throw DifferenceError(
        .badDifference, "Node \(next.id) of level \(next.level) follows one of level \(node.level).")
    }
    self.nodes = nodes
  }

  /// The node at the top of the branch.
  public var id: ID { nodes[0].id }
}
