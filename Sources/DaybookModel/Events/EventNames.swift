/// The names of the tags in events, by the model of their commit, and the tags of the names.
///
/// A part that the model has removed is named by its name, a number sign and its tag.
package final class EventNames: Sendable {
  package let model: ResolvedModel
  /// The place from which the large values of decoded events read their bytes.
  package let largeValues: (any LargeValueSource)?
  private let entityNames: [String]
  private let entityByName: [String: Int]
  /// By tag.
  private let attributeByTag: [AttributeEntry?]
  private let relationshipByTag: [RelationshipEntry?]
  private let attributesByName: [[String: AttributeEntry]]
  private let relationshipsByName: [[String: RelationshipEntry]]
  let eventTypes: [EventTypeEntry]
  let eventTypeByName: [String: Int]

  /// A stored attribute.
  package struct AttributeEntry: Sendable {
    /// The number of the entity that declares it.
    package let entity: Int
    package fileprivate(set) var name: String
    package let tag: Tag
    package let type: AttributeType
    /// Whether records omit its null, because no default would replace a missing field.
    package let isNullAbsent: Bool
  }

  /// A relationship that owns its links.
  package struct RelationshipEntry: Sendable {
    /// The number of the entity that declares it.
    package let entity: Int
    package fileprivate(set) var name: String
    package let tag: Tag
    /// Whether the targets of the relationship, or of its inverse, have an order.
    package let isOrdered: Bool
    package fileprivate(set) var isRetired: Bool
    package let isMany: Bool
  }

  /// - Parameter largeValues: The place from which the large values of decoded events read their bytes.
  package init(_ model: ResolvedModel, largeValues: (any LargeValueSource)? = nil) {
    self.model = model
    self.largeValues = largeValues
    entityNames = model.entities.map { EventNames.name($0.name, $0.tag, isRetired: $0.isRetired) }
    entityByName = Dictionary(
      entityNames.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var attributeByTag = [AttributeEntry?](repeating: nil, count: Int(model.nextTag))
    var relationshipByTag = [RelationshipEntry?](repeating: nil, count: Int(model.nextTag))
    for entity in model.entities {
      for number in entity.ownAttributes where entity.attributes[number].derivation == nil {
        let attribute = entity.attributes[number]
        attributeByTag[Int(attribute.tag.number)] = AttributeEntry(
          entity: entity.index, name: EventNames.name(attribute.name, attribute.tag, isRetired: attribute.isRetired),
          tag: attribute.tag, type: attribute.type, isNullAbsent: attribute.valueWhenMissing.isNull)
      }
      for number in entity.ownRelationships where entity.relationships[number].isOwner {
        let relationship = entity.relationships[number]
        let inverse = model.entities[relationship.target].relationships[relationship.inverse]
        relationshipByTag[Int(relationship.tag.number)] = RelationshipEntry(
          entity: entity.index,
          name: EventNames.name(relationship.name, relationship.tag, isRetired: relationship.isRetired),
          tag: relationship.tag, isOrdered: relationship.isOrdered || inverse.isOrdered,
          isRetired: relationship.isRetired, isMany: relationship.isMany)
      }
    }
    self.attributeByTag = attributeByTag
    self.relationshipByTag = relationshipByTag
    attributesByName = model.entities.map { entity in
      EventNames.byName(
        entity.attributes.lazy.compactMap { attribute in
          attributeByTag[Int(attribute.tag.number)].map { $0.asRetired(attribute.isRetired) }
        }, name: \.name)
    }
    relationshipsByName = model.entities.map { entity in
      EventNames.byName(
        entity.relationships.lazy.compactMap { relationship in
          relationshipByTag[Int(relationship.tag.number)].map { $0.asRetired(relationship.isRetired) }
        }, name: \.name)
    }
    eventTypes = model.events.map { EventTypeEntry($0) }
    eventTypeByName = Dictionary(
      eventTypes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  static func name(_ name: String, _ tag: Tag, isRetired: Bool) -> String {
    isRetired ? "\(name)#\(tag)" : name
  }

  private static func byName<Entry>(
    _ entries: some Sequence<Entry>, name: (Entry) -> String
  ) -> [String: Entry] {
    Dictionary(entries.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension EventNames {
  package func entity(_ tag: Tag) throws(EventFault) -> (number: Int, name: String) {
    guard let number = model.entity(tagged: tag) else {
      throw EventFault("the model has no entity with the tag \(tag)")
    }
    return (number, entityNames[number])
  }

  package func entity(_ name: String) throws(EventFault) -> (number: Int, tag: Tag) {
    guard let number = entityByName[name] else { throw EventFault("the model has no entity “\(name)”") }
    return (number, model.entities[number].tag)
  }

  /// Returns the tags of an entity and of its descendants, which events have.
  package func tags(ofMembersOf entity: Int) -> Set<Tag> {
    Set(model.members(of: entity).map { model.entities[$0].tag })
  }

  package func hasEntity(named name: String) -> Bool { entityByName[name] != nil }

  /// Returns whether an entity or a named event has a stored attribute of this name.
  package func hasAttribute(named name: String) -> Bool {
    attributesByName.contains { $0[name] != nil } || eventTypes.contains { $0.hasAttribute(named: name) }
  }

  package func attribute(_ tag: Tag, of entity: Int) throws(EventFault) -> AttributeEntry {
    guard tag.number < model.nextTag, let entry = attributeByTag[Int(tag.number)] else {
      throw EventFault("\(entityNames[entity]) has no stored attribute with the tag \(tag)")
    }
    if entry.entity == entity { return entry }
    // An attribute of another entity of the hierarchy, which the entity has, or may have had.
    guard let number = model.entities[entity].attribute(tagged: tag) else {
      throw EventFault("\(entityNames[entity]) has no stored attribute with the tag \(tag)")
    }
    return entry.asRetired(model.entities[entity].attributes[number].isRetired)
  }

  package func attribute(_ name: String, of entity: Int) throws(EventFault) -> AttributeEntry {
    guard let entry = attributesByName[entity][name] else {
      throw EventFault("\(entityNames[entity]) has no stored attribute “\(name)”")
    }
    return entry
  }

  /// Returns the entity's name attribute, or `nil` if it has none.
  package func nameAttribute(of entity: Int) -> AttributeEntry? {
    let entity = model.entities[entity]
    return entity.nameAttribute.flatMap { attributeByTag[Int(entity.attributes[$0].tag.number)] }
  }

  package func relationship(_ tag: Tag, of entity: Int) throws(EventFault) -> RelationshipEntry {
    guard tag.number < model.nextTag, let entry = relationshipByTag[Int(tag.number)] else {
      throw EventFault("\(entityNames[entity]) owns no links over a relationship with the tag \(tag)")
    }
    if entry.entity == entity { return entry }
    guard let relationship = model.entities[entity].relationships.first(where: { $0.tag == tag }) else {
      throw EventFault("\(entityNames[entity]) owns no links over a relationship with the tag \(tag)")
    }
    return entry.asRetired(relationship.isRetired)
  }

  package func relationship(_ name: String, of entity: Int) throws(EventFault) -> RelationshipEntry {
    guard let entry = relationshipsByName[entity][name] else {
      throw EventFault("\(entityNames[entity]) owns no links over a relationship “\(name)”")
    }
    return entry
  }
}

private extension EventNames.AttributeEntry {
  /// The attribute as it is named where objects have it or, with its tag, where they lack it.
  func asRetired(_ isRetired: Bool) -> Self {
    guard isRetired, !name.contains("#") else { return self }
    var entry = self
    entry.name = EventNames.name(name, tag, isRetired: true)
    return entry
  }
}

private extension EventNames.RelationshipEntry {
  /// The relationship as it is named where objects have it or, with its tag, where they lack it.
  func asRetired(_ isRetired: Bool) -> Self {
    guard isRetired, !self.isRetired else { return self }
    var entry = self
    entry.name = EventNames.name(name, tag, isRetired: true)
    entry.isRetired = true
    return entry
  }
}
