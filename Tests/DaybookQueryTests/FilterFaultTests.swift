import Foundation
import Testing

@testable import DaybookModel
@testable import DaybookQuery

@Suite(.hangLimit) struct FilterFaultTests {
  /// A text, the faulty column, and a part of the message.
  static let faults: [(String, Int, String)] = [
    ("", 1, "a key path or a value"),
    ("name", 5, "an operator"),
    ("name BEGINSWIHT 'x'", 6, "BEGINSWIHT"),
    ("name ==", 8, "a key path or a value is expected here, not the end"),
    ("name == AND", 9, "AND"),
    ("name == 'x", 9, "has no end"),
    ("name == 'x' name", 13, "AND, OR or the end"),
    ("name == 'x' AND", 16, "the end"),
    ("(name == 'x'", 1, "not closed"),
    ("(name == 'x' 4)", 14, "closing parenthesis"),
    ("name == 'x')", 12, "the end"),
    ("name == {1}", 9, "only IN and BETWEEN"),
    ("name IN 1", 9, "a list in braces"),
    ("name IN {1 2}", 12, "a comma"),
    ("name IN {1,}", 12, "a value"),
    ("name IN {a}", 10, "a value"),
    ("a BETWEEN {1}", 11, "two values"),
    ("a BETWEEN {1,2,3}", 11, "two values"),
    ("a <[c] 1", 4, "no [c]"),
    ("a LIKE[x] 'y'", 8, "c, d or cd"),
    ("a LIKE[c 'y'", 10, "]"),
    ("a..b == 1", 3, "a name"),
    ("a. == 1", 3, "a name"),
    ("a.@size == 1", 3, "@count"),
    ("a == 1.", 6, "not a number"),
    ("a == 12abc", 6, "not a number"),
    ("a == .5", 6, "not a number"),
    ("a == 1e999", 6, "not a number"),
    ("a == 1e-400", 6, "not a number"),
    ("a == -0.01e-400", 6, "not a number"),
    ("a == 2026-13-01", 6, "not a date"),
    ("a == 2026-01-01T25:00:00Z", 6, "not a date"),
    (#"a == "x\q""#, 8, "not an escape"),
    (#"a == "x\u{110000}""#, 8, "Unicode scalar"),
    (#"a == "x\u{}""#, 8, "Unicode scalar"),
    (#"a == "x\"#, 8, "backslash"),
    ("a ? 1", 3, "“?”"),
    ("a & b", 3, "“&”"),
    ("a, b != 1", 6, "write NOT before"), ("a, 4 == 1", 4, "only key paths"), ("4, a == 1", 1, "only key paths"),
    ("a, == 1", 4, "a key path"), ("a,, b == 1", 3, "a key path"), ("a, ALL b.c == 1", 8, "ANY or no"),
    ("NONE b.c, a == 1", 6, "ANY or no"), ("a == 1, b == 2", 7, "AND, OR or the end"),
    ("a == $", 7, "a name"), ("a == $4", 7, "a name"), ("a == $b.c", 6, "“$b” has no value"),
    ("$ b == 1", 2, "a name"), ("a $b 1", 3, "an operator"),
    ("COUNT(a WHERE b == 1 > 2", 22, "closing parenthesis"), ("COUNT(a WHERE b == 1", 6, "not closed"),
    ("COUNT(a WHERE b == 1)", 22, "an operator"), ("COUNT(a) > 1", 8, "WHERE (all of them are a.@count)"),
    ("COUNT() > 1", 7, "a key path"), ("COUNT(1 WHERE b == 1) > 1", 7, "a path to related objects"),
    ("COUNT(COUNT(a WHERE b == 1) WHERE c == 1) > 1", 7, "a path to related objects"),
    ("COUNT(a WHERE) > 1", 14, "a key path"), ("COUNT(a WHERE b) > 1", 16, "an operator"),
    ("ANY a WHERE b == 1", 13, "a parenthesis"), ("ANY a WHERE", 12, "a parenthesis"),
    ("ANY a WHERE (b == 1", 13, "not closed"), ("ANY a WHERE (b == 1)) AND c == 1", 21, "AND, OR or the end"),
    ("ANY a WHERE ()", 14, "a key path"), ("ANY a WHERE (b == 1) == 2", 22, "AND, OR or the end"),
    ("a WHERE (b == 1)", 3, "WHERE follows ANY, ALL or NONE"), ("NOT a WHERE (b == 1)", 7, "WHERE follows"),
    ("a == b WHERE (c == 1)", 8, "AND, OR or the end"), ("ANY 1 WHERE (b == 1)", 5, "a path to related objects"),
    ("ANY COUNT(a WHERE b == 1) WHERE (c == 1)", 5, "a path to related objects"),
    ("a, ANY b WHERE (c == 1)", 10, "an operator"), ("a, COUNT(b WHERE c == 1) == 1", 4, "only key paths"),
    ("a IN {COUNT(b WHERE c == 1)}", 7, "a value"), ("COUNT(a, b WHERE c == 1) == 1", 8, "WHERE"),
    ("a === 1", 5, "a key path or a value"),
    ("größe ==", 9, "the end"),
    ("'🍰🍰' == ", 9, "the end"),
    ("\"e\u{301}\" ==", 7, "the end"),
  ]

  @Test(arguments: faults) func `a fault is told with its column`(text: String, column: Int, part: String) throws {
    let error = #expect(throws: QueryError.self) { try Filter(parsing: text) }
    #expect(error?.column == column, "\(error?.message ?? "")")
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  /// A text with variables, the faulty column, and a part of the message.
  static let wrongVariables: [(String, Int, String)] = [
    ("a == 1 AND b == $text", 17, "“$text” has no value"), ("a == $list", 6, "only IN and BETWEEN"),
    ("a IN $one", 6, "stands for none"), ("a BETWEEN $list", 11, "two values"), ("a IN {1, $list}", 10, "one value"),
    ("a IN {$key}", 7, "one value"), ("$one, a == 1", 1, "only key paths"), ("a == $one.b", 10, "is not a number"),
  ]

  @Test(arguments: wrongVariables) func `a wrong variable is told with its column`(
    text: String, column: Int, part: String
  ) throws {
    let variables: [String: Filter.Operand] = [
      "one": .value(1), "list": .values([1, 2, 3]), "key": .path("name"),
    ]
    let error = #expect(throws: QueryError.self) { try Filter(parsing: text, operands: variables) }
    #expect(error?.column == column, "\(error?.message ?? "")")
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  @Test func `a value of a variable that cannot be compared is told at the variable`() throws {
    let filter = try Filter(parsing: "name == 'x' OR servings == $text", variables: ["text": "4"])
    let error = #expect(throws: QueryError.self) { try ResolvedFilter(filter, entity: 0, in: Kitchen.resolved) }
    #expect(error?.column == 28)
    let path = try Filter(parsing: "name == $key", operands: ["key": .path("type.nam")])
    #expect(throws: QueryError.self) { try ResolvedFilter(path, entity: 0, in: Kitchen.resolved) }
  }

  @Test func `the key paths that share a test are counted, and nest as a group`() throws {
    func list(_ count: Int) -> String { (0..<count).map { "a\($0)" }.joined(separator: ", ") + " == 1" }
    #expect(try Filter(parsing: list(32)).description.components(separatedBy: " OR ").count == 32)
    #expect(throws: QueryError.self) { try Filter(parsing: list(33)) }
    let deepest = String(repeating: "NOT ", count: 199) + "a, b == 1"
    #expect(try Filter(parsing: Filter(parsing: deepest).description) == Filter(parsing: deepest))
    #expect(throws: QueryError.self) { try Filter(parsing: "NOT " + deepest) }
    // What is counted on the right is inside of the group too.
    let counted = String(repeating: "NOT ", count: 198) + "a, b == COUNT(c WHERE d == 1)"
    #expect(try Filter(parsing: Filter(parsing: counted).description) == Filter(parsing: counted))
    #expect(throws: QueryError.self) { try Filter(parsing: "NOT " + counted) }
  }

  @Test func `the description draws a caret under the column`() throws {
    let error = #expect(throws: QueryError.self) { try Filter(parsing: "name BEGINSWIHT 'x'") }
    #expect(
      error?.description == """
        filter: an operator such as == or CONTAINS is expected here, not “BEGINSWIHT”, at column 6
        name BEGINSWIHT 'x'
             ^
        """)
  }

  @Test func `the drawing of a long text is cut and has no control characters`() throws {
    let text = String(repeating: "a == 1 AND\n", count: 100) + "\u{1b}[31m"
    let error = try #require(#expect(throws: QueryError.self) { try Filter(parsing: text) })
    #expect(error.column == 1101)
    let lines = error.description.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1].hasPrefix("…") && lines[1].count <= 102)
    #expect(!lines[1].contains("\u{1b}"))
    let caret = try #require(lines[2].firstIndex(of: "^"))
    #expect(lines[2].distance(from: lines[2].startIndex, to: caret) == 61)
  }

  @Test func `size and depth have limits`() throws {
    let deep = String(repeating: "(", count: 200) + "a == 1" + String(repeating: ")", count: 200)
    #expect(try Filter(parsing: deep).description == "a == 1")
    #expect(throws: QueryError.self) { try Filter(parsing: "(" + deep + ")") }
    #expect(throws: QueryError.self) { try Filter(parsing: String(repeating: "(", count: 60_000)) }
    #expect(throws: QueryError.self) { try Filter(parsing: String(repeating: "NOT ", count: 15_000)) }
    #expect(throws: QueryError.self) { try Filter(parsing: String(repeating: "!", count: 60_000)) }
    #expect(throws: QueryError.self) { try Filter(parsing: "a == '" + String(repeating: "x", count: 65_536) + "'") }
    func counted(_ depth: Int) -> String {
      String(repeating: "COUNT(a WHERE ", count: depth) + "b == 1" + String(repeating: ") > 1", count: depth)
    }
    #expect(try Filter(parsing: counted(200)).description == counted(200))
    #expect(throws: QueryError.self) { try Filter(parsing: counted(201)) }
    #expect(throws: QueryError.self) { try Filter(parsing: String(repeating: "COUNT(", count: 10_000)) }
    #expect(throws: QueryError.self) { try Filter(parsing: String(repeating: "ANY a WHERE (", count: 5_000)) }
    let wide = Array(repeating: "a == 1", count: 6_000).joined(separator: " OR ")
    #expect(try Filter(parsing: wide).description == wide)
  }

  @Test func `nesting made in code is refused when it is used`() throws {
    var filter = Filter(.path("servings"), .equal, .value(1))
    for _ in 0..<200 { filter = !filter }
    _ = try ResolvedFilter(filter, entity: 0, in: Kitchen.resolved)
    #expect(throws: QueryError.self) { try ResolvedFilter(!filter, entity: 0, in: Kitchen.resolved) }
    // The parentheses behind WHERE nest too.
    var inner = Filter(.path("name"), .equal, .value("x"))
    for _ in 0..<199 { inner = !inner }
    _ = try ResolvedFilter(Filter(.any, of: "tags", where: inner), entity: 0, in: Kitchen.resolved)
    let counted = Filter(.count("tags", where: !inner), .equal, .value(1))
    for filter in [Filter(.any, of: "tags", where: !inner), counted] {
      #expect(throws: QueryError.self) { try ResolvedFilter(filter, entity: 0, in: Kitchen.resolved) }
    }
  }
}
