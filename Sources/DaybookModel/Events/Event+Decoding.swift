extension Event {
  /// Copies an event out of its commit's bytes, and replaces tags by names.
  ///
  /// - Throws: `EventFault` if the event refers to a tag that the model lacks, or does not have its kind's form; such
  ///   an event is damaged.
  package init(_ view: borrowing EventView, names: EventNames) throws(EventFault) {
    let (number, name) = try names.entity(view.entity)
    let content: Content
    do {
      content = try Content(view, entity: number, names)
    } catch let fault as MalformedBytes {
      throw EventFault("an event is damaged: \(fault)")
    } catch let fault as EventFault {
      throw fault
    } catch {
      preconditionFailure("Only the two errors above are thrown: \(error)")
    }
    let isDeletion = view.kind == .deleted
    self.init(
      entity: name, object: view.object, previous: view.previous,
      former: view.former.map {
        Former(
          changed: $0.changed, changedAt: $0.changedAt, created: isDeletion ? $0.created : nil,
          createdAt: isDeletion ? $0.createdAt : nil)
      }, content: content)
  }
}

private extension Event.Content {
  init(_ view: borrowing EventView, entity: Int, _ names: EventNames) throws {
    switch view.kind {
    case .inserted:
      let (values, links) = try Self.fields(view.fields, of: entity, names)
      self = .inserted(values, links: links)
    case .deleted:
      let (values, links) = try Self.fields(view.fields, of: entity, names)
      self = .deleted(values, links: links)
    case .renamed:
      let changes = try Self.changes(view.fields, of: entity, names)
      guard let change = changes.first, changes.count == 1 else { throw EventFault("a renaming changes one attribute") }
      self = .renamed(change)
    case .set:
      let changes = try Self.changes(view.fields, of: entity, names)
      guard !changes.isEmpty else { throw EventFault("a change changes no attribute") }
      self = .set(changes)
    case .recorded:
      guard let tag = view.eventType else { throw EventFault("a recorded event lacks its type") }
      let type = try names.eventType(tag, about: entity)
      self = .recorded(name: type.name, fields: try Self.fields(view.fields, of: type, names))
    case .unknown: self = .unknown([UInt8](view.fields))
    case .related, .unrelated:
      guard let link = view.link else { throw EventFault("an event lacks its link") }
      let entry = try names.relationship(link.relationship, of: entity)
      let copy = Event.Link(
        relationship: entry.name, isOrdered: entry.isOrdered, from: link.from, fromPrevious: link.fromPrevious,
        to: link.to, targetPrevious: link.toPrevious, oldOrder: [UInt8](link.oldOrder),
        newOrder: [UInt8](link.newOrder))
      self = view.kind == .related ? .related(copy) : .unrelated(copy)
    }
  }

  private static func fields(
    _ bytes: RawSpan, of entity: Int, _ names: EventNames
  ) throws -> ([NamedValue], [NamedLink]) {
    var values: [NamedValue] = []
    var links: [NamedLink] = []
    var reader = FieldReader(bytes)
    while !reader.isAtEnd {
      let field = try reader.next()
      if field.form == .link || field.form == .orderedLink {
        let entry = try names.relationship(field.tag, of: entity)
        links.append(
          NamedLink(name: entry.name, target: try field.target(), order: [UInt8](try field.orderKey())))
      } else {
        let entry = try names.attribute(field.tag, of: entity)
        let value = try field.value().reading(from: names.largeValues)
        values.append(NamedValue(name: entry.name, type: entry.type, value: value))
      }
    }
    return (values, links)
  }

  private static func fields(
    _ bytes: RawSpan, of type: EventNames.EventTypeEntry, _ names: EventNames
  ) throws -> [NamedValue] {
    var values: [NamedValue] = []
    var reader = FieldReader(bytes)
    while !reader.isAtEnd {
      let field = try reader.next()
      let entry = try type.attribute(field.tag)
      let value = try field.value().reading(from: names.largeValues)
      values.append(NamedValue(name: entry.name, type: entry.type, value: value))
    }
    return values
  }

  private static func changes(_ bytes: RawSpan, of entity: Int, _ names: EventNames) throws -> [Event.Change] {
    var changes: [Event.Change] = []
    var reader = FieldReader(bytes)
    while !reader.isAtEnd {
      let old = try reader.next()
      let new = try reader.next()
      guard old.tag == new.tag else { throw EventFault("a change lacks its new side") }
      let entry = try names.attribute(old.tag, of: entity)
      changes.append(
        Event.Change(
          name: entry.name, type: entry.type, old: try old.value().reading(from: names.largeValues),
          new: try new.value().reading(from: names.largeValues)))
    }
    return changes
  }
}

extension Event {
  /// Decodes the selected events of a commit, one by one.
  package static func forEach(
    in body: RawSpan, of header: CommitHeader, names: EventNames, where selection: EventSelection = .all,
    _ consume: (Event) -> Void
  ) throws(EventFault) {
    var reader = EventReader(body, position: header.position, time: header.time)
    while !reader.isAtEnd {
      do {
        let view = try reader.next()
        if try selection.contains(view) { consume(try Event(view, names: names)) }
      } catch let fault as MalformedBytes {
        throw EventFault("its events are damaged: \(fault)")
      } catch let fault as EventFault {
        throw fault
      } catch {
        preconditionFailure("Only the two errors above are thrown: \(error)")
      }
    }
  }
}
