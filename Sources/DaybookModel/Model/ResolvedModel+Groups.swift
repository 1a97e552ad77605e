extension ResolvedModel {
  /// The name of the entity of groups; no entity of a model has it.
  package static let groupEntity = "(group)"

  /// What the name of an attribute begins with that no text can name: a key of which a value has the name, or an order.
  package static let hiddenPrefix = "\0"

  /// Makes the model of groups: of one entity, whose objects have the keys and the values of groups.
  ///
  /// Its tags are beyond the tags of stored and derived entities, so that the rows of groups can be read in a layer over any
  /// tables.
  ///
  /// - Parameters:
  ///   - attributes: The attributes, with any names; at most ``maximumGroupAttributeCount``.
  ///   - keyCount: The number of the first of them, which are the key.
  package convenience init(ofGroupsWith attributes: [Attribute], keyCount: Int) {
    precondition(attributes.count <= ResolvedModel.maximumGroupAttributeCount)
    var counter = TagCounter(next: ResolvedModel.firstGroupAttributeTag - 2)
    var entity = EncodedEntity(
      tag: counter.give(), timelineTag: counter.give(), name: ResolvedModel.groupEntity, nameAttribute: nil,
      attributes: attributes.map { EncodedAttribute($0, tag: counter.give()) })
    entity.key = attributes.prefix(keyCount).map(\.name)
    do {
      try self.init(resolving: EncodedModel(entities: [entity], nextTag: 1))
    } catch {
      preconditionFailure("A model without retired parts is resolved: \(error)")
    }
  }

  /// The tag of the first attribute of groups; the others follow.
  package static let firstGroupAttributeTag = UInt16.max - UInt16(maximumGroupAttributeCount)

  /// Whether it is the model of groups.
  package var isOfGroups: Bool { entities.count == 1 && entities[0].name == ResolvedModel.groupEntity }

  /// The most attributes of groups.
  package static let maximumGroupAttributeCount = 256
}
