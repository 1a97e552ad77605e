@testable import Daybook
import DaybookTestSupport
import Testing

@Suite struct ImportRefusalTests {
  private let directory: TemporaryDirectory
  private let store: Store
  private let export: [UInt8]

  init() throws {
    directory = try TemporaryDirectory()
    store = try Store(at: directory.path("a"), model: RandomHistory.model)
    var history = RandomHistory(store, seed: 7)
    try history.write(30)
    export = try store.exported()
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

  @Test func aGapIsRefused() throws {
    var lines = lines(export)
    lines.remove(at: 4)
    let error = error(importing: joined(lines), to: directory.path("b"))
    #expect(error?.code == .damaged)
    #expect(error?.message.hasPrefix("Line 5:") == true)
    #expect(try Store(at: directory.path("b")).head() == 4)
  }

  @Test func aLaterPartIsRefusedByAStoreThatLacksTheRest() throws {
    try importEvents(joined(Array(lines(export)[..<5])), to: directory.path("b"))
    let error = error(importing: joined(Array(lines(export)[7...])), to: directory.path("b"))
    #expect(error?.code == .conflict)
    #expect(try Store(at: directory.path("b")).head() == 5)
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
    let lines = lines(export)
    let chosen = lines.indices.filter { $0 > 0 && lines[$0].count < 3_000 }.prefix(8)
    for index in chosen {
      for mutation in Mutations.all(of: try JSONValue(parsing: lines[index])) {
        var changed: [UInt8] = []
        mutation.write(to: &changed)
        let path = directory.path("m")
        try importEvents(joined(Array(lines[..<index])), to: path)
        let refusal = error(importing: changed, to: path)
        #expect(refusal != nil, "\(String(decoding: changed, as: UTF8.self))")
        #expect(refusal?.message.hasPrefix("Line 1") == true)
        removeStore(path)
      }
    }
  }

  @Test func anyBytesAreRefusedOrTheSame() throws {
    var random = HistoryRandom(seed: HistoryRandom.seed())
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
      } catch is ImportRefusal {
      }
    }
  }

  private func removeStore(_ path: String) {
    try? removeTreeOfTest(path)
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
        // A line may leave a null out nowhere, and a member that is no null says something.
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
