import DaybookModel
import Foundation
import Testing

@testable import DaybookQuery

/// Filters over values without a model.
@Suite(.hangLimit) struct DynamicFilterTests {
  private static let id = ObjectID(high: 1, low: 2)
  private static let values: [String: Value] = [
    "count": 8, "ratio": 2.5, "price": .decimal(Decimal(8)), "name": "Cake", "flag": true,
    "day": .date(Timestamp("2026-01-02")!), "id": .uuid(id), "blob": .data([1, 2]),
  ]

  private func isMet(_ text: String) throws -> Bool {
    let filter = try DynamicFilter(Filter(parsing: text), roots: ["event", "metadata"])
    return try filter.matches { path in
      path.root == "event" ? DynamicFilterTests.values[path.name] ?? .null : path.name == "a.b" ? "dotted" : .null
    }
  }

  @Test(arguments: [
    "event.count == 8", "event.count >= 7.5", "event.count == 8.0", "event.ratio < 3", "event.price == 8",
    "event.name == \"Cake\"", "event.name BEGINSWITH[c] \"ca\"", "event.name IN {\"Pie\", \"Cake\"}",
    "event.name LIKE \"C?k*\"", "event.name MATCHES \"C.*\"", "event.flag == true", "event.day == 2026-01-02",
    "event.day BETWEEN {2026-01-01, 2026-02-01}", "event.id == \"00000000-0000-0001-0000-000000000002\"",
    "event.nothing == nil", "event.name != nil", "event.nothing != 3", "event.name != 8", "event.count != \"8\"",
    "event.count == event.price", "event.count > event.ratio", "event.name != event.count",
    "event.nothing == metadata.nothing", "metadata.a.b == \"dotted\"", "8 == event.count", "7 < event.count",
    "NOT (event.name == 8) AND (event.count == 8 OR event.nothing == 1)", "NOT event.nothing > 3",
    "event.name ENDSWITH \"ke\"", "event.name CONTAINS \"ak\"", "event.blob == \"AQI=\"",
  ])
  func aTestIsMet(text: String) throws { #expect(try isMet(text)) }

  @Test(arguments: [
    "event.count == \"8\"", "event.name == 8", "event.name > 8", "event.name < 8", "event.nothing == 3",
    "event.nothing < 3", "event.nothing >= 3", "event.nothing CONTAINS \"a\"", "event.count CONTAINS \"8\"",
    "event.name == nil", "event.day == \"soon\"", "event.name < event.count", "event.count < event.name",
    "event.name == event.count", "event.nothing IN {1, 2}", "event.nothing BETWEEN {1, 2}",
    "event.flag > event.count", "event.blob > \"AQ==\"", "event.flag == 1", "event.id == \"x\"",
  ])
  func aTestIsNotMet(text: String) throws { #expect(try !isMet(text)) }

  @Test(arguments: [
    ("name == 1", 1), ("event == 1", 1), ("event.a == 1 AND other.b == 2", 18), ("ANY event.a == 1", 5),
    ("COUNT(event.a WHERE b == 1) == 1", 1), ("event.a == 1 AND ANY event.b WHERE (c == 1)", 22),
    ("event.@count == 1", 1), ("event.a CONTAINS 3", 18), ("event.a MATCHES \"(\"", 17),
  ])
  func aFaultPointsAtItsPlace(text: String, column: Int) throws {
    let error = #expect(throws: QueryError.self) {
      try DynamicFilter(Filter(parsing: text), roots: ["event", "metadata"])
    }
    #expect(error?.column == column)
  }

  @Test func aPathThatCanHaveNoValueIsRefused() throws {
    let filter = Filter(.path("event.colour"), .equal, .value("red"))
    #expect(throws: QueryError.self) {
      try DynamicFilter(filter, roots: ["event"]) { $0.name == "color" ? nil : "nothing has a \($0.name)" }
    }
    let known = try DynamicFilter(Filter(.path("event.color"), .equal, .value("red")), roots: ["event"]) { _ in nil }
    #expect(known.paths.map(\.name) == ["color"])
  }

  @Test func aListOfMixedTypesMeetsWhatItHas() throws {
    for text in [
      "event.count IN {8, \"A-8\"}", "event.name IN {8, \"Cake\"}", "event.flag IN {\"x\", true, 3}",
      "event.nothing IN {1, \"a\", nil}", "event.id IN {4, \"00000000-0000-0001-0000-000000000002\"}",
      "event.day IN {2026-01-02, 8}",
    ] { #expect(try isMet(text), "\(text)") }
    for text in [
      "event.count IN {9, \"8\"}", "event.name IN {8, \"Pie\"}", "event.flag IN {1, \"true\"}",
      "event.nothing IN {1, \"a\"}", "event.ratio IN {\"2.5\", true}",
    ] { #expect(try !isMet(text), "\(text)") }
  }
}
