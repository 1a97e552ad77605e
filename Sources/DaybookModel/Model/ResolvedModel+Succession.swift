extension ResolvedModel {
  /// Returns the declaration that would change this model to another one, including renamings.
  package func declaration(leadingTo new: ResolvedModel) -> Model {
    var declared = new.model
    for (number, entity) in new.stored.entities.enumerated() {
      guard let old = self.entity(tagged: entity.tag).map({ entities[$0] }) else { continue }
      if old.name != entity.name { declared.entities[number].renamedFrom = old.name }
      // A field may have moved here from another entity.
      addFormerNames(of: entity.attributes, to: &declared.entities[number].attributes) { tag in
        (old.attribute(tagged: tag).map { old.attributes[$0] }) ?? attribute(tagged: tag)
      }
      // The declaration has them in the same order, without the hidden inverses, which have no names of their own.
      for (index, relationship) in entity.relationships.filter({ !$0.declaration.isHidden }).enumerated() {
        let former = self.relationship(tagged: relationship.tag).map { self[$0] }
        guard let former, former.name != relationship.declaration.name, !former.isHidden else { continue }
        declared.entities[number].relationships[index].renamedFrom = former.name
      }
    }
    for (number, event) in new.stored.events.enumerated() {
      guard let old = self.event(tagged: event.tag).map({ events[$0] }) else { continue }
      if old.name != event.name { declared.events[number].renamedFrom = old.name }
      addFormerNames(of: event.attributes, to: &declared.events[number].attributes) { tag in
        old.attribute(tagged: tag).map { old.attributes[$0] }
      }
    }
    return declared
  }

  /// Returns the attribute of any entity with a tag.
  private func attribute(tagged tag: Tag) -> ResolvedAttribute? {
    entities.lazy.compactMap { entity in entity.attribute(tagged: tag).map { entity.attributes[$0] } }.first
  }

  private func addFormerNames(
    of attributes: [EncodedAttribute], to declared: inout [Attribute], former: (Tag) -> ResolvedAttribute?
  ) {
    for (index, attribute) in attributes.enumerated() {
      guard let former = former(attribute.tag), former.name != attribute.declaration.name else { continue }
      declared[index].renamedFrom = former.name
    }
  }
}
