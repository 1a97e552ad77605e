import DaybookModel

/// A change of the tag by which the rows of an entity's objects are found: a model gave the entity another root.
struct EntityMove: Hashable {
  /// The entity's own tag.
  let entity: Tag
  /// The tag of the root that it had.
  let from: Tag
  /// The tag of the root that it has.
  let to: Tag

  /// Returns the moves of all entities that two models have.
  static func moves(from old: ResolvedModel, to new: ResolvedModel) -> [EntityMove] {
    old.entities.compactMap { entity in
      guard let number = new.entity(tagged: entity.tag) else { return nil }
      let (from, to) = (old.entities[entity.root].tag, new.entities[new.entities[number].root].tag)
      return from == to ? nil : EntityMove(entity: entity.tag, from: from, to: to)
    }
  }
}
