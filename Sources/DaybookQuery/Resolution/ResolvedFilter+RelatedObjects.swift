import DaybookModel

extension ResolvedFilter {
  /// The related objects that meet a condition, with resolved names.
  package final class RelatedObjects: Sendable {
    /// The path to the objects; its last step is to-many, and its field the objects' id.
    package let path: ResolvedPath
    /// The condition on a related object.
    package let condition: Node
    /// The objects in the filter's own words.
    let written: Filter.RelatedObjects

    init(path: ResolvedPath, condition: Node, written: Filter.RelatedObjects) {
      self.path = path
      self.condition = condition
      self.written = written
    }

    /// The paths whose values the condition reads, from the object that has the related objects, and the path to these.
    ///
    /// So whatever depends on the outcome is found as for every path of a filter: a link of the path, and a link or a
    /// value of a path that begins at a related object.
    var paths: [ResolvedPath] { [path] + condition.paths.map(path.followed(by:)) }
  }
}
