/// The change of one node between two states of a tree.
///
/// A path has an index for each level from the top down: `[0, 2]` is the third child of the first node at the top. Old
/// paths count in the old tree, new paths in the new one; no path depends on another change.
public enum NodeChange<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The node is only in the old tree, and its parent is in both or it was at the top.
  ///
  /// Everything below it is gone too, except nodes that have moves of their own.
  case delete(ID, from: [Int])
  /// The node is only in the new tree, and its parent is in both or it is at the top.
  ///
  /// The forest is everything below it that is only in the new tree; its roots are the node's children.
  case insert(ID, with: Forest<ID>, to: [Int])
  /// The node has another parent, or another place among the nodes that stayed beside it; it takes along what is below
  /// it.
  case move(ID, from: [Int], to: [Int])
  /// The node kept its place, but its state changed. Its paths may differ, because others came and went.
  case update(ID, from: [Int], to: [Int])

  /// The node.
  public var id: ID {
    switch self {
    case .delete(let id, _), .insert(let id, _, _), .move(let id, _, _), .update(let id, _, _): id
    }
  }

  /// The path in the old tree, or `nil` for an insert.
  public var from: [Int]? {
    switch self {
    case .delete(_, let from), .move(_, let from, _), .update(_, let from, _): from
    case .insert: nil
    }
  }

  /// The path in the new tree, or `nil` for a delete.
  public var to: [Int]? {
    switch self {
    case .delete: nil
    case .insert(_, _, let to), .move(_, _, let to), .update(_, _, let to): to
    }
  }

  /// The kind of change: `delete`, `insert`, `move` or `update`.
  package var word: String {
    switch self {
    case .delete: "delete"
    case .insert: "insert"
    case .move: "move"
    case .update: "update"
    }
  }

  /// The kinds in the order of a difference.
  private var rank: Int {
    switch self {
    case .delete: 0
    case .insert: 1
    case .move: 2
    case .update: 3
    }
  }

  /// Whether a change is before another one in a difference: deletes by falling old path, inserts by rising new path,
  /// then moves and updates by rising old path.
  static func precedes(_ a: NodeChange, _ b: NodeChange) -> Bool {
    if a.rank != b.rank { return a.rank < b.rank }
    switch (a, b) {
    case (.delete(_, let from), .delete(_, let other)): return other.lexicographicallyPrecedes(from)
    case (.insert(_, _, let to), .insert(_, _, let other)): return to.lexicographicallyPrecedes(other)
    default: return (a.from ?? []).lexicographicallyPrecedes(b.from ?? [])
    }
  }
}
