import DaybookDiff
import DaybookEngine
import DaybookModel

/// The change of a tree between two positions.
///
///     for change in change.difference.nodes { print(change.word, change.id, change.from ?? [], change.to ?? []) }
public struct TreeChange: Sendable {
  /// The position of the old tree.
  public let from: Position
  /// The position of the new tree, from which a consumer can resume later in any process.
  public let to: Position
  /// Whether there is no difference and the tree must be read again.
  ///
  /// This is so if the model changed in what the tree shows, or if the span was too large for a live feed. The
  /// difference is empty then.
  public let isReset: Bool
  /// The changes that turn the old tree into the new one.
  public let difference: TreeDifference<ObjectID>
  /// The new state of all inserted, moved and updated objects, branches included.
  public let objects: [ObjectID: StoredObject]
  /// The new numbers of children of those objects that are on the last level, if the request counts them.
  package let childCounts: [ObjectID: Int]

  init(
    from: Position, to: Position, _ difference: TreeDifference<ObjectID> = TreeDifference([]),
    objects: [ObjectID: StoredObject] = [:], childCounts: [ObjectID: Int] = [:], isReset: Bool = false
  ) {
    (self.from, self.to, self.isReset) = (from, to, isReset)
    self.difference = difference
    self.objects = objects
    self.childCounts = childCounts
  }

  /// Whether the tree is unchanged.
  public var isEmpty: Bool { difference.isEmpty && !isReset }

  /// Returns the change from an earlier position; nothing changed between the two positions.
  func reported(from position: Position) -> TreeChange {
    TreeChange(
      from: position, to: to, difference, objects: objects, childCounts: childCounts, isReset: isReset)
  }
}
