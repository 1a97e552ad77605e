import DaybookModel

/// Follows inverse paths from many objects, and each object on the way once.
///
/// Where a commit changes one object many times, or many that lead over one other to the same rows, as a box leads to all
/// things in it, the rows are found once and not once for each change.
package struct InverseWalk {
  private let reader: Reader
  /// The objects that were passed, by the rest of the path.
  private var passed: [[RelationshipReference]: Set<ObjectID>] = [:]

  package init(_ reader: Reader) { self.reader = reader }

  /// Returns the objects at the end of an inverse path, except those to which an earlier call led over the same object.
  ///
  /// - Complexity: O(log *n*) for each link, over all calls.
  package mutating func objects(along path: [RelationshipReference], from start: ObjectID) throws -> [ObjectID] {
    var ids = [start]
    for (number, step) in path.enumerated() {
      ids = ids.filter { passed[Array(path[number...]), default: []].insert($0).inserted }
      var next: [ObjectID] = []
      for id in ids { next += try reader.targets(of: step, from: id) }
      ids = next
    }
    return ids
  }
}
