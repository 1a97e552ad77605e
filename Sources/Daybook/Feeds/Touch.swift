import DaybookModel

/// A change of one object by one commit.
struct Touch: Hashable {
  let trigger: Watch.Trigger
  let object: ObjectID
}
