/// The declared groups of an entity, with their parts as numbers.
package final class ResolvedGroups: Sendable {
  /// The tag of the groups' rows.
  package let tag: Tag
  /// The tag of the index by which the groups are in order of their keys.
  package let keysTag: Tag
  package let name: String
  package let keys: [Key]
  package let values: [Value]

  init(tag: Tag, keysTag: Tag, name: String, keys: [Key], values: [Value]) {
    (self.tag, self.keysTag, self.name, self.keys, self.values) = (tag, keysTag, name, keys, values)
  }

  /// A key: the value of a path, or what a transform makes of it in UTC.
  package struct Key: Hashable, Sendable {
    package let path: ResolvedPath
    package let transform: SectionTransform

    package init(path: ResolvedPath, transform: SectionTransform) {
      (self.path, self.transform) = (path, transform)
    }
  }

  /// What is computed over the objects of a group.
  package struct Value: Hashable, Sendable {
    package let function: Accumulator.Function
    /// The path to the values; `nil` for the number of objects.
    package let path: ResolvedPath?

    package init(function: Accumulator.Function, path: ResolvedPath?) {
      (self.function, self.path) = (function, path)
    }
  }
}
