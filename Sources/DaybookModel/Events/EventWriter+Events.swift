extension EventWriter {
  /// Appends an event, the inverse of ``Event/init(_:names:)``, with the same bytes.
  ///
  /// Whether a null is written or omitted depends on the attribute, see ``EventNames/AttributeEntry/isNullAbsent``; in
  /// `inserted` and `deleted` events, a null that is present is written.
  ///
  /// - Throws: `EventFault` if the model lacks a name in the event, or the event's positions are not earlier than its
  ///   own. The events written so far are then unusable.
  package mutating func append(_ event: Event, names: EventNames) throws(EventFault) {
    let (entity, tag) = try names.entity(event.entity)
    switch event.content {
    case .inserted(let values, let links):
      let fields = try EventWriter.fields(values, links, of: entity, names)
      try write { writer throws(MalformedBytes) in
        try writer.inserted(event.object, entity: tag, previous: event.previous, fields: fields.rawSpan)
      }
    case .renamed(let change): try append(.renamed, event, tag, [change], of: entity, names)
    case .set(let list): try append(.set, event, tag, list, of: entity, names)
    case .deleted(let values, let links):
      let fields = try EventWriter.fields(values, links, of: entity, names)
      let former = try EventWriter.stamps(event)
      try write { writer throws(MalformedBytes) in
        try writer.deleted(
          event.object, entity: tag, previous: event.previous, former: former, fields: fields.rawSpan)
      }
    case .recorded(let name, let values):
      let type = try names.eventType(name, about: entity)
      let fields = try EventWriter.fields(values, of: type)
      try write { writer throws(MalformedBytes) in
        try writer.recorded(
          event.object, entity: tag, previous: event.previous, type: type.tag, fields: fields.rawSpan)
      }
    case .unknown(let content):
      try write { writer throws(MalformedBytes) in
        try writer.unknown(event.object, entity: tag, previous: event.previous, content: content.rawSpan)
      }
    case .related(let link), .unrelated(let link):
      let change = LinkChange(
        relationship: try names.relationship(link.relationship, of: entity).tag, from: link.from,
        fromPrevious: link.fromPrevious, to: link.to, toPrevious: link.targetPrevious, oldOrder: link.oldOrder,
        newOrder: link.newOrder)
      let former = try EventWriter.stamps(event)
      try write { writer throws(MalformedBytes) in
        try writer.link(event.object, entity: tag, previous: event.previous, former: former, change: change)
      }
    }
  }

  private mutating func append(
    _ kind: EventKind, _ event: Event, _ tag: Tag, _ list: [Event.Change], of entity: Int, _ names: EventNames
  ) throws(EventFault) {
    let changes = try EventWriter.changes(list, of: entity, names)
    let former = try EventWriter.stamps(event)
    try write { writer throws(MalformedBytes) in
      try writer.changed(
        kind, event.object, entity: tag, previous: event.previous, former: former, changes: changes.rawSpan)
    }
  }

  /// Calls the writer, and reports a position that is not earlier as a fault of the line.
  private mutating func write(
    _ body: (inout EventWriter) throws(MalformedBytes) -> Void
  ) throws(EventFault) {
    do { try body(&self) } catch { throw EventFault("expected \(error.expected) of an earlier event") }
  }

  private static func stamps(_ event: Event) throws(EventFault) -> Stamps {
    guard let former = event.former else { throw EventFault("the event lacks “former”") }
    var stamps = Stamps(
      created: .empty, createdAt: Timestamp(microseconds: 0), changed: former.changed, changedAt: former.changedAt,
      last: .empty)
    if event.kind == .deleted {
      guard let created = former.created, let createdAt = former.createdAt else {
        throw EventFault("“former” of a deletion lacks “created” or “createdAt”")
      }
      stamps.created = created
      stamps.createdAt = createdAt
    }
    return stamps
  }

  private static func fields(
    _ values: [NamedValue], _ links: [NamedLink], of entity: Int, _ names: EventNames
  ) throws(EventFault) -> [UInt8] {
    var parts: [(tag: Tag, value: Value, link: (target: ObjectID, order: [UInt8])?)] = []
    parts.reserveCapacity(values.count + links.count)
    for field in values { parts.append((try names.attribute(field.name, of: entity).tag, field.value, nil)) }
    for link in links {
      let entry = try names.relationship(link.name, of: entity)
      guard !entry.isMany, entry.isRetired else {
        throw EventFault("an object holds links only over removed to-one relationships, and not over “\(entry.name)”")
      }
      guard let target = link.target else { throw EventFault("the link over “\(entry.name)” leads to no object") }
      parts.append((entry.tag, .null, (target, link.order)))
    }
    parts.sort { $0.tag < $1.tag }
    var bytes: [UInt8] = []
    for part in parts {
      if let link = part.link {
        bytes.appendLink(part.tag, target: link.target, orderKey: link.order.isEmpty ? nil : link.order.rawSpan)
      } else {
        bytes.appendField(part.tag, part.value)
      }
    }
    return bytes
  }

  private static func fields(
    _ values: [NamedValue], of type: EventNames.EventTypeEntry
  ) throws(EventFault) -> [UInt8] {
    var parts: [(tag: Tag, value: Value)] = []
    for field in values { parts.append((try type.attribute(field.name).tag, field.value)) }
    parts.sort { $0.tag < $1.tag }
    var bytes: [UInt8] = []
    for part in parts { bytes.appendField(part.tag, part.value) }
    return bytes
  }

  private static func changes(
    _ changes: [Event.Change], of entity: Int, _ names: EventNames
  ) throws(EventFault) -> [UInt8] {
    var parts: [(entry: EventNames.AttributeEntry, change: Event.Change)] = []
    for change in changes { parts.append((try names.attribute(change.name, of: entity), change)) }
    parts.sort { $0.entry.tag < $1.entry.tag }
    var bytes: [UInt8] = []
    for (entry, change) in parts {
      for side in [change.old, change.new] {
        if side.isNull, entry.isNullAbsent {
          bytes.appendFieldHeader(entry.tag, .absent)
        } else {
          bytes.appendField(entry.tag, side)
        }
      }
    }
    return bytes
  }
}
