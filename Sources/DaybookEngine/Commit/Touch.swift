import DaybookModel

/// A change of one object by one commit.
package struct Touch: Hashable {
  package let trigger: Dependency.Trigger
  package let object: ObjectID
}
