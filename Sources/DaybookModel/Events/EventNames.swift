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
    package let entity: Int
    package let name: String
    package let tag: Tag
    package let type: AttributeType
    /// Whether records omit its null, because no default would replace a missing field.
    package let isNullAbsent: Bool
  }

  /// A relationship that owns its links.
  package struct RelationshipEntry: Sendable {
    package let entity: Int
    package let name: String
    package let tag: Tag
    /// Whether the targets of the relationship, or of its inverse, have an order.
    package let isOrdered: Bool
    package let isRetired: Bool
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
      for attribute in entity.attributes where attribute.derivation == nil {
        attributeByTag[Int(attribute.tag.number)] = AttributeEntry(
          entity: entity.index, name: EventNames.name(attribute.name, attribute.tag, isRetired: attribute.isRetired),
          tag: attribute.tag, type: attribute.type, isNullAbsent: attribute.valueWhenMissing.isNull)
      }
      for relationship in entity.relationships where relationship.isOwner {
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
      EventNames.byName(attributeByTag, name: \.name) { $0.entity == entity.index }
    }
    relationshipsByName = model.entities.map { entity in
      EventNames.byName(relationshipByTag, name: \.name) { $0.entity == entity.index }
    }
    eventTypes = model.events.map { EventTypeEntry($0) }
    eventTypeByName = Dictionary(
      eventTypes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  static func name(_ name: String, _ tag: Tag, isRetired: Bool) -> String {
    isRetired ? "\(name)#\(tag)" : name
  }

  private static func byName<Entry>(
    _ entries: [Entry?], name: (Entry) -> String, where isIncluded: (Entry) -> Bool
  ) -> [String: Entry] {
    Dictionary(
      entries.compactMap { $0 }.filter(isIncluded).map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
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

  package func hasEntity(named name: String) -> Bool { entityByName[name] != nil }

  /// Returns whether an entity or a named event has a stored attribute of this name.
  package func hasAttribute(named name: String) -> Bool {
    attributesByName.contains { $0[name] != nil } || eventTypes.contains { $0.hasAttribute(named: name) }
  }

  package func attribute(_ tag: Tag, of entity: Int) throws(EventFault) -> AttributeEntry {
    guard tag.number < model.nextTag, let entry = attributeByTag[Int(tag.number)], entry.entity == entity else {
      throw EventFault("\(entityNames[entity]) has no stored attribute with the tag \(tag)")
    }
    return entry
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
    guard tag.number < model.nextTag, let entry = relationshipByTag[Int(tag.number)], entry.entity == entity else {
      throw EventFault("\(entityNames[entity]) owns no links over a relationship with the tag \(tag)")
    }
    return entry
  }

  package func relationship(_ name: String, of entity: Int) throws(EventFault) -> RelationshipEntry {
    guard let entry = relationshipsByName[entity][name] else {
      throw EventFault("\(entityNames[entity]) owns no links over a relationship “\(name)”")
    }
    return entry
  }
}
