#if Import

import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookImport

@Suite(.hangLimit, SharedTables.needed)
struct CSVFileTests {
  static let files = SharedTables.names("csv")
  /// The files that other readers accept in some form: rows of other lengths, a NUL, another dialect.
  static let refused = ["bad.csv", "null_byte.csv", "strange.csv", "empty.csv", "test_latin1.csv", "uspop-latin1.csv"]

  @Test(arguments: files.filter { !refused.contains($0) })
  func `a file has the cells and types that Python reads`(name: String) throws {
    let want = try #require(SharedTables.expected[name])
    let path = SharedTables.path("csv", name)
    let table = try CSVTable(path: path)
    #expect(table.rowCount == want["rows"]?.integerValue.map { Int($0) })
    #expect(table.blankLineCount == want["blankLines"]?.integerValue.map { Int($0) })
    #expect(table.columns.map(\.name) == want["header"]?.elements?.compactMap(\.stringValue))
    let texts = try texts(path)
    #expect(SharedTables.checksum(texts.map { SharedTables.json($0) }) == want["sha256"]?.stringValue)
    for (index, column) in table.columns.enumerated() {
      let wanted = try #require(want["columns"]?[index])
      #expect(column.type.rawValue == wanted["type"]?.stringValue, "\(column.name)")
      let full = texts.map { $0[index] }.filter { !$0.isEmpty }
      #expect(table.rowCount - column.valueCount == wanted["empty"]?.integerValue.map { Int($0) })
      #expect(SharedTables.checksum(full.map { SharedTables.json($0) }) == wanted["sha256"]?.stringValue)
    }
    try checkValues(table, texts)
  }

  private func texts(_ path: String) throws -> [[String]] {
    var reader = CSVReader(try ImportFile(path: path), format: .usual(for: path))
    var rows: [[String]] = []
    while let row = try reader.next() { rows.append(row.texts) }
    return Array(rows.dropFirst())
  }

  /// Checks that each value is the one that its text has.
  private func checkValues(_ table: CSVTable, _ texts: [[String]]) throws {
    var rows = try table.rows()
    var index = 0
    while let row = try rows.next() {
      for (column, (value, text)) in zip(table.columns, zip(row.values, texts[index])) {
        #expect(text.isEmpty == value.isNull)
        if !text.isEmpty { #expect(value == (try Value(text: text, type: column.type))) }
      }
      index += 1
    }
    #expect(index == table.rowCount)
  }

  @Test
  func `files of other dialects are refused at their line and column`() throws {
    func check(_ name: String, _ texts: String...) throws {
      let error = try importError { _ = try CSVTable(path: SharedTables.path("csv", name)) }
      for text in [name] + texts { #expect(error?.message.contains(text) == true, "\(error?.message ?? name)") }
    }
    try check("bad.csv", "line 2, column 7", "4 cells", "3")
    try check("null_byte.csv", "line 2, column 1", "U+0000")
    try check("strange.csv", "line 1, column 4", "closing quote")
    try check("empty.csv", "line 1, column 1", "no header")
    let latin1 = try #require(SharedTables.expected["test_latin1.csv"]?["firstBadByte"]?.integerValue)
    try check("test_latin1.csv", "line 3, column 5", "byte \(latin1) ", "latin1")
    let population = try #require(SharedTables.expected["uspop-latin1.csv"]?["firstBadByte"]?.integerValue)
    try check("uspop-latin1.csv", "byte \(population) ")
  }

  @Test
  func `Latin-1 is read where it is named`() throws {
    let format = CSVFormat(encoding: .latin1)
    let table = try CSVTable(path: SharedTables.path("csv", "test_latin1.csv"), format: format)
    var rows = try table.rows()
    var last: [Value] = []
    while let row = try rows.next() { last = row.values }
    #expect(last.last == "©")
    let population = try CSVTable(path: SharedTables.path("csv", "uspop-latin1.csv"), format: format)
    let plain = try CSVTable(path: SharedTables.path("csv", "uspop-null.csv"))
    #expect(population.rowCount == plain.rowCount)
    #expect(population.columns.map(\.name) == plain.columns.map(\.name))
  }

  @Test
  func `names of columns become names of attributes`() throws {
    let table = try CSVTable(path: SharedTables.path("csv", "country-codes.csv"))
    let names = Dictionary(uniqueKeysWithValues: table.columns.map { ($0.name, $0.attribute) })
    #expect(names["ISO3166-1-Alpha-3"] == "ISO3166_1_Alpha_3")
    #expect(names["Small Island Developing States (SIDS)"] == "Small_Island_Developing_States_SIDS")
    #expect(names["official_name_fr"] == "official_name_fr")
    let numbers = try CSVTable(path: SharedTables.path("csv", "no_header_row.csv"))
    #expect(numbers.columns.map(\.attribute) == ["_1", "_2", "_3"] && numbers.rowCount == 0)
  }

  @Test(arguments: files)
  func `a damaged file is read or refused`(name: String) throws {
    let bytes = try SharedTables.bytes("csv", name)
    for seed in Seeds.list(Rounds.of(20)) {
      var random = SeededRandom(seed: seed)
      let damaged = random.damaged(Array(bytes.prefix(8_192)))
      let piece = random.pick([1, 2, 3, 7, .max])
      _ = try importError {
        let table = try CSVTable { ImportMemory(damaged, pieceSize: piece) }
        var rows = try table.rows()
        while try rows.next() != nil {}
      }
    }
  }
}

#endif
