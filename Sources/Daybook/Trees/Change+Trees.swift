import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Change where Difference == TreeDifference<ObjectID> {
  /// The new state of all inserted, moved and updated objects of a tree, branches included.
  ///
  ///     for node in change.difference.nodes { print(node.word, node.id, change.objects[node.id]?["name"] ?? "") }
  public var objects: [ObjectID: StoredObject] { (source as? TreeObjects)?.objects ?? [:] }

  /// The new numbers of children of those objects that are on the last level, if the request counts them.
  package var childCounts: [ObjectID: Int] { (source as? TreeObjects)?.childCounts ?? [:] }
}

/// The change of a tree of objects.
package typealias TreeChange = Change<TreeDifference<ObjectID>>
