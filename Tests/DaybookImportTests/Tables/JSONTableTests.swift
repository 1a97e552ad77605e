#if Import

import DaybookModel
import Testing

@testable import DaybookImport

@Suite(.hangLimit)
struct JSONTableTests {
  private func table(
    _ text: String, types: [String: AttributeType] = [:], nested: Bool = false, limits: JSONLimits = JSONLimits(),
    piece: Int = .max
  ) throws -> JSONTable {
    try JSONTable(entity: "Thing", types: types, nested: nested, limits: limits, file: "file.json") {
      ImportMemory(Array(text.utf8), pieceSize: piece)
    }
  }

  private func rows(_ table: JSONTable) throws -> [JSONTableRow] {
    var rows = try table.rows()
    var all: [JSONTableRow] = []
    while let row = try rows.next() { all.append(row) }
    return all
  }

  private func type(_ values: String...) throws -> AttributeType {
    try #require(try table("[" + values.map { "{\"x\": \($0)}" }.joined(separator: ",") + "]").entity.columns.first)
      .type
  }

  @Test
  func `arrays and lines are read in pieces of every size`() throws {
    let texts = [
      "[{\"a\": 1}, {\"a\": 2}]", "{\"a\":1}\n{\"a\":2}", "\u{feff} [\n{\"a\":1},\r\n\r\n{\"a\":\n2}\n]\n",
      "{\"a\":1}\r{\"a\":2}\r", "\n{\"a\":\n1}\r\n\r\n{\"a\":2}\n\n",
    ]
    for text in texts {
      for piece in [1, 2, 3, .max] {
        #expect(try rows(try table(text, piece: piece)).map(\.values) == [[1], [2]], "\(text.debugDescription)")
      }
    }
    #expect(try rows(try table("[]")).isEmpty)
    #expect(try rows(try table("[{}]")).map(\.values) == [[]])
    #expect(try rows(try table("{\"a}\": \"[\\\"{\"}")).map(\.values) == [["[\"{"]])
  }

  @Test
  func `types are detected from all objects`() throws {
    #expect(try type("1", "-2", "null") == .integer)
    #expect(try type("1", "2.0") == .double)
    #expect(try type("1", "2e3") == .double)
    #expect(try type("9007199254740993", "0.5") == .decimal)
    #expect(try type("18446744073709551615") == .decimal)
    #expect(try type("1e999") == .string)
    #expect(try type("3.14159265358979323846") == .double)
    #expect(try type("true", "false") == .boolean)
    #expect(try type("true", "1") == .string)
    #expect(try type("\"1\"") == .string)
    #expect(try type("\"2026-01-02\"", "\"2026-01-02T03:04:05Z\"") == .date)
    #expect(try type("\"0190163d-8694-739b-aea5-966c26f8ad91\"") == .uuid)
    #expect(try type("\"2026-01-02\"", "\"\"") == .string)
    #expect(try type("null") == .string)
    #expect(try type("{}") == .codable)
    #expect(try type("[1]", "\"x\"") == .codable)
  }

  @Test
  func `values of several kinds become strings, and nested values JSON`() throws {
    let table = try table("{\"a\": 1, \"b\": {\"d\": 1, \"c\": []}}\n{\"a\": true}\n{\"a\": \"x\", \"b\": [1.50]}")
    #expect(table.entity.columns[0].note?.contains("booleans and numbers and strings") == true)
    let values = try rows(table).map(\.values)
    #expect(values.map { $0[0] } == ["1", "true", "x"])
    #expect(values.map { $0[1] } == [.data(Array("{\"c\":[],\"d\":1}".utf8)), .null, .data(Array("[1.5]".utf8))])
  }

  @Test
  func `nested objects keep their order`() throws {
    let text = """
      [{"id": 1, "parts": [{"n": "b"}, {"n": "a", "thing": 5}], "box": {"size": {"w": 2}}, "tags": ["x"], "none": []},
       {"id": 2, "parts": []}, {"id": 3, "box": null}]
      """
    let table = try table(text, nested: true)
    #expect(table.entity.columns.map(\.attribute) == ["id_", "tags", "none_"])
    #expect(table.entity.children.map(\.relationship) == ["parts", "box"])
    #expect(table.entity.children.map(\.isMany) == [true, false])
    #expect(table.entity.children[0].inverse == "thing_")
    #expect(table.entity.all.map(\.name) == ["Thing", "Thing_parts", "Thing_box", "Thing_box_size"])
    let all = try rows(table)
    #expect(all[0].children[0].map(\.values) == [["b", .null], ["a", 5]])
    #expect(all[0].children[1][0].children[0][0].values == [2])
    #expect(all[1].children.map(\.count) == [0, 0] && all[2].children.map(\.count) == [0, 0])
    #expect(try self.table(text).entity.children.isEmpty)
    let given = try self.table(text, types: ["box": .codable], nested: true)
    #expect(given.entity.children.map(\.name) == ["parts"])
  }

  @Test
  func `errors have the line and the column`() throws {
    func check(_ text: String, _ place: String, _ word: String) throws {
      for piece in [1, 2, .max] { try expectError("file.json, " + place, word) { _ = try table(text, piece: piece) } }
    }
    try check("", "line 1, column 1", "no JSON")
    try check("5", "line 1, column 1", "an array of objects")
    try check("[1]", "line 1, column 2", "an object")
    try check("[{}\n{}]", "line 2, column 1", "“,” or “]”")
    try check("[{},]", "line 1, column 5", "an object")
    try check("[{}", "line 1, column 4", "the file ends")
    try check("[{}] x", "line 1, column 6", "the end of the file")
    try check("{} {}", "line 1, column 4", "the end of the line")
    try check("{}\n[]", "line 2, column 1", "an object on each line")
    try check("[{\"a\": 1,\r\n \"é\": 2, \"a\": 3}]", "line 2, column 10", "twice")
    try check("[{\"a\": 1,\r \"é\": 2, \"a\": 3}]", "line 2, column 10", "twice")
    try check(" {\"a\": 1, \"a\": 3}", "line 1, column 11", "twice")
    try check("{\"a\": \"x\ny\"}", "line 1, column 9", "control character")
    try check("{}\n{\"a\": [1}", "line 2, column 9", "“]”")
    try check("[{\"a\": {\"b\": 1}", "line 1, column 2", "the file ends inside")
    try check("{}\n{\"a\": 01}", "line 2, column 7", "begin with 0")
    let deep = "{\"a\":" + String(repeating: "[", count: 200) + String(repeating: "]", count: 200) + "}"
    try check(deep, "line 1", "200 deep")
    try check("{\"a\":" + String(repeating: "[", count: 100_000), "line 1", "200 deep")
  }

  @Test
  func `values that do not fit a given type have their place`() throws {
    let text = "[{\"a\": \"x\"},\n {\"b\": {\"n\": 7}, \"n\": 1.5}]"
    try expectError("file.json, line 2, column 18", "“1.5”", "“n”", "integer") {
      _ = try table(text, types: ["n": .integer])
    }
    try expectError("“m”", "“a”, “b”, “n”") { _ = try table(text, types: ["m": .integer]) }
    #expect(try rows(try table(text, types: ["n": .string])).map(\.values)[1][2] == "1.5")
  }

  @Test
  func `limits are refused`() throws {
    var limits = JSONLimits()
    limits.objectSizeInBytes = 20
    limits.fieldCount = 2
    limits.depth = 2
    for piece in [1, .max] {
      #expect(try rows(try table("[{\"a\": [\"0123456\"]},{}]", limits: limits, piece: piece)).count == 2)
      try expectError("line 1, column 2", "20 bytes") {
        _ = try table("[{\"a\": \"01234567890123\"}]", limits: limits, piece: piece)
      }
      try expectError("2 deep") { _ = try table("[{\"a\": [[]]}]", limits: limits, piece: piece) }
      try expectError("line 2, column 1", "2 different keys") {
        _ = try table("{\"a\":1,\"b\":2}\n{\"c\":1}", limits: limits)
      }
      try expectError("2 different keys") { _ = try table("{\"a\":{\"b\":2,\"c\":1}}", nested: true, limits: limits) }
    }
  }
}

#endif
