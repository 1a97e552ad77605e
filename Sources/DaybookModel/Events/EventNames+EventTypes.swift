extension EventNames {
  /// A named event, with the names and tags of its attributes.
  package struct EventTypeEntry: Sendable {
    package let name: String
    package let tag: Tag
    /// The number of the entity that it is about.
    package let about: Int
    private let attributes: [AttributeEntry]

    init(_ type: ResolvedEventType) {
      name = EventNames.name(type.name, type.tag, isRetired: type.isRetired)
      tag = type.tag
      about = type.about
      attributes = type.attributes.map { attribute in
        AttributeEntry(
          entity: type.about,
          name: EventNames.name(attribute.name, attribute.tag, isRetired: attribute.isRetired),
          tag: attribute.tag, type: attribute.type, isNullAbsent: true)
      }
    }

    package func attribute(_ tag: Tag) throws(EventFault) -> AttributeEntry {
      guard let entry = attributes.first(where: { $0.tag == tag }) else {
        throw EventFault("the event \(name) has no attribute with the tag \(tag)")
      }
      return entry
    }

    func hasAttribute(named name: String) -> Bool { attributes.contains { $0.name == name } }

    package func attribute(_ name: String) throws(EventFault) -> AttributeEntry {
      guard let entry = attributes.first(where: { $0.name == name }) else {
        throw EventFault("the event \(self.name) has no attribute “\(name)”")
      }
      return entry
    }
  }

  /// Returns the tag of the named event, or `nil` if the model has none of this name.
  package func eventType(named name: String) -> Tag? { eventTypeByName[name].map { eventTypes[$0].tag } }

  package func eventType(_ tag: Tag, about entity: Int) throws(EventFault) -> EventTypeEntry {
    guard let number = model.event(tagged: tag) else { throw EventFault("the model has no event with the tag \(tag)") }
    return try check(eventTypes[number], isAbout: entity)
  }

  package func eventType(_ name: String, about entity: Int) throws(EventFault) -> EventTypeEntry {
    guard let number = eventTypeByName[name] else { throw EventFault("the model has no event “\(name)”") }
    return try check(eventTypes[number], isAbout: entity)
  }

  private func check(_ type: EventTypeEntry, isAbout entity: Int) throws(EventFault) -> EventTypeEntry {
    guard model.entities[entity].isKind(of: model.entities[type.about]) else {
      throw EventFault("the event \(type.name) is not about \(model.entities[entity].name)")
    }
    return type
  }
}
