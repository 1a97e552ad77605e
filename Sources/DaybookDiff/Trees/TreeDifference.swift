/// The changes that turn one state of a tree into another.
///
///     for change in difference.nodes { print(change.word, change.id, change.from ?? [], change.to ?? []) }
///
/// A node is listed at most once, and only if it changed by itself: nodes below a deleted, inserted or moved one go and
/// come with it. Of the nodes that stayed below the same parent, only the ones whose place depends on what changed are
/// moved, and as few as possible. ``Forest/applying(_:)`` turns the old tree into the new one.
public struct TreeDifference<RowID: Hashable & Sendable>: Hashable, Sendable {
  /// The changes: deletes by falling old path, inserts by rising new path, moves and updates by old path.
  public let nodes: [NodeChange<RowID>]

  /// Makes a difference of changes in any order.
  public init(_ nodes: some Sequence<NodeChange<RowID>>) {
    self.nodes = nodes.sorted(by: NodeChange.precedes)
  }

  /// Whether the trees are equal.
  public var isEmpty: Bool { nodes.isEmpty }
}
