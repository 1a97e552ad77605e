import DaybookEngine
import DaybookModel

extension EventCheck {
  /// Checks that a recorded event is one that the model of its time declares, about an object that exists or existed.
  mutating func checkRecorded(_ event: EventView, about key: ObjectKey, _ fold: Fold) throws {
    if try fold.unsafeRecord(of: key) == nil { noteUnborn(key) }
    guard let tag = event.eventType, let number = present.event(tagged: tag) else {
      throw ProjectionFault("it is of a named event with a tag that the model of its time lacks")
    }
    let type = present.events[number]
    guard !type.isRetired else {
      throw ProjectionFault("it records \(type.name), which the model of its time does not have")
    }
    let isAbout = present.entity(tagged: event.entity).map { entity in
      present.entities[entity].isKind(of: present.entities[type.about])
    }
    guard isAbout == true else {
      throw ProjectionFault("it records \(type.name) about an object of another entity")
    }
    try checkValues(event.fields, of: type)
  }

  private func checkValues(_ bytes: RawSpan, of type: ResolvedEventType) throws {
    var fields = FieldReader(bytes)
    var tags: [Tag] = []
    while !fields.isAtEnd {
      let field = try fields.next()
      if let last = tags.last, field.tag <= last { throw ProjectionFault("its fields do not rise") }
      tags.append(field.tag)
      guard let number = type.attribute(tagged: field.tag) else {
        throw ProjectionFault("it holds a field with the tag \(field.tag), which \(type.name) does not have")
      }
      let attribute = type.attributes[number]
      guard !attribute.isRetired, !field.form.isWithoutValue else {
        throw ProjectionFault("it holds a field of \(type.name).\(attribute.name) that no event has")
      }
      do {
        try field.value().check(type: attribute.type)
      } catch let error as ValueError {
        throw ProjectionFault("it holds a value that \(type.name).\(attribute.name) cannot have: \(error)")
      }
    }
    for attribute in type.attributes where !attribute.isOptional && !attribute.isRetired {
      expect(tags.contains(attribute.tag), "it lacks a value for \(type.name).\(attribute.name)")
    }
  }
}

private extension FieldForm {
  /// Whether a field of the form is no value of an attribute: nothing, or a link.
  var isWithoutValue: Bool {
    switch self {
    case .null, .absent, .link, .orderedLink: true
    case .integer, .double, .date, .false, .true, .text, .data, .uuid, .decimal, .large: false
    }
  }
}
