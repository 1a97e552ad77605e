import Daybook
import DaybookEngine
import DaybookModel

extension ReferenceEvent {
  /// Reads the events of a commit, with the names of a model.
  package static func read(_ commit: CommitView, _ model: ResolvedModel) throws -> [ReferenceEvent] {
    var events: [ReferenceEvent] = []
    var reader = commit.events
    while !reader.isAtEnd { events.append(try ReferenceEvent(reader.next(), model)) }
    guard events.count == commit.header.eventCount else {
      throw Mismatch("The header says \(commit.header.eventCount) events, and there are \(events.count).")
    }
    return events
  }

  private init(_ event: EventView, _ model: ResolvedModel) throws {
    let kinds: [EventKind: Kind] = [
      .inserted: .inserted, .renamed: .renamed, .set: .set, .related: .related, .unrelated: .unrelated,
      .deleted: .deleted, .recorded: .recorded,
    ]
    let entity = model.entities[model.entity(tagged: event.entity)!]
    self.init(kinds[event.kind]!, entity.name, event.object, previous: event.previous?.number)
    if let former = event.former {
      formerChanged = former.changed.number
      formerChangedAt = former.changedAt
      if event.kind == .deleted {
        formerCreated = former.created.number
        formerCreatedAt = former.createdAt
      }
    }
    if let tag = event.eventType {
      let type = model.events[model.event(tagged: tag)!]
      name = type.name
      try readFields(event, of: type)
    } else {
      try readFields(event, entity)
    }
    if let link = event.link {
      let reference = model.relationship(tagged: link.relationship)!
      relationship = model[reference].name
      from = link.from
      fromPrevious = link.fromPrevious?.number
      to = link.to
      toPrevious = link.toPrevious?.number
      let inverse = model.entities[model[reference].target].relationships[model[reference].inverse]
      let isOrdered = model[reference].isOrdered || inverse.isOrdered
      guard link.newOrder.isEmpty == (!isOrdered || link.to == nil),
        link.oldOrder.isEmpty == (!isOrdered || link.from == nil)
      else { throw Mismatch("\(self) has order keys where there should be none, or none where there should be.") }
    }
  }

  /// Returns the value of a field, of which large data must be a reference.
  private func storedValue(of field: FieldView) throws -> Value {
    let value = try field.value()
    if case .data(let bytes) = value, value.isLarge { throw Mismatch("\(kind) holds \(bytes.count) bytes of data.") }
    return value
  }

  private mutating func readFields(_ event: EventView, of type: ResolvedEventType) throws {
    var fields = FieldReader(event.fields)
    while !fields.isAtEnd {
      let field = try fields.next()
      let value = try storedValue(of: field)
      guard let number = type.attribute(tagged: field.tag), !value.isNull,
        values.updateValue(value, forKey: type.attributes[number].name) == nil
      else { throw Mismatch("\(self) has a field that is no value of the event.") }
    }
  }

  private mutating func readFields(_ event: EventView, _ entity: ResolvedEntity) throws {
    var fields = FieldReader(event.fields)
    var last = 0
    while !fields.isAtEnd {
      let field = try fields.next()
      guard Int(field.tag.number) > last else { throw Mismatch("\(self) has fields out of order.") }
      last = Int(field.tag.number)
      // A link of a relationship that a later model removed stays in its owner's record.
      if field.form == .link || field.form == .orderedLink { continue }
      guard let number = entity.attribute(tagged: field.tag) else {
        throw Mismatch("\(self) has a field that is not an attribute.")
      }
      let attribute = entity.attributes[number]
      if event.kind == .inserted || event.kind == .deleted {
        if !attribute.isRetired { values[attribute.name] = try storedValue(of: field) }
      } else {
        changes[attribute.name] = [try storedValue(of: field), try storedValue(of: fields.next())]
      }
    }
    guard event.kind == .inserted || event.kind == .deleted else { return }
    for attribute in entity.attributes where !attribute.isRetired && attribute.derivation == nil {
      if values[attribute.name] == nil { values[attribute.name] = attribute.valueWhenMissing }
      if values[attribute.name] == .null { values[attribute.name] = nil }
    }
  }
}
