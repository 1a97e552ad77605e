import DaybookModel
import DaybookTestSupport

extension DecoderCheck {
  /// The names for reading events: each type of attribute, and links with and without an order.
  private static let names: EventNames = {
    let attributes = AttributeType.allCases.map { Attribute(name: "\($0)", type: $0, isOptional: true) }
    let model = Model(
      entities: [
        Entity(
          name: "Note", nameAttribute: "string", attributes: attributes,
          relationships: [
            Relationship(name: "parent", target: "Note", inverse: "children", isOptional: true),
            Relationship(name: "children", target: "Note", inverse: "parent", isMany: true, isOrdered: true),
            Relationship(name: "tags", target: "Tag", inverse: "notes", isMany: true),
          ]),
        Entity(
          name: "Tag", attributes: [Attribute(name: "name", type: .string)],
          relationships: [Relationship(name: "notes", target: "Note", inverse: "tags", isMany: true)]),
      ], events: [EventType(name: "Read", about: "Note", attributes: attributes)])
    do {
      return EventNames(try ResolvedModel(creating: model))
    } catch {
      preconditionFailure("The model is right: \(error)")
    }
  }()

  private static let position = Position(1_000)
  private static let time = Timestamp(microseconds: 1_000_000)

  static func header(_ bytes: [UInt8]) throws -> Bool {
    guard let (header, size) = try? CommitHeader.read(bytes.rawSpan) else { return false }
    try require(size <= bytes.count, "the header is longer than its bytes")
    var written: [UInt8] = []
    header.append(to: &written)
    let (again, _) = try CommitHeader.read(written.rawSpan)
    try require(again == header, "\(header) becomes \(again)")
    return true
  }

  static func events(_ bytes: [UInt8]) throws -> Bool {
    guard let events = try? read(bytes, at: position, time) else { return false }
    var back = EventReader(bytes.rawSpan, position: position, time: time)
    var count = 0
    try back.forEachReversed { _ in count += 1 }
    try require(count == events.count, "forward there are \(events.count) events, backward \(count)")
    var writer = EventWriter(position: position, time: time)
    // Events that only a store can check, such as a link without a place in an order, are refused on writing.
    for event in events where (try? writer.append(event, names: names)) == nil { return true }
    let written = writer.bytes
    var second = EventWriter(position: position, time: time)
    for event in try read(written, at: position, time) { try second.append(event, names: names) }
    try require(second.bytes == written, "\(events) are \(written) and then \(second.bytes)")
    return true
  }

  /// Checks that a decoded line of an export contains readable events.
  static func line(_ bytes: [UInt8]) throws -> Bool {
    guard let line = try? CommitLineReader(bytes) else { return false }
    guard line.position.number > 0, let (body, count, _) = try? line.body(names: names) else { return true }
    guard line.model == nil else { return true }
    let events = try read(body, at: line.position, line.time)
    try require(events.count == count, "\(count) events were written and \(events.count) are read")
    return true
  }

  private static func read(_ bytes: [UInt8], at position: Position, _ time: Timestamp) throws -> [Event] {
    var reader = EventReader(bytes.rawSpan, position: position, time: time)
    var events: [Event] = []
    while !reader.isAtEnd { events.append(try Event(reader.next(), names: names)) }
    return events
  }

  static func fields(_ bytes: [UInt8]) throws -> Bool {
    var reader = FieldReader(bytes.rawSpan)
    while !reader.isAtEnd {
      guard let field = try? reader.next() else { return false }
      _ = try? field.target()
      _ = try? field.orderKey().byteCount
      guard let value = try? field.value() else { continue }
      for order in StringOrder.ownOrders {
        var key: [UInt8] = []
        SortKey.append(value, order: order, isDescending: order == .codepoint, to: &key)
      }
      let written = stored(value)
      guard let again = try FieldReader.field(Tag(1), in: written.rawSpan) else {
        throw Mismatch("\(value) is not found again")
      }
      try require(stored(again.value()) == written, "\(value) becomes \(written)")
    }
    return true
  }

  static func record(_ bytes: [UInt8]) throws -> Bool {
    guard let record = try? RecordView(bytes.rawSpan) else { return false }
    var written: [UInt8] = []
    if record.isTombstone {
      written.appendTombstone(last: record.stamps.last, of: record.entity)
    } else {
      written.appendRecordHead(record.stamps, of: record.entity)
      written.append(bytes: record.fields)
    }
    let again = try RecordView(written.rawSpan)
    try require(again.stamps == record.stamps, "\(record.stamps) becomes \(again.stamps)")
    return true
  }
}
