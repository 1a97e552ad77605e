import DaybookModel

/// Objects of an entity that a to-one relationship connects in a cycle.
package struct Cycle: Hashable, Sendable {
  package let reference: RelationshipReference
  /// The objects in the order of the relationship, beginning with the least identity.
  package let ids: [ObjectID]

  /// The most objects that a description names.
  private static let maximumNamedCount = 20

  /// - Parameter ids: The objects in the order of the relationship, beginning with any of them.
  init(reference: RelationshipReference, ids: [ObjectID]) {
    self.reference = reference
    let start = ids.indices.min { ids[$0] < ids[$1] } ?? 0
    self.ids = Array(ids[start...] + ids[..<start])
  }

  /// Returns the beginning of a sentence: the relationship and the objects.
  package func description(in model: ResolvedModel) -> String {
    let inverse = model.inverse(of: reference)
    let named = model[reference].isAcyclic || !model[inverse].isAcyclic ? reference : inverse
    return "\(model.entities[named.entity].name).\(model[named].name) leads in a cycle: \(path)"
  }

  /// The objects from the first one back to it.
  package var path: String {
    var names = ids.prefix(Self.maximumNamedCount).map(\.description)
    if ids.count > names.count { names.append("\(ids.count - names.count) more") }
    return (names + [ids[0].description]).joined(separator: " → ")
  }
}
