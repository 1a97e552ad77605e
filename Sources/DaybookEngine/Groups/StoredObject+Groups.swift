import DaybookModel

extension StoredObject {
  /// The key of a group that is read as an object.
  package var groupKey: [Value] { values.prefix(layout.keyCount).map(\.value) }
}
