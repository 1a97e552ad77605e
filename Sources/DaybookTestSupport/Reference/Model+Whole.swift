import Daybook

extension Model {
  /// The same model without parents: each entity has the fields, constraints and indexes of its ancestors before its own.
  package var whole: Model {
    var whole = self
    whole.entities = entities.map { entity in
      let lineage = lineage(of: entity.name)
      var whole = entity
      whole.parent = nil
      whole.nameAttribute = lineage.compactMap(\.nameAttribute).last
      whole.attributes = lineage.flatMap(\.attributes)
      whole.relationships = lineage.flatMap(\.relationships)
      whole.unique = lineage.flatMap(\.unique)
      whole.indexes = lineage.flatMap(\.indexes)
      return whole
    }
    return whole
  }
}
