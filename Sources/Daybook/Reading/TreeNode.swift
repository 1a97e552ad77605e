import DaybookModel

/// A visit of an object in the tree of a store, from the top down.
public struct TreeNode: Sendable, Hashable {
  /// The object.
  public let id: ObjectID
  /// The name of its entity.
  public let entity: String
  /// The value of its entity's name attribute as text; empty if there is none.
  public let name: String
  /// The number of objects above it.
  public let depth: Int
  /// Whether no sibling follows.
  public let isLast: Bool
  /// Whether its entity has relationships to children.
  public let isBranch: Bool
  /// Whether the object was visited before, and its children were walked there.
  public let isRepeated: Bool
  /// Whether the walk shows that the object is below itself.
  ///
  /// That is so if it is the first object of a circle that is below no top, or if it is visited again below itself. The
  /// objects between these two visits are in the circle as well.
  public let isInCircle: Bool
  /// The requested values, as text; empty if its entity lacks the attribute.
  public let shown: [String]
}
