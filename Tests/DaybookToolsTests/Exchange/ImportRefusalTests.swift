import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime
@testable import DaybookTools

@Suite(.hangLimit) struct ImportRefusalTests {
  private let directory: TemporaryDirectory
  private let store: Store
  private let export: [UInt8]

  init() throws {
    directory = try TemporaryDirectory()
    store = try Store(at: directory.path("a"), model: RandomHistory.model)
    var history = RandomHistory(store, seed: 7, hasLargeValues: false)
    try history.write(30)
    export = try Exporter(store).bytes()
  }

  private func error(importing bytes: [UInt8], to path: String) -> StoreError? {
    do {
      try importEvents(bytes, to: path)
      return nil
    } catch {
      return error as? StoreError
    }
  }

  private func joined(_ lines: [[UInt8]]) -> [UInt8] { Array(lines.joined(separator: [0x0a])) }

  @Test func anotherHistoryIsAConflict() throws {
    let other = try Store(at: directory.path("b"), model: RandomHistory.model)
    try other.write { try $0.insert("Box", ["label": "mine"]) }
    other.close()
    let error = error(importing: export, to: directory.path("b"))
    #expect(error?.code == .conflict)
    #expect(error?.message.hasPrefix("Line 1:") == true)
  }

  @Test func aStoreThatWentOnElsewhereIsAConflict() throws {
    try importEvents(joined(Array(lines(export)[..<10])), to: directory.path("b"))
    let other = try Store(at: directory.path("b"))
    try other.write { try $0.insert("Box", ["label": "mine"]) }
    other.close()
    let error = error(importing: export, to: directory.path("b"))
    #expect(error?.code == .conflict)
    #expect(error?.message.hasPrefix("Line 11:") == true)
  }

  /// Rules of a model are compared with its defaults, on the time of the caller.
  @Test func anImportOfAModelEndsWithTheTimeOfItsCaller() throws {
    var model = RandomHistory.model
    model.entities[0].attributes.append(
      Attribute(
        name: "long", type: .string, defaultValue: .string(String(repeating: "a", count: 20_000)),
        rules: [.pattern("^(a+)*$")]))
    let other = try Store(at: directory.path("long"), model: model)
    let export = try Exporter(other).bytes()
    other.close()
    let error = #expect(throws: StoreError.self) {
      try withTimeLimit(.nanoseconds(1)) { try importEvents(export, to: directory.path("b")) }
    }
    #expect(error?.code == .timedOut)
    #expect(!FileManager.default.fileExists(atPath: directory.path("b")))
    try importEvents(export, to: directory.path("b"))
    #expect(try Store(at: directory.path("b")).position == 1)
  }

  @Test func aGapIsRefused() throws {
    var lines = lines(export)
    lines.remove(at: 4)
    let error = error(importing: joined(lines), to: directory.path("b"))
    #expect(error?.code == .damaged)
    #expect(error?.message.hasPrefix("Line 5:") == true)
    #expect(try Store(at: directory.path("b")).position == 4)
  }

  @Test func aLaterPartIsRefusedByAStoreThatLacksTheRest() throws {
    try importEvents(joined(Array(lines(export)[..<5])), to: directory.path("b"))
    let error = error(importing: joined(Array(lines(export)[7...])), to: directory.path("b"))
    #expect(error?.code == .conflict)
    #expect(try Store(at: directory.path("b")).position == 5)
  }

  @Test func nothingAtAllCreatesNoStore() throws {
    #expect(error(importing: [], to: directory.path("b"))?.code == .damaged)
    #expect(error(importing: Array("\n \n".utf8), to: directory.path("b"))?.code == .damaged)
    #expect(throws: StoreError.self) { try Store(at: directory.path("b")) }
  }

  @Test func aLogIsNoExport() throws {
    var log = try store.log()
    var bytes: [UInt8] = []
    while try log.writeNext(.log, to: &bytes) {}
    let error = error(importing: bytes, to: directory.path("b"))
    #expect(error != nil)
  }

  @Test func anyChangeOfALineIsRefused() throws {
    for line in lines(export) where line.count < 5_000 {
      let names = try store.names(at: CommitLineReader(line).position)
      for mutation in Mutations.all(of: try JSONValue(parsing: line)) {
        var changed: [UInt8] = []
        mutation.write(to: &changed)
        #expect(throws: (any Error).self, "\(String(decoding: changed, as: UTF8.self))") {
          try ImportedCommit(CommitLineReader(changed), number: 1, names: names)
        }
      }
    }
  }

  @Test func aChangedLineLeavesNoTraceAndThoseBeforeItStand() throws {
    var lines = lines(export)
    lines[5] = Array(String(decoding: lines[5], as: UTF8.self).replacing("\"object\"", with: "\"subject\"").utf8)
    lines[5] += Array(" ".utf8)
    let error = error(importing: joined(lines), to: directory.path("b"))
    #expect(error?.message.hasPrefix("Line 6:") == true)
    #expect(try Store(at: directory.path("b")).hashes() == Array(store.hashes().prefix(5)))
  }

  /// A program that changes events can compute matching hashes. The import must refuse such a commit if it contradicts
  /// the state, or the store could have made it.
  @Test func forgedEventsAreRefusedOrSound() throws {
    let seed = Seeds.one
    var random = SeededRandom(seed: seed)
    let lines = lines(export)
    var refusals = 0
    var number = 0
    // Most changes cannot be encoded, and are skipped.
    while number < 40 {
      let index = Int.random(in: 1..<lines.count, using: &random)
      guard lines[index].count < 5_000,
        let forged = try forge(lines[index], names: store.names(at: Position(UInt64(index + 1))), &random)
      else { continue }
      number += 1
      let path = directory.path("f\(number)")
      let refusal = error(importing: joined(Array(lines[..<index]) + [forged]), to: path)
      if let refusal {
        refusals += 1
        #expect(refusal.message.hasPrefix("Line \(index + 1)"), "DAYBOOK_SEED=\(seed)")
      }
      #expect(try Store(at: path).position.number == UInt64(refusal == nil ? index + 1 : index), "DAYBOOK_SEED=\(seed)")
      let faults = try Store.verify(at: path).faults
      #expect(faults.isEmpty, "DAYBOOK_SEED=\(seed) \(faults) \(String(decoding: forged, as: UTF8.self))")
    }
    #expect(refusals > 0)
  }

  /// Places are bytes that a stranger may choose: what is accepted must leave lists in which every place can be used.
  @Test func forgedPlacesAreRefusedOrUsable() throws {
    let seed = Seeds.one
    var random = SeededRandom(seed: seed)
    var lines = lines(export)
    let events = try lines.map { try JSONValue(parsing: $0)["events"]?.elements ?? [] }
    let known = events.joined().compactMap { $0["order"]?.elements?[1].stringValue }
    let hostile = OrderKeys.hostile.map { hexadecimalText(of: $0.rawSpan) }
    let ordered = events.indices.filter { line in
      lines[line].count < 5_000 && events[line].contains { $0["order"]?.elements?[1].stringValue != nil }
    }
    var refusals = 0
    for number in 0..<40 {
      let index = try #require(ordered.randomElement(using: &random))
      let places = events[index].indices.filter { events[index][$0]["order"]?.elements?[1].stringValue != nil }
      let place = try #require(places.randomElement(using: &random))
      let present = events[index][place]["order"]?.elements?[1].stringValue ?? ""
      let key = try #require(
        random.isOneIn(3)
          ? known.randomElement(using: &random)
          : random.isOneIn(2) ? present + "01" : hostile.randomElement(using: &random))
      let line = lines[index]
      guard
        let forged = try forge(
          line, names: store.names(at: Position(UInt64(index + 1))),
          { events in
            guard var elements = events.elements else { return nil }
            elements[place] = elements[place].replacing("order") { .array([$0.elements?[0] ?? .null, .string(key)]) }
            return .array(elements)
          })
      else {
        refusals += 1
        continue
      }
      lines[index] = forged
      let path = directory.path("p\(number)")
      if error(importing: joined(Array(lines[...index])), to: path) != nil { refusals += 1 }
      lines[index] = line
      #expect(try Store.verify(at: path).faults == [], "DAYBOOK_SEED=\(seed)")
      try useAllPlaces(ofStoreAt: path)
    }
    #expect(refusals > 0)
  }

  /// Puts an object before and after each target of each ordered relationship.
  private func useAllPlaces(ofStoreAt path: String) throws {
    let store = try Store(at: path)
    defer { store.close() }
    guard try store.read({ $0.model.entities.contains { $0.name == "Box" } }) else { return }
    let boxes = try store.read { try $0.fetch(Request(entity: "Box")).rows.map(\.id) }
    for (box, name) in boxes.flatMap({ [($0, "things"), ($0, "friends")] }) {
      var expected = try store.read { try $0.targets(of: box, name) }
      guard let moved = expected.last else { continue }
      for other in expected.dropLast() {
        try store.write { try $0.relate(box, name, to: moved, at: .before(other)) }
        expected.removeAll { $0 == moved }
        expected.insert(moved, at: expected.firstIndex(of: other)!)
        #expect(try store.read { try $0.targets(of: box, name) } == expected)
      }
    }
  }

  @Test func anInsertIntoARemovedEntityIsRefused() throws {
    let path = directory.path("removed")
    let source = try Store(at: path, model: RandomHistory.model)
    try source.write { try $0.insert("Box", ["label": "a"]) }
    var model = RandomHistory.model
    model.entities.removeLast()
    model.entities[0].relationships.removeAll { $0.name == "wrap" }
    try source.apply(model)
    try source.write { try $0.insert("Box", ["label": "b"]) }
    var lines = lines(try Exporter(source).bytes())
    let names = try source.names(at: 3)
    let wrap = try #require(source.read { $0.resolvedModel.entities.first { $0.name == "Wrap" } })
    let color = try #require(wrap.attributes.first { $0.name == "color" })
    source.close()
    lines[3] = try #require(
      try forge(lines[3], names: names) { events in
        .array(
          (events.elements ?? []).map { event in
            event.replacing("entity") { _ in .string("Wrap#\(wrap.tag)") }
              .replacing("values") { _ in .object([(key: "color#\(color.tag)", value: .string("blue"))]) }
          })
      })
    let refusal = error(importing: joined(lines), to: directory.path("b"))
    #expect(refusal?.code == .damaged)
    #expect(refusal?.message.contains("the model of its time") == true, "\(String(describing: refusal))")
  }

  @Test func aLineWithoutAnEndIsNotReadToItsEnd() throws {
    var pieces = 0
    var lines = LineSplitter(maximumLineSize: 10_000) {
      pieces += 1
      return [UInt8](repeating: UInt8(ascii: "a"), count: 1_000)
    }
    let error = #expect(throws: StoreError.self) { try lines.next() }
    #expect(error?.code == .tooLarge)
    #expect(error?.message.contains("Line 1 has more than 10000 bytes") == true)
    #expect(pieces == 11)
  }

  /// A rule that cannot be read would refuse each write to the new store.
  @Test func aModelWithARuleThatCannotBeReadIsRefused() throws {
    let model = Model(entities: [
      Entity(
        name: "Note", attributes: [Attribute(name: "size", type: .integer, rules: [.minimum(1)])], rules: ["size > 0"])
    ])
    let source = try Store.create(at: directory.path("rules"), model: model)
    let line = String(decoding: lines(try Exporter(source).bytes())[0], as: UTF8.self)
    for rule in ["sizes > 0", "size >"] {
      let forged = try hashed(Array(line.replacing("size > 0", with: rule).utf8), names: nil)
      let refusal = error(importing: joined([forged]), to: directory.path("forged"))
      #expect(refusal?.code == .badModel && refusal?.message.contains("Note.rule") == true, "\(refusal?.message ?? "")")
    }
  }

  /// A line with other events and the hash that they give; nil where they cannot be encoded.
  private func forge(_ line: [UInt8], names: EventNames, _ random: inout SeededRandom) throws -> [UInt8]? {
    try forge(line, names: names) { Mutations.all(of: $0).randomElement(using: &random) }
  }

  private func forge(_ line: [UInt8], names: EventNames, _ change: (JSONValue) -> JSONValue?) throws -> [UInt8]? {
    guard let members = try JSONValue(parsing: line).members, let events = members.first(where: { $0.key == "events" })
    else { return nil }
    guard let changed = change(events.value) else { return nil }
    var text: [UInt8] = []
    JSONValue.object(members.map { $0.key == "events" ? (key: $0.key, value: changed) : $0 }).write(to: &text)
    // What cannot be encoded is refused for that, which is another test's matter.
    return try? hashed(text, names: names)
  }

  /// Returns a line with the hash that its commit has.
  private func hashed(_ text: [UInt8], names: EventNames?) throws -> [UInt8] {
    let reader = try CommitLineReader(text)
    let body = try reader.body(names: names)
    let header = CommitHeader(
      position: reader.position, previousHash: reader.previousHash, bodyDigest: Digest(hashing: body.bytes.rawSpan),
      recordedAt: reader.recordedAt, happenedAt: reader.happenedAt, commitID: reader.commitID, author: reader.author,
      message: reader.message, eventCount: body.eventCount, bodySize: body.bytes.count, isModel: reader.model != nil,
      reasons: reader.reasons)
    let hash = PendingCommit(header: header, body: body.bytes).hash
    let members = try JSONValue(parsing: text).members ?? []
    var line: [UInt8] = []
    JSONValue.object(members.map { $0.key == "hash" ? (key: $0.key, value: .string(hash.description)) : $0 })
      .write(to: &line)
    return line
  }

  @Test func anyBytesAreRefusedOrTheSame() throws {
    var random = SeededRandom(seed: Seeds.one)
    let lines = lines(export)
    for _ in 0..<300 {
      let index = Int.random(in: 0..<min(6, lines.count), using: &random)
      var changed = lines[index]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
      }
      do {
        let reader = try CommitLineReader(changed)
        let names = EventNames(try ResolvedModel(creating: RandomHistory.model))
        _ = try ImportedCommit(reader, number: 1, names: names)
      } catch is EventFault {
      } catch is CommitRefusal {
      }
    }
  }

}

/// Changes of a JSON value, one at a time, everywhere in it.
enum Mutations {
  static func all(of json: JSONValue) -> [JSONValue] {
    var results: [JSONValue] = []
    switch json {
    case .object(let members):
      for index in members.indices {
        var without = members
        without.remove(at: index)
        results.append(.object(without))
        var renamed = members
        renamed[index].key += "x"
        results.append(.object(renamed))
        for mutation in all(of: members[index].value) {
          var changed = members
          changed[index].value = mutation
          results.append(.object(changed))
        }
      }
    case .array(let elements):
      for index in elements.indices {
        var without = elements
        without.remove(at: index)
        results.append(.array(without))
        for mutation in all(of: elements[index]) {
          var changed = elements
          changed[index] = mutation
          results.append(.array(changed))
        }
      }
      results.append(.array(elements + [.null]))
    case .null: results = [.integer(1), .string("x"), .object([])]
    case .boolean(let flag): results = [.boolean(!flag), .null]
    case .integer(let number): results = [.integer(number &+ 1), .integer(-1), .literal("18446744073709551615"), .null]
    case .number(let number): results = [.number(number / 2 + 1), .string("x")]
    case .literal: results = [.integer(0)]
    case .string(let text): results = [.string(text + "x"), .integer(0), .string("")].filter { $0 != json }
    }
    return results
  }
}

extension JSONValue {
  /// The object with one member changed.
  fileprivate func replacing(_ key: String, _ change: (JSONValue) -> JSONValue) -> JSONValue {
    .object((members ?? []).map { $0.key == key ? (key: $0.key, value: change($0.value)) : $0 })
  }
}
