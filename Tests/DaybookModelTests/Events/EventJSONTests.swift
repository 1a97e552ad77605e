import DaybookModel
import DaybookTestSupport
import Testing

/// The JSON of each kind of event, which restores the event's bytes.
@Suite(.hangLimit) struct EventJSONTests {
  private static let recipe = ObjectID("00000000-0000-7000-8000-000000000001")!
  private static let dessert = ObjectID("00000000-0000-7000-8000-000000000002")!
  private static let sweet = ObjectID("00000000-0000-7000-8000-000000000003")!
  private let time = Timestamp(microseconds: 1_767_323_045_000_000)
  private let names: EventNames
  private let model: ResolvedModel

  init() throws {
    model = try ResolvedModel(
      creating: Model(entities: [
        Entity(
          name: "Recipe", nameAttribute: "name",
          attributes: [
            Attribute(name: "name", type: .string), Attribute(name: "servings", type: .integer, defaultValue: 1),
            Attribute(name: "shape", type: .codable, isOptional: true),
          ],
          relationships: [
            Relationship(name: "type", target: "RecipeType", inverse: "recipes", isOptional: true),
            Relationship(name: "tags", target: "Tag", inverse: "recipes", isMany: true, isOrdered: true),
          ]),
        Entity(
          name: "RecipeType", attributes: [Attribute(name: "name", type: .string)],
          relationships: [Relationship(name: "recipes", target: "Recipe", inverse: "type", isMany: true)]),
        Entity(
          name: "Tag", attributes: [Attribute(name: "name", type: .string)],
          relationships: [Relationship(name: "recipes", target: "Recipe", inverse: "tags", isMany: true)]),
      ]))
    names = EventNames(model)
  }

  private func event(_ content: Event.Content, previous: Position? = 6) -> Event {
    let isInsertion = if case .inserted = content { true } else { false }
    let isDeletion = if case .deleted = content { true } else { false }
    return Event(
      entity: "Recipe", object: EventJSONTests.recipe, previous: previous,
      former: isInsertion
        ? nil
        : Event.Former(
          changed: 6, changedAt: Timestamp(microseconds: time.microseconds - 500_000), created: isDeletion ? 2 : nil,
          createdAt: isDeletion ? Timestamp(microseconds: 0) : nil),
      content: content)
  }

  /// Returns the event's line in a log, after a round trip through bytes and JSON.
  private func log(_ event: Event) throws -> String {
    var writer = EventWriter(position: 7, time: time)
    try writer.append(event, names: names)
    var reader = EventReader(writer.bytes.rawSpan, position: 7, time: time)
    #expect(try Event(reader.next(), names: names) == event)
    var export: [UInt8] = []
    event.writeJSON(to: &export, names: names, style: .export)
    let read = try Event(json: JSONValue(parsing: export), names: names)
    var again = EventWriter(position: 7, time: time)
    try again.append(read, names: names)
    #expect(again.bytes == writer.bytes)
    var line: [UInt8] = []
    event.writeJSON(to: &line, names: names, style: .log)
    return String(decoding: line, as: UTF8.self)
  }

  private func string(_ name: String, _ value: Value) -> NamedValue {
    NamedValue(name: name, type: .string, value: value)
  }

  @Test func anInsertionHoldsAllValues() throws {
    let event = event(
      .inserted(
        [string("name", "Cake"), NamedValue(name: "servings", type: .integer, value: 1)], links: []), previous: nil)
    #expect(
      try log(event)
        == #"{"event": "inserted", "entity": "Recipe", "object": "00000000-0000-7000-8000-000000000001", "values": {"name": "Cake", "servings": 1}}"#
    )
  }

  @Test func aRenamingHoldsBothNames() throws {
    let change = Event.Change(name: "name", type: .string, old: "Cake", new: "Chocolate cake")
    #expect(
      try log(event(.renamed(change)))
        == #"{"event": "renamed", "entity": "Recipe", "object": "00000000-0000-7000-8000-000000000001", "from": "Cake", "to": "Chocolate cake", "previous": 6}"#
    )
  }

  @Test func aRenamingOfAnotherAttributeNamesIt() throws {
    let change = Event.Change(name: "servings", type: .integer, old: 1, new: 2)
    #expect(try log(event(.renamed(change))).contains(#""to": 2, "attribute": "servings", "previous": 6"#))
  }

  @Test func aSettingHoldsOldAndNewValues() throws {
    let change = Event.Change(name: "servings", type: .integer, old: 1, new: 8)
    #expect(
      try log(event(.set([change])))
        == #"{"event": "set", "entity": "Recipe", "object": "00000000-0000-7000-8000-000000000001", "values": {"servings": [1, 8]}, "previous": 6}"#
    )
  }

  @Test func aRelatingHoldsBothTargets() throws {
    let link = Event.Link(
      relationship: "type", isOrdered: false, from: nil, fromPrevious: nil, to: EventJSONTests.dessert,
      targetPrevious: 2, oldOrder: [], newOrder: [])
    #expect(
      try log(event(.related(link)))
        == #"{"event": "related", "entity": "Recipe", "object": "00000000-0000-7000-8000-000000000001", "relationship": "type", "from": null, "to": "00000000-0000-7000-8000-000000000002", "previous": 6, "targetPrevious": 2}"#
    )
    let replacing = Event.Link(
      relationship: "type", isOrdered: false, from: EventJSONTests.sweet, fromPrevious: 3,
      to: EventJSONTests.dessert, targetPrevious: nil, oldOrder: [], newOrder: [])
    #expect(try log(event(.related(replacing))).hasSuffix(#""previous": 6, "fromPrevious": 3}"#))
  }

  @Test func anUnrelatingOfAnOrderedRelationshipHoldsTheOldPlace() throws {
    let link = Event.Link(
      relationship: "tags", isOrdered: true, from: EventJSONTests.sweet, fromPrevious: nil, to: nil,
      targetPrevious: nil, oldOrder: [0x80, 0x01], newOrder: [])
    #expect(
      try log(event(.unrelated(link)))
        == #"{"event": "unrelated", "entity": "Recipe", "object": "00000000-0000-7000-8000-000000000001", "relationship": "tags", "from": "00000000-0000-7000-8000-000000000003", "order": ["8001", null], "previous": 6}"#
    )
  }

  @Test func aDeletionHoldsTheLastValues() throws {
    #expect(
      try log(event(.deleted([string("name", "Chocolate cake")], links: [])))
        == #"{"event": "deleted", "entity": "Recipe", "object": "00000000-0000-7000-8000-000000000001", "values": {"name": "Chocolate cake"}, "previous": 6}"#
    )
  }

  @Test func anExportHoldsFormerTimes() throws {
    var line: [UInt8] = []
    event(.deleted([], links: [])).writeJSON(to: &line, names: names, style: .export)
    #expect(
      String(decoding: line, as: UTF8.self).hasSuffix(
        #""former": {"created": 2, "createdAt": "1970-01-01T00:00:00Z", "changed": 6, "changedAt": "2026-01-02T03:04:04.500000Z"}}"#
      ))
  }

  @Test(arguments: [#"{"b": 1, "a": 2}"#, #"{"a":1.0}"#, #""é\u0000""#, "[1e400]", #"{"a":{}}"#])
  func codableBytesComeBackAsTheyWere(_ text: String) throws {
    let field = NamedValue(name: "shape", type: .codable, value: .data(Array(text.utf8)))
    _ = try log(event(.inserted([field], links: []), previous: nil))
    _ = try log(event(.set([Event.Change(name: "shape", type: .codable, old: field.value, new: .null)])))
  }

  @Test func codableBytesMustBeTheValueBesideThem() throws {
    let line = """
      {"event": "inserted", "entity": "Recipe", "object": "00000000-0000-7000-8000-000000000001", \
      "values": {"shape": [1]}, "bytes": {"shape": "WzJd"}}
      """
    #expect(throws: EventFault.self) { try Event(json: JSONValue(parsing: line), names: names) }
  }

  @Test func whatAModelRemovedIsNamedWithItsTag() throws {
    var changed = model.model
    changed.entities[0].attributes.removeLast()
    let tag = try #require(model.stored.entities[0].attributes.last).tag
    let evolved = EventNames(try model.evolved(to: changed).model)
    let field = NamedValue(name: "shape#\(tag)", type: .codable, value: .data(Array("[]".utf8)))
    var writer = EventWriter(position: 7, time: time)
    try writer.append(event(.deleted([field], links: [])), names: evolved)
    var reader = EventReader(writer.bytes.rawSpan, position: 7, time: time)
    let read = try Event(reader.next(), names: evolved)
    #expect(read == event(.deleted([field], links: [])))
  }

  @Test func whatTheModelLacksIsAnErrorAndNoTrap() throws {
    var writer = EventWriter(position: 7, time: time)
    try writer.inserted(EventJSONTests.recipe, entity: Tag(999), previous: nil, fields: [UInt8]().rawSpan)
    var reader = EventReader(writer.bytes.rawSpan, position: 7, time: time)
    #expect(throws: EventFault.self) { try Event(reader.next(), names: names) }
  }

  /// Former positions come from rows and lines, either of which may be damaged.
  @Test(arguments: [7, 8, UInt64.max]) func aPositionThatIsNotEarlierIsAnErrorAndNoTrap(number: UInt64) {
    let later = Position(number)
    let former = { (created: Position, changed: Position) in
      Stamps(created: created, createdAt: time, changed: changed, changedAt: time, last: 6)
    }
    let none = [UInt8]()
    func expectRefusal(_ write: (inout EventWriter) throws -> Void) {
      var writer = EventWriter(position: 7, time: time)
      #expect(throws: MalformedBytes.self) { try write(&writer) }
    }
    let id = EventJSONTests.recipe
    expectRefusal { try $0.inserted(id, entity: Tag(1), previous: later, fields: none.rawSpan) }
    expectRefusal { try $0.unknown(id, entity: Tag(1), previous: later, content: none.rawSpan) }
    let link = LinkChange(relationship: Tag(2), from: id, fromPrevious: later, to: id, toPrevious: 3)
    expectRefusal { try $0.link(id, entity: Tag(1), previous: 3, former: former(2, 6), change: link) }
    // An earlier event of the same commit may have changed the object.
    let wrong = number == 7 ? Position.empty : later
    expectRefusal {
      try $0.changed(.set, id, entity: Tag(1), previous: 3, former: former(2, wrong), changes: none.rawSpan)
    }
    expectRefusal {
      try $0.deleted(id, entity: Tag(1), previous: 3, former: former(wrong, 6), fields: none.rawSpan)
    }
  }

  @Test func anyBytesDecodeOrThrow() throws {
    var random = SeededRandom(seed: Seeds.one)
    var writer = EventWriter(position: 7, time: time)
    try writer.append(event(.set([Event.Change(name: "servings", type: .integer, old: 1, new: 8)])), names: names)
    try writer.append(event(.deleted([string("name", "Cake")], links: [])), names: names)
    for _ in 0..<20_000 {
      var bytes = writer.bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
      }
      var reader = EventReader(bytes.rawSpan, position: 7, time: time)
      do {
        while !reader.isAtEnd {
          var line: [UInt8] = []
          try Event(reader.next(), names: names).writeJSON(to: &line, names: names, style: .export)
        }
      } catch is EventFault {
      } catch is MalformedBytes {
      }
    }
  }
}
