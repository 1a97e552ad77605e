import DaybookModel

/// An object in the tree of a store, as it is met from the top down.
public struct TreeNode: Sendable, Hashable {
  /// The object.
  public let id: ObjectID
  /// The name of its entity.
  public let entity: String
  /// The value of its entity's name attribute as text; empty if there is none.
  public let name: String
  /// How many objects are above it.
  public let depth: Int
  /// Whether no sibling follows.
  public let isLast: Bool
  /// Whether its entity has relationships to children.
  public let isBranch: Bool
  /// Whether it was met before and is shown with its children there.
  public let isRepeated: Bool
  /// Whether it is below itself, as far as the walk shows: it is the first object of a circle that nothing above leads
  /// to, or is met again below itself. The objects between the two are in the circle as well.
  public let isInCircle: Bool
  /// The values that were asked for, as text; empty where its entity has no such attribute.
  public let shown: [String]
}
