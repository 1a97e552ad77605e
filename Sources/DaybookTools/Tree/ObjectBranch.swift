import Daybook

/// An object of the tree of a store, with the levels below it that were asked for.
package struct ObjectBranch: Sendable, Hashable {
  /// The object.
  package let id: ObjectID
  /// The name of its entity.
  package let entity: String
  /// The value of its entity's name attribute as text; empty if it is not set.
  package let name: String
  /// The number of its children.
  package let childCount: Int
  /// Its children in their order; `nil` below the last level.
  package let children: [ObjectBranch]?
}
