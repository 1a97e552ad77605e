#if Import

import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookImport

@Suite(.hangLimit, SharedTables.needed)
struct JSONFileTests {
  static let files = SharedTables.names("json")

  @Test(arguments: files)
  func `a file has the objects and types that Python reads`(name: String) throws {
    let want = try #require(SharedTables.expected[name])
    let path = SharedTables.path("json", name)
    var reader = JSONRecordReader(try ImportFile(path: path), file: path)
    var lines: [[UInt8]] = []
    while let record = try reader.next() { lines.append(JSONValue.object(record.members).canonicalBytes) }
    let table = try JSONTable(path: path, entity: "Thing")
    #expect(table.entity.rowCount == lines.count)
    let count = want["objects"]?.integerValue ?? want["values"]?.integerValue
    #expect(lines.count == count.map { Int($0) })
    if let sum = want["sha256"]?.stringValue { #expect(SharedTables.checksum(lines) == sum) }
    try checkTypes(table.entity, try #require(want["paths"]?.members))
  }

  /// Checks the types by the number of values of each kind that Python found.
  private func checkTypes(_ entity: JSONEntity, _ paths: [(key: String, value: JSONValue)]) throws {
    let kinds = Dictionary(
      uniqueKeysWithValues: paths.map { ($0.key, Set($0.value.members?.map(\.key) ?? []).subtracting(["null"])) })
    for column in entity.columns {
      let found = try #require(kinds["[].\(column.name)"] ?? kinds[column.name])
      let allowed: Set<AttributeType> =
        found == ["string"]
        ? [.string, .date, .uuid]
        : found == ["boolean"]
          ? [.boolean]
          : found == ["integer"]
            ? [.integer]
            : found.isSubset(of: ["integer", "double"]) && !found.isEmpty
              ? [.double] : found.isDisjoint(with: ["object", "array"]) ? [.string] : [.codable]
      #expect(allowed.contains(column.type), "\(column.name): \(found)")
    }
  }

  @Test
  func `the table of values becomes dates where all are`() throws {
    let table = try JSONTable(path: SharedTables.path("json", "testjson.json"), entity: "Row")
    let types = Dictionary(uniqueKeysWithValues: table.entity.columns.map { ($0.name, $0.type) })
    // One row has only blanks.
    #expect(types["text"] == .string && types["integer"] == .string && types["boolean"] == .string)
    #expect(table.entity.columns.first { $0.name == "integer" }?.note?.contains("numbers and strings") == true)
  }

  @Test
  func `nested objects become entities`() throws {
    let path = SharedTables.path("json", "testjson_nested.json")
    let table = try JSONTable(path: path, entity: "Row", nested: true)
    #expect(table.entity.all.map(\.name) == ["Row", "Row_nested", "Row_nested_nested"])
    #expect(table.entity.children.map(\.relationship) == ["nested"] && table.entity.children.map(\.inverse) == ["row"])
    var rows = try table.rows()
    var dates: [Value] = []
    while let row = try rows.next() {
      #expect(row.children.map(\.count) == [1] && row.children[0][0].children.map(\.count) == [1])
      dates += row.children[0][0].children[0][0].values
    }
    #expect(dates.count == 4 && dates.contains(40))
    let countries = try JSONTable(path: SharedTables.path("json", "countries.json"), entity: "Country", nested: true)
    #expect(countries.entity.rowCount == 21)
    #expect(countries.entity.children.contains { $0.name == "name" && !$0.isMany })
    var all = try countries.rows()
    while try all.next() != nil {}
  }

  @Test(arguments: files)
  func `a damaged file is read or refused`(name: String) throws {
    let bytes = try SharedTables.bytes("json", name)
    for seed in Seeds.list(Rounds.of(20)) {
      var random = SeededRandom(seed: seed)
      let damaged = random.damaged(Array(bytes.prefix(8_192)))
      let piece = random.pick([1, 2, 3, 7, .max])
      for nested in [false, true] {
        _ = try importError {
          let table = try JSONTable(entity: "Thing", nested: nested) { ImportMemory(damaged, pieceSize: piece) }
          var rows = try table.rows()
          while try rows.next() != nil {}
        }
      }
    }
  }
}

#endif
