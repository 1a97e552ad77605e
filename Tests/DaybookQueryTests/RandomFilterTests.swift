import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookModel
@testable import DaybookQuery

@Suite(.hangLimit) struct RandomFilterTests {
  @Test func `the evaluator agrees with a plain one`() throws {
    try SeededRandom.run(Rounds.of(400)) { generator in
      let seed = generator.seed
      var world = Randomness.world(Kitchen.resolved, &generator)
      let plain = PlainEvaluator(world: world)
      for _ in 0..<20 {
        let filter = Randomness.filter(depth: 3, &generator)
        let resolved = try ResolvedFilter(filter, entity: 0, in: Kitchen.resolved)
        for recipe in world.all("Recipe") {
          let isMet = try resolved.matches(ObjectKey(entity: 0, id: recipe.id), in: &world)
          #expect(isMet == plain.matches(filter.node, recipe.id), "\(filter) on \(recipe), seed \(seed)")
        }
      }
    }
  }

  @Test func `the canonical text parses to an equal filter`() throws {
    try SeededRandom.run(Rounds.of(3_000)) { generator in
      let seed = generator.seed
      let filter = Randomness.filter(depth: 6, &generator)
      let text = filter.description
      let parsed = try Filter(parsing: text)
      #expect(parsed == filter, "\(text) seed \(seed)")
      #expect(parsed.description == text, "seed \(seed)")
    }
  }

  @Test func `values of all kinds keep their canonical text`() throws {
    try SeededRandom.run(Rounds.of(5_000)) { generator in
      let seed = generator.seed
      let bits = UInt64.random(in: .min ... .max, using: &generator)
      let double = Double(bitPattern: bits)
      let values: [Value] = [
        .double(double.isNaN ? 0 : double), .integer(Int64(bitPattern: bits)),
        .date(Timestamp(microseconds: Int64(bitPattern: bits))),
        .decimal(Decimal(sign: .plus, exponent: generator.number(-120..<100), significand: Decimal(bits))),
        .string(String(String.UnicodeScalarView((0..<8).map { _ in randomScalar(&generator) }))),
        .data((0..<generator.number(0..<9)).map { _ in UInt8(generator.number(0..<256)) }),
      ]
      for value in values {
        let filter = Filter(.path("a"), .equal, .value(value))
        let again = try Filter(parsing: filter.description)
        #expect(again == filter, "\(filter) seed \(seed)")
      }
    }
  }

  private func randomScalar(_ generator: inout SeededRandom) -> Unicode.Scalar {
    let limit: UInt32 = generator.pick([0x80, 0x800, 0x10000, 0x110000])
    return Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) ?? "x"
  }

  /// Words that look like a filter when joined.
  private static let words = [
    "name", "servings", "type.name", "ANY", "ALL", "NONE", "tags.@count", "ingredients.@sum.amount", ".", "@", "(", ")",
    "{", "}", "[", "]", "[cd]", "==", "!=", "<", ">", "=", "!", "&", "&&", "||", "AND", "OR", "NOT", "IN", "BETWEEN",
    "LIKE", "COUNT(", "COUNT", "WHERE", "ANY tags WHERE (", "COUNT(ingredients WHERE amount > 2)",
    "MATCHES", "CONTAINS", "BEGINSWITH", "nil", "true", "1", "-1.5e3", "2026-01-01", "\"x\"", "'(a'", "\"", "\\", "é",
    "\0",
    "\u{301}", ",", "\"2026\"", "TRUEPREDICATE", "-", "+", "e", ",", "$", "$text", "\r\n", "\u{1F1E9}",
  ]

  @Test func `no text makes the parser or the resolver trap`() throws {
    try SeededRandom.run(Rounds.of(20_000)) { generator in
      let count = generator.number(0..<14)
      let text = (0..<count).map { _ in generator.pick(Self.words) + generator.pick(["", " ", " "]) }.joined()
      tryAll(text)
    }
  }

  @Test func `no bytes make the parser trap`() throws {
    try SeededRandom.run(Rounds.of(5_000)) { generator in
      let bytes = (0..<generator.number(0..<40)).map { _ in UInt8(generator.number(0..<256)) }
      tryAll(String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test func `no change of a right filter makes the parser or the resolver trap`() throws {
    try SeededRandom.run(Rounds.of(5_000)) { generator in
      var units = Array(Randomness.filter(depth: 3, &generator).description.utf8)
      for _ in 0..<generator.number(1..<4) where !units.isEmpty {
        let place = generator.number(0..<units.count)
        switch generator.number(0..<4) {
        case 0: units.remove(at: place)
        case 1: units.insert(UInt8(generator.number(0..<256)), at: place)
        case 2: units[place] = UInt8(generator.number(32..<127))
        default: units.removeSubrange(place..<min(units.count, place + generator.number(1..<10)))
        }
      }
      tryAll(String(decoding: units, as: UTF8.self))
    }
  }

  @Test func `no regular expression makes the resolver or the matching trap`() throws {
    let parts = [
      "(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "\\", "^", "$", ".", "a", "1", ",", "-", "\\d", "\\w", "\\p{L}",
      "\\b", "(?:", "(?i)", "(?=", "(?!", "(?<n>", "\\1", "\\k<n>", "&&", "~~", "[:alpha:]", "\\u{e9}", "é", "\\R",
      "\\X", "\\Q",
      "\\E", "#", " ", "(?x)", "{2}", "{1,3}", "(?<=", "\\K", "\\G", "\\N{", "\\x", "\\0",
    ]
    try SeededRandom.run(Rounds.of(8_000)) { generator in
      let text = (0..<generator.number(0..<9)).map { _ in generator.pick(parts) }.joined()
      let options = Filter.Options(rawValue: generator.number(0..<4))
      let filter = Filter(.path("name"), .matches, .value(.string(text)), options: options)
      guard let resolved = try? ResolvedFilter(filter, entity: 0, in: Kitchen.resolved) else { return }
      var world = World()
      let id = world.add("Recipe", ["name": "aé1\r\na"])
      _ = try? resolved.matches(ObjectKey(entity: 0, id: id), in: &world)
    }
  }

  /// A filter that parses has a canonical text, and is resolved or refused with a place.
  private func tryAll(_ text: String) {
    do {
      let filter = try Filter(parsing: text, variables: ["text": "it's"])
      let again = try Filter(parsing: filter.description)
      #expect(again == filter, "\(text)")
      _ = try ResolvedFilter(filter, entity: 0, in: Kitchen.resolved)
    } catch {
      #expect(error.column.map { $0 >= 1 && $0 <= text.count + 1 } == true, "\(text)")
      #expect(!error.description.isEmpty)
    }
  }
}
