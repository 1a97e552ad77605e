import DaybookEngine
import DaybookModel
import DaybookRuntime

/// The objects that the change of a tree leads to.
final class TreeObjects: ChangeSource {
  /// The new state of all inserted, moved and updated objects, branches included.
  let objects: [ObjectID: StoredObject]
  /// The new numbers of children of those objects that are on the last level, if the request counts them.
  let childCounts: [ObjectID: Int]

  init(_ objects: [ObjectID: StoredObject], childCounts: [ObjectID: Int]) {
    (self.objects, self.childCounts) = (objects, childCounts)
  }

  func objects(_ ids: [ObjectID]) -> [StoredObject] { ids.compactMap { objects[$0] } }
}
