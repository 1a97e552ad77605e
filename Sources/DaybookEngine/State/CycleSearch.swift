import DaybookModel

/// Searches for cycles over a to-one relationship of an entity to itself.
///
/// Each object is examined once, whatever the number of starts.
package struct CycleSearch {
  package let reference: RelationshipReference
  private var examined: Set<ObjectID> = []

  package init(_ reference: RelationshipReference) {
    self.reference = reference
  }

  /// Returns the cycle to which a chain of targets leads, or `nil` if the chain ends or was examined before.
  ///
  /// - Parameters:
  ///   - first: The object with which the chain begins.
  ///   - target: Returns the target of an object, or `nil` if it has none.
  package mutating func cycle(
    from first: ObjectID, target: (ObjectID) throws -> ObjectID?
  ) rethrows -> Cycle? {
    var chain: [ObjectID] = []
    var places: [ObjectID: Int] = [:]
    var next: ObjectID? = first
    var cycle: Cycle?
    while let id = next, !examined.contains(id) {
      if let start = places[id] {
        cycle = Cycle(reference: reference, ids: Array(chain[start...]))
        break
      }
      places[id] = chain.count
      chain.append(id)
      next = try target(id)
    }
    examined.formUnion(chain)
    return cycle
  }
}
