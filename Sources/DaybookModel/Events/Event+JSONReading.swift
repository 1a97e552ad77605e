extension Event {
  /// Reads an event from a line of an export, which may come from any source.
  ///
  /// - Throws: `EventFault`, which names the wrong member.
  package init(json: JSONValue, names: EventNames) throws(EventFault) {
    let members = try EventMembers(json)
    let word = try members.text("event")
    guard let kind = Kind(rawValue: word) else {
      throw EventFault(
        "“\(word)” is not an event; the events are \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    try members.check(keys: kind.keys)
    let entity = try members.text("entity")
    let number = try names.entity(entity).number
    self.init(
      entity: entity, object: try members.id("object"), previous: try members.position("previous"),
      former: !kind.hasFormer
        ? nil : try Former(members.required("former"), isDeletion: kind == .deleted),
      content: try Content(kind, members, entity: number, names))
  }
}

private extension Event.Kind {
  /// Whether an event of the kind holds the former times of its object.
  var hasFormer: Bool {
    switch self {
    case .inserted, .recorded, .unknown: false
    case .renamed, .set, .related, .unrelated, .deleted: true
    }
  }

  var keys: Set<String> {
    switch self {
    case .inserted: ["event", "entity", "object", "values", "links", "previous", "bytes"]
    case .renamed: ["event", "entity", "object", "from", "to", "attribute", "previous", "former"]
    case .set: ["event", "entity", "object", "values", "previous", "bytes", "former"]
    case .related:
      [
        "event", "entity", "object", "relationship", "from", "to", "order", "previous", "targetPrevious",
        "fromPrevious", "former",
      ]
    case .unrelated:
      ["event", "entity", "object", "relationship", "from", "order", "previous", "fromPrevious", "former"]
    case .deleted: ["event", "entity", "object", "values", "links", "previous", "bytes", "former"]
    case .recorded: ["event", "name", "entity", "object", "values", "previous", "bytes"]
    case .unknown: ["event", "entity", "object", "content", "previous"]
    }
  }
}

private extension Event.Former {
  init(_ json: JSONValue, isDeletion: Bool) throws(EventFault) {
    let members = try EventMembers(json)
    try members.check(keys: isDeletion ? ["created", "createdAt", "changed", "changedAt"] : ["changed", "changedAt"])
    guard let changed = try members.position("changed") else { throw EventFault("“former” lacks “changed”") }
    self.init(
      changed: changed, changedAt: try members.time("changedAt"),
      created: isDeletion ? try members.position("created") : nil,
      createdAt: isDeletion ? try members.time("createdAt") : nil)
  }
}

private extension Event.Content {
  init(
    _ kind: Event.Kind, _ members: EventMembers, entity: Int, _ names: EventNames
  ) throws(EventFault) {
    switch kind {
    case .inserted:
      self = .inserted(try Self.fields(members, of: entity, names), links: try Self.heldLinks(members))
    case .deleted:
      self = .deleted(try Self.fields(members, of: entity, names), links: try Self.heldLinks(members))
    case .recorded:
      let type = try names.eventType(members.text("name"), about: entity)
      let fields = try Self.fields(members) { name throws(EventFault) in try type.attribute(name) }
      self = .recorded(name: type.name, fields: fields)
    case .renamed: self = .renamed(try Self.renaming(members, of: entity, names))
    case .set: self = .set(try Self.changes(members, of: entity, names))
    case .unknown:
      guard let content = Base64.bytes(of: try members.text("content")) else {
        throw EventFault("“content” is not Base64")
      }
      self = .unknown(content)
    case .related, .unrelated:
      let entry = try names.relationship(members.text("relationship"), of: entity)
      let order = try Self.order(members, isOrdered: entry.isOrdered)
      let link = Event.Link(
        relationship: entry.name, isOrdered: entry.isOrdered,
        from: kind == .related ? try members.optionalID("from") : try members.id("from"),
        fromPrevious: try members.position("fromPrevious"), to: kind == .related ? try members.id("to") : nil,
        targetPrevious: try members.position("targetPrevious"), oldOrder: order.old, newOrder: order.new)
      guard order.old.isEmpty == (link.from == nil || !entry.isOrdered),
        order.new.isEmpty == (link.to == nil || !entry.isOrdered)
      else { throw EventFault("“order” needs a key for each target, and no other") }
      self = kind == .related ? .related(link) : .unrelated(link)
    }
  }

  private static func fields(
    _ members: EventMembers, of entity: Int, _ names: EventNames
  ) throws(EventFault) -> [NamedValue] {
    try fields(members) { name throws(EventFault) in try names.attribute(name, of: entity) }
  }

  private static func fields(
    _ members: EventMembers, _ attribute: (String) throws(EventFault) -> EventNames.AttributeEntry
  ) throws(EventFault) -> [NamedValue] {
    let exact = try members.optional("bytes").map { json throws(EventFault) in try EventMembers(json) }
    var fields: [NamedValue] = []
    for (name, json) in try members.object("values") {
      let entry = try attribute(name)
      let value = try entry.value(json, bytes: exact?.optional(name))
      fields.append(NamedValue(name: name, type: entry.type, value: value))
    }
    return fields
  }

  private static func changes(
    _ members: EventMembers, of entity: Int, _ names: EventNames
  ) throws(EventFault) -> [Event.Change] {
    let exact = try members.optional("bytes").map { json throws(EventFault) in try EventMembers(json) }
    var changes: [Event.Change] = []
    for (name, json) in try members.object("values") {
      let entry = try names.attribute(name, of: entity)
      guard let sides = json.elements, sides.count == 2 else {
        throw EventFault("“\(name)” needs its old and its new value in a list")
      }
      let bytes = exact?.optional(name)
      changes.append(
        Event.Change(
          name: name, type: entry.type, old: try entry.value(sides[0], bytes: bytes?[0]),
          new: try entry.value(sides[1], bytes: bytes?[1])))
    }
    guard !changes.isEmpty else { throw EventFault("“values” is empty; an event changes something") }
    return changes
  }

  private static func renaming(
    _ members: EventMembers, of entity: Int, _ names: EventNames
  ) throws(EventFault) -> Event.Change {
    let entry: EventNames.AttributeEntry
    if members.optional("attribute") != nil {
      entry = try names.attribute(members.text("attribute"), of: entity)
    } else {
      guard let name = names.nameAttribute(of: entity) else { throw EventFault("the entity has no name attribute") }
      entry = name
    }
    return Event.Change(
      name: entry.name, type: entry.type, old: try entry.value(members.required("from"), bytes: nil),
      new: try entry.value(members.required("to"), bytes: nil))
  }

  private static func heldLinks(_ members: EventMembers) throws(EventFault) -> [NamedLink] {
    guard members.optional("links") != nil else { return [] }
    var links: [NamedLink] = []
    for (name, json) in try members.object("links") {
      let link = try EventMembers(json)
      try link.check(keys: ["to", "order"])
      let order = link.optional("order")
      links.append(
        NamedLink(name: name, target: try link.id("to"), order: try order.map(Self.orderKey) ?? []))
    }
    return links
  }

  private static func order(
    _ members: EventMembers, isOrdered: Bool
  ) throws(EventFault) -> (old: [UInt8], new: [UInt8]) {
    guard let order = members.optional("order") else {
      if isOrdered { throw EventFault("the relationship is ordered, but the event lacks “order”") }
      return ([], [])
    }
    guard isOrdered else { throw EventFault("“order” is given, but the relationship has none") }
    guard let keys = order.elements, keys.count == 2 else { throw EventFault("“order” needs an old and a new key") }
    return (try orderKey(keys[0]), try orderKey(keys[1]))
  }

  /// Reads an order key.
  ///
  /// It is neither empty nor contains zeros, because zeros end keys in rows.
  private static func orderKey(_ json: JSONValue) throws(EventFault) -> [UInt8] {
    if json.isNull { return [] }
    guard let text = json.stringValue, let key = hexadecimalBytes(text), !key.isEmpty, !key.contains(0),
      key.count <= CommitLimits.maximumOrderKeySizeInBytes
    else { throw EventFault("“\(json.text)” is not an order key") }
    return key
  }
}

private extension EventNames.AttributeEntry {
  /// Reads a value of the attribute.
  ///
  /// - Parameter bytes: The exact bytes of a codable value. They must encode the same JSON, or the line would show one
  ///   value and write another.
  func value(_ json: JSONValue, bytes: JSONValue?) throws(EventFault) -> Value {
    do {
      let value = try Value(json: json, type: type)
      guard let bytes, !bytes.isNull else { return value }
      if type == .codable, let large = LargeValue(json: bytes) {
        guard LargeValue(json: json) == large else {
          throw EventFault("“\(name)” has another reference than its bytes")
        }
        return .large(large)
      }
      guard type == .codable, let text = bytes.stringValue, let exact = Base64.bytes(of: text) else {
        throw EventFault("the bytes of “\(name)” are not base64, or the attribute is not codable")
      }
      guard try Value.data(exact).normalized(as: .codable) == value else {
        throw EventFault("the bytes of “\(name)” are another value than the one beside them")
      }
      return .data(exact)
    } catch let error as ValueError {
      throw EventFault("“\(name)”: \(error)")
    } catch let error as EventFault {
      throw error
    } catch {
      preconditionFailure("Only the two errors above are thrown: \(error)")
    }
  }
}

/// The members of a JSON object, read one by one.
struct EventMembers {
  private let members: [(key: String, value: JSONValue)]

  init(_ json: JSONValue) throws(EventFault) {
    guard let members = json.members else { throw EventFault("expected an object, but found \(json.nounPhrase)") }
    self.members = members
  }

  init(_ members: [(key: String, value: JSONValue)]) {
    self.members = members
  }

  /// - Throws: `EventFault` if the object has any other key.
  func check(keys: Set<String>) throws(EventFault) {
    for (key, _) in members where !keys.contains(key) {
      throw EventFault("“\(key)” is not known here; the keys are \(keys.sorted().joined(separator: ", "))")
    }
  }

  func optional(_ key: String) -> JSONValue? {
    members.first { equalBytes($0.key, key) }?.value
  }

  func required(_ key: String) throws(EventFault) -> JSONValue {
    guard let value = optional(key) else { throw EventFault("“\(key)” is missing; is the line from an export?") }
    return value
  }

  func text(_ key: String) throws(EventFault) -> String {
    let value = try required(key)
    guard let text = value.stringValue else { throw wrong(key, value, "text") }
    return text
  }

  /// Text or null.
  func optionalText(_ key: String) throws(EventFault) -> String? {
    let value = try required(key)
    if value.isNull { return nil }
    guard let text = value.stringValue else { throw wrong(key, value, "text or null") }
    return text
  }

  func id(_ key: String) throws(EventFault) -> ObjectID {
    guard let id = try optionalID(key) else { throw EventFault("“\(key)” is null, and must be a UUID") }
    return id
  }

  /// An object's id, or `nil` for null.
  func optionalID(_ key: String) throws(EventFault) -> ObjectID? {
    let value = try required(key)
    if value.isNull { return nil }
    guard let id = value.stringValue.flatMap({ ObjectID($0) }) else { throw wrong(key, value, "a UUID") }
    return id
  }

  func time(_ key: String) throws(EventFault) -> Timestamp {
    guard let time = try optionalTime(key) else { throw EventFault("“\(key)” is null, and must be a time") }
    return time
  }

  func optionalTime(_ key: String) throws(EventFault) -> Timestamp? {
    let value = try required(key)
    if value.isNull { return nil }
    guard let time = value.stringValue.flatMap({ Timestamp($0) }) else {
      throw wrong(key, value, "an ISO 8601 time such as \(Timestamp.forms)")
    }
    return time
  }

  func digest(_ key: String) throws(EventFault) -> Digest {
    let value = try required(key)
    guard let digest = value.stringValue.flatMap({ Digest($0) }) else { throw wrong(key, value, "a SHA-256 in hex") }
    return digest
  }

  /// A position, at least 1, or `nil` if the member is missing.
  func position(_ key: String) throws(EventFault) -> Position? {
    guard let value = optional(key) else { return nil }
    guard let number = value.integerValue, number > 0 else { throw wrong(key, value, "a position, from 1 up") }
    return Position(UInt64(number))
  }

  func object(_ key: String) throws(EventFault) -> [(key: String, value: JSONValue)] {
    let value = try required(key)
    guard let members = value.members else { throw wrong(key, value, "an object") }
    return members
  }

  private func wrong(_ key: String, _ value: JSONValue, _ expected: String) -> EventFault {
    let text = value.text
    let shown = text.count > 80 ? "\(text.prefix(80))…" : text
    return EventFault("“\(key)” is \(shown), and must be \(expected)")
  }
}
