import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookModel

/// The bytes and the JSON of recorded events.
@Suite(.hangLimit) struct RecordedEventTests {
  private static let recipe = ObjectID("00000000-0000-7000-8000-000000000001")!
  private let time = Timestamp(microseconds: 1_767_323_045_000_000)
  private let model: ResolvedModel
  private let names: EventNames

  init() throws {
    let types = AttributeType.allCases
    model = try ResolvedModel(
      creating: Model(
        entities: [Entity(name: "Recipe"), Entity(name: "Tag")],
        events: [
          EventType(
            name: "RecipeCooked", about: "Recipe",
            attributes: [
              Attribute(name: "servings", type: .integer), Attribute(name: "verdict", type: .string, isOptional: true),
            ]),
          EventType(
            name: "Checked", about: "Recipe",
            attributes: types.map { Attribute(name: "\($0)Value", type: $0, isOptional: true) }),
        ]))
    names = EventNames(model)
  }

  private func event(_ name: String, _ fields: [NamedValue], previous: Position? = 6) -> Event {
    Event(
      entity: "Recipe", object: RecordedEventTests.recipe, previous: previous, former: nil,
      content: .recorded(name: name, fields: fields))
  }

  private func bytes(_ event: Event, _ names: EventNames? = nil) throws -> [UInt8] {
    var writer = EventWriter(position: 7, time: time)
    try writer.append(event, names: names ?? self.names)
    #expect(writer.bodyVersion == 2)
    return writer.bytes
  }

  private func decoded(_ bytes: [UInt8], _ names: EventNames? = nil) throws -> Event {
    var reader = EventReader(bytes.rawSpan, position: 7, time: time)
    let event = try Event(reader.next(), names: names ?? self.names)
    let isAtEnd = reader.isAtEnd
    #expect(isAtEnd)
    return event
  }

  private func line(_ event: Event, _ style: CommitLineStyle) -> String {
    var line: [UInt8] = []
    event.writeJSON(to: &line, names: names, style: style)
    return String(decoding: line, as: UTF8.self)
  }

  @Test func theLogNamesTheEventItsObjectAndItsValues() throws {
    let cooked = event("RecipeCooked", [NamedValue(name: "servings", type: .integer, value: 6)])
    #expect(
      line(cooked, .log)
        == #"{"event": "recorded", "name": "RecipeCooked", "entity": "Recipe", "object": "00000000-0000-7000-8000-000000000001", "values": {"servings": 6}, "previous": 6}"#
    )
    #expect(line(cooked, .export) == line(cooked, .log))
    #expect(
      line(event("RecipeCooked", [], previous: nil), .log).hasSuffix(#""values": {}}"#))
  }

  /// The first byte is kind 7, as for any content of a later version; the content begins with the number 8.
  @Test func theBytesAreKindSevenWithAContentOfTheNumberEight() throws {
    let bytes = try bytes(event("RecipeCooked", [NamedValue(name: "servings", type: .integer, value: 6)]))
    let tags = try (entity: model.entities[0].tag, type: model.events[#require(model.event(named: "RecipeCooked"))])
    var expected: [UInt8] = [7, UInt8(tags.entity.number)]
    expected.append(RecordedEventTests.recipe)
    expected += [1, 4, 8, UInt8(tags.type.tag.number), UInt8(tags.type.attributes[0].tag.number << 4 | 1), 12]
    #expect(bytes == expected)
  }

  @Test func everyTypeOfValueReturnsFromBytesAndFromJSON() throws {
    var random = SeededRandom(seed: Seeds.one)
    let values: [AttributeType: [Value]] = [
      .string: ["", "a\"\n\u{0}", "日本"], .integer: [0, .integer(.min), .integer(.max)],
      .double: [.double(0), .double(-.infinity), .double(1.0 / 3)],
      .decimal: [.decimal(0), .decimal(Decimal(string: "-12345.678")!)], .boolean: [true, false],
      .date: [.date(Timestamp(microseconds: -1)), .date(time)], .uuid: [.uuid(RecordedEventTests.recipe)],
      .data: [.data([]), .data([0, 255])],
      .codable: [.data(Array(#"{"b": 1, "a": 2}"#.utf8)), .data(Array("[1]".utf8))],
    ]
    for _ in 0..<300 {
      var fields: [NamedValue] = []
      for type in AttributeType.allCases where random.isTrue(percent: 60) {
        fields.append(NamedValue(name: "\(type)Value", type: type, value: random.pick(values[type]!)))
      }
      let event = event("Checked", fields, previous: random.isTrue(percent: 50) ? 3 : nil)
      let written = try bytes(event)
      #expect(try decoded(written) == event)
      let read = try Event(json: JSONValue(parsing: Array(line(event, .export).utf8)), names: names)
      #expect(try bytes(read) == written)
    }
  }

  @Test func contentOfAnotherNumberStaysUnknown() throws {
    for content: [UInt8] in [[9, 1, 2], [7], [0], [], [0x80], [0x88, 0x80]] {
      var writer = EventWriter(position: 7, time: time)
      try writer.unknown(RecordedEventTests.recipe, entity: Tag(1), previous: 6, content: content.rawSpan)
      let event = try decoded(writer.bytes)
      #expect(event.content == .unknown(content))
      #expect(event.kind == .unknown)
      #expect(writer.bodyVersion == 1)
    }
  }

  @Test func aRecordedEventWithoutAKnownTypeIsAnErrorAndNoTrap() throws {
    // No type, the type 0, a type beyond all tags, a type that is an entity's tag, and one about another entity.
    for content: [UInt8] in [[8], [8, 0], [8, 0xff, 0xff, 0x7f], [8, 1], [8, 0xe7, 0x07]] {
      var writer = EventWriter(position: 7, time: time)
      try writer.unknown(RecordedEventTests.recipe, entity: Tag(1), previous: 6, content: content.rawSpan)
      #expect(throws: (any Error).self, "\(content)") { try decoded(writer.bytes) }
    }
    var writer = EventWriter(position: 7, time: time)
    let type = try model.events[#require(model.event(named: "RecipeCooked"))]
    try writer.recorded(
      RecordedEventTests.recipe, entity: model.entities[1].tag, previous: nil, type: type.tag, fields: [UInt8]().rawSpan
    )
    #expect(throws: EventFault.self) { try decoded(writer.bytes) }
  }

  @Test(arguments: [
    #"{"event": "recorded", "entity": "Recipe", "object": "00000000-0000-7000-8000-000000000001", "values": {}}"#,
    #"{"event": "recorded", "name": "Fried", "entity": "Recipe", "object": "00000000-0000-7000-8000-000000000001", "values": {}}"#,
    #"{"event": "recorded", "name": "RecipeCooked", "entity": "Tag", "object": "00000000-0000-7000-8000-000000000001", "values": {}}"#,
    #"{"event": "recorded", "name": "RecipeCooked", "entity": "Recipe", "object": "00000000-0000-7000-8000-000000000001", "values": {"colour": 1}}"#,
    #"{"event": "recorded", "name": "RecipeCooked", "entity": "Recipe", "object": "00000000-0000-7000-8000-000000000001", "values": {"servings": "6"}}"#,
    #"{"event": "recorded", "name": "RecipeCooked", "entity": "Recipe", "object": "00000000-0000-7000-8000-000000000001"}"#,
    #"{"event": "recorded", "name": "RecipeCooked", "entity": "Recipe", "object": "00000000-0000-7000-8000-000000000001", "values": {}, "former": {}}"#,
    #"{"event": "recorded", "name": 7, "entity": "Recipe", "object": "00000000-0000-7000-8000-000000000001", "values": {}}"#,
  ])
  func aWrongLineIsAnError(line: String) throws {
    #expect(throws: EventFault.self) { try Event(json: JSONValue(parsing: line), names: names) }
  }

  @Test func aRemovedEventIsNamedWithItsTag() throws {
    let tag = try model.events[#require(model.event(named: "RecipeCooked"))].tag
    var changed = model.model
    changed.events.removeFirst()
    let later = EventNames(try model.evolved(to: changed).model)
    let written = try bytes(event("RecipeCooked", [NamedValue(name: "servings", type: .integer, value: 6)]))
    let read = try decoded(written, later)
    guard case .recorded(let name, let fields) = read.content else {
      Issue.record("\(read)")
      return
    }
    #expect(name == "RecipeCooked#\(tag)")
    #expect(fields.map(\.value) == [6])
    #expect(try bytes(read, later) == written)
  }

  @Test func anyBytesDecodeOrThrow() throws {
    var random = SeededRandom(seed: Seeds.one)
    let first = try bytes(
      event(
        "Checked",
        [
          NamedValue(name: "stringValue", type: .string, value: "abc"),
          NamedValue(name: "decimalValue", type: .decimal, value: .decimal(1.5)),
        ]))
    for _ in 0..<20_000 {
      var bytes = first
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
      }
      if random.isTrue(percent: 20) { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random)) }
      var reader = EventReader(bytes.rawSpan, position: 7, time: time)
      do {
        while !reader.isAtEnd {
          var line: [UInt8] = []
          let event = try Event(reader.next(), names: names)
          event.writeJSON(to: &line, names: names, style: .export)
          _ = try Event(json: JSONValue(parsing: line), names: names)
        }
      } catch is EventFault {
      } catch is MalformedBytes {
      } catch is JSONError {
      }
    }
  }
}
