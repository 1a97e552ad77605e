// The parents of entities.
extension ModelValidation {
  /// The greatest number of entities from a root to an entity below it.
  static let maximumDepth = 16

  mutating func checkParent(of entity: Int, place: String) {
    guard let parent = model.entities[entity].parent else { return }
    let place = "\(place).parent"
    guard let number = lookup.entity(parent) else { return add(place, "the model has no entity “\(parent)”") }
    let ancestors = lookup.ancestors[entity]
    let end = ancestors.last ?? entity
    guard number != entity, model.entities[end].parent.flatMap({ lookup.entity($0) }) == nil else {
      return add(place, "the parents lead in a cycle; one entity of a hierarchy has no parent")
    }
    let depth = ancestors.count + 1
    if depth > ModelValidation.maximumDepth {
      add(place, "is the end of \(depth) entities; a hierarchy has at most \(ModelValidation.maximumDepth) levels")
    }
    checkInheritedNames(of: entity)
  }

  /// Checks that no field has the name of an ancestor's.
  private mutating func checkInheritedNames(of entity: Int) {
    let declared = model.entities[entity]
    for ancestor in lookup.ancestors[entity] {
      let inherited = model.entities[ancestor]
      let names = Set(inherited.attributes.map(\.name) + inherited.relationships.map(\.name))
      for name in declared.attributes.map(\.name) + declared.relationships.map(\.name) where names.contains(name) {
        add(
          "\(declared.name).\(name)",
          "is a field of \(inherited.name), which \(declared.name) inherits; leave it out, or rename it")
      }
    }
  }
}
