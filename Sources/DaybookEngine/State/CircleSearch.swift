import DaybookModel

/// Searches for circles over a to-one relationship of an entity to itself.
///
/// Each object is examined once, whatever the number of starts.
package struct CircleSearch {
  package let reference: RelationshipReference
  private var examined: Set<ObjectID> = []

  package init(_ reference: RelationshipReference) {
    self.reference = reference
  }

  /// Returns the circle to which a chain of targets leads, or `nil` if the chain ends or was examined before.
  ///
  /// - Parameters:
  ///   - first: The object with which the chain begins.
  ///   - target: Returns the target of an object, or `nil` if it has none.
  package mutating func circle(
    from first: ObjectID, target: (ObjectID) throws -> ObjectID?
  ) rethrows -> Circle? {
    var chain: [ObjectID] = []
    var places: [ObjectID: Int] = [:]
    var next: ObjectID? = first
    var circle: Circle?
    while let id = next, !examined.contains(id) {
      if let start = places[id] {
        circle = Circle(reference: reference, ids: Array(chain[start...]))
        break
      }
      places[id] = chain.count
      chain.append(id)
      next = try target(id)
    }
    examined.formUnion(chain)
    return circle
  }
}
