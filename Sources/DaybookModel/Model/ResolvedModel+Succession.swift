extension ResolvedModel {
  /// Returns the declaration that would change this model to another one, including renamings.
  package func declaration(leadingTo new: ResolvedModel) -> Model {
    var declared = new.model
    for (number, entity) in new.stored.entities.enumerated() {
      guard let old = self.entity(tagged: entity.tag).map({ entities[$0] }) else { continue }
      if old.name != entity.name { declared.entities[number].renamedFrom = old.name }
      for (index, attribute) in entity.attributes.enumerated() {
        guard let former = old.attribute(tagged: attribute.tag).map({ old.attributes[$0].name }) else { continue }
        if former != attribute.declaration.name { declared.entities[number].attributes[index].renamedFrom = former }
      }
      for (index, relationship) in entity.relationships.filter({ !$0.declaration.isHidden }).enumerated() {
        let former = old.relationships.first { $0.tag == relationship.tag }
        guard let former, former.name != relationship.declaration.name, !former.isHidden else { continue }
        declared.entities[number].relationships[index].renamedFrom = former.name
      }
    }
    for (number, event) in new.stored.events.enumerated() {
      guard let old = self.event(tagged: event.tag).map({ events[$0] }) else { continue }
      if old.name != event.name { declared.events[number].renamedFrom = old.name }
      for (index, attribute) in event.attributes.enumerated() {
        guard let former = old.attribute(tagged: attribute.tag).map({ old.attributes[$0].name }) else { continue }
        if former != attribute.declaration.name { declared.events[number].attributes[index].renamedFrom = former }
      }
    }
    return declared
  }
}
