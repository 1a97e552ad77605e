#if Import

import DaybookModel
import Testing

@testable import DaybookImport

@Suite(.hangLimit)
struct CSVTableTests {
  private func table(_ text: String, types: [String: AttributeType] = [:]) throws -> CSVTable {
    try CSVTable(types: types, file: "file.csv") { ImportMemory(Array(text.utf8)) }
  }

  private func type(_ cells: String...) throws -> AttributeType {
    try table("x,y\n" + cells.map { "\($0),\n" }.joined()).columns[0].type
  }

  @Test
  func `types are detected from all cells`() throws {
    #expect(try type("1", "-20", "0", "9223372036854775807") == .integer)
    #expect(try type("1", "01") == .string)
    #expect(try type("+1") == .string)
    #expect(try type("1", "2.5", "-1e5", "-0") == .double)
    #expect(try type("1.", "2") == .string)
    #expect(try type(".5") == .string)
    #expect(try type("1e999") == .string)
    #expect(try type("1e-999") == .string)
    #expect(try type("0e-999") == .double)
    #expect(try type("9223372036854775808") == .string)
    #expect(try type("9007199254740993", "0.5") == .string)
    #expect(try type("true", "false") == .boolean)
    #expect(try type("true", "TRUE") == .string)
    #expect(try type("true", "1") == .string)
    #expect(try type("2026-01-02", "2026-01-02T03:04:05.5+01:00", "2026-01-02 03:04") == .date)
    #expect(try type("2026-02-30") == .string)
    #expect(try type("2026-01-02", "") == .date)
    #expect(try type("0190163d-8694-739b-aea5-966c26f8ad91", "0190163D-8694-739B-AEA5-966C26F8AD91") == .uuid)
    #expect(try type("") == .string)
    #expect(try type() == .string)
    #expect(try type("NaN") == .string)
  }

  @Test
  func `given types win, and cells that do not fit have their place`() throws {
    let text = "zip,order no,n\n01234,7,\n99999,8,3\n"
    let given = try table(text, types: ["zip": .string, "order_no": .decimal])
    #expect(given.columns.map(\.type) == [.string, .decimal, .integer])
    #expect(given.columns.map(\.isTypeGiven) == [true, true, false])
    #expect(given.columns.map(\.valueCount) == [2, 2, 1])
    try expectError("file.csv, line 3, column 9", "“n”", "“3”", "boolean") {
      _ = try table(text, types: ["n": .boolean])
    }
    try expectError("“m”", "“order no”") { _ = try table(text, types: ["m": .boolean]) }
    var rows = try given.rows()
    let first = try #require(try rows.next())
    #expect(first.values == ["01234", .decimal(7), .null] && first.line == 2)
  }

  @Test
  func `headers are checked`() throws {
    try expectError("line 1, column 3", "no name") { _ = try table("a,,b\n") }
    try expectError("line 1, column 3", "no name") { _ = try table("a,  \n") }
    try expectError("line 1, column 5", "twice", "column 1") { _ = try table("a,b,a\n") }
    try expectError("line 1, column 1", "no header") { _ = try table("\n\n") }
    try expectError("line 4, column 2", "1 cell,") { _ = try table("a,b\n1,2\n\n1\n") }
    #expect(try table("\na\n\n1\n\n").blankLineCount == 3)
  }

  @Test
  func `names are made valid and different`() {
    func names(_ sources: String...) -> [String] {
      var names = FieldNames(fieldsOf: sources)
      return sources.map { names.name(for: $0) }
    }
    #expect(names("a b", "a-b", "a_b") == ["a_b_", "a_b__", "a_b"])
    #expect(names("id", "createdAt", "Like", "id_") == ["id__", "createdAt_", "Like_", "id_"])
    #expect(names("1st", "%", "é€", "漢字", "  x  ") == ["_1st", "_", "é", "漢字", "x"])
    #expect(names(String(repeating: "é", count: 200))[0].utf8.count == 254)
    #expect(names("%", "&", "/", "+", "=") == ["_", "__", "___", "__3", "__4"])
    let many = (1...2_000).map { String(repeating: "%", count: $0) }
    var all = FieldNames(fieldsOf: many)
    #expect(Set(many.map { all.name(for: $0) }).count == 2_000)
    let long = String(repeating: "x", count: 300)
    #expect(names(long, long + "y").map(\.utf8.count) == [255, 255])
    #expect(Set(names(long, long + "y")).count == 2)
  }

  @Test
  func `a file that changes between the readings is refused`() throws {
    let texts = ["a\n1\n2\n", "a\n1\n"]
    let counter = Counter()
    let table = try CSVTable(file: "file.csv") { ImportMemory(Array(texts[counter.next()].utf8)) }
    var rows = try table.rows()
    #expect(try rows.next() != nil)
    try expectError("changed") { _ = try rows.next() }
  }

  @Test
  func `a large file is read in little memory`() throws {
    let table = try CSVTable { Lines(count: 200_000) }
    #expect(table.rowCount == 200_000 && table.columns[0].type == .integer)
  }
}

/// Counts calls from one thread.
final class Counter: @unchecked Sendable {
  // Tests call it from one thread.
  private var count = 0

  func next() -> Int {
    defer { count += 1 }
    return count
  }
}

/// Lines that are made while they are read.
private struct Lines: ImportByteSource {
  let count: Int
  private var number = 0

  init(count: Int) { self.count = count }

  mutating func read(upTo size: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count + 32 < size, number <= count {
      bytes += (number == 0 ? "number,text\n" : "\(number),\"text \(number)\"\n").utf8
      number += 1
    }
    return bytes
  }
}

#endif
