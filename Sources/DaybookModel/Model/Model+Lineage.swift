extension Model {
  /// Returns the entity with a name, or `nil` if the model lacks it.
  package func entity(_ name: String) -> Entity? { entities.first { $0.name == name } }

  /// Returns an entity with its ancestors as they are declared, the root first; nothing for a name that the model lacks.
  ///
  /// The model need not be valid: of a circle of parents each entity is there at most once.
  package func lineage(of name: String) -> [Entity] {
    var (lineage, next) = ([Entity](), entity(name))
    while let entity = next, !lineage.contains(where: { $0.name == entity.name }) {
      lineage.append(entity)
      next = entity.parent.flatMap(self.entity)
    }
    return lineage.reversed()
  }
}
