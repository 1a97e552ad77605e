import Daybook
import DaybookModel

/// A visit of an object in the tree of a store, from the top down.
package struct TreeNode: Sendable, Hashable {
  /// The object.
  package let id: ObjectID
  /// The name of its entity.
  package let entity: String
  /// The value of its entity's name attribute as text; empty if there is none.
  package let name: String
  /// The number of objects above it.
  package let depth: Int
  /// Whether no sibling follows.
  package let isLast: Bool
  /// Whether its entity has relationships to children.
  package let isBranch: Bool
  /// Whether the object was visited before, and its children were walked there.
  package let isRepeated: Bool
  /// Whether the walk shows that the object is below itself.
  ///
  /// That is so if it is the first object of a circle that is below no top, or if it is visited again below itself. The
  /// objects between these two visits are in the circle as well.
  package let isInCircle: Bool
  /// The requested values, as text; empty if its entity lacks the attribute.
  package let shown: [String]
}
