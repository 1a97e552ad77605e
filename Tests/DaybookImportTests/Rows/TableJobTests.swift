#if Import

import Daybook
import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookImport

/// Imports of CSV and JSON files into stores.
@Suite(.hangLimit) struct TableJobTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path("people.daybook") }

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Imports the text of a CSV file.
  @discardableResult
  private func csv(
    _ text: String, entity: String = "Person", _ choose: (inout TableOptions) -> Void = { _ in }
  ) throws -> ImportReport {
    let file = directory.path("\(entity).csv")
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    var job = TableJob(.csv, into: path, entity: entity) { declared in
      try CSVTable(path: file, declared: declared).rows(of: entity)
    }
    choose(&job.options)
    return try job.run()
  }

  private func json(
    _ text: String, entity: String = "Person", nested: Bool = false, _ choose: (inout TableOptions) -> Void = { _ in }
  ) throws -> ImportReport {
    let file = directory.path("\(entity).json")
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    var job = TableJob(.json, into: path, entity: entity) { declared in
      try JSONTable(path: file, entity: entity, declared: declared, nested: nested)
    }
    choose(&job.options)
    return try job.run()
  }

  /// Returns the values of all objects of an entity, sorted by an attribute.
  private func rows(_ entity: String = "Person", sortedBy name: String = "name") throws -> [[String: Value]] {
    let store = try Store(at: path)
    defer { store.close() }
    let request = Request<StoredObject>(entity: entity, sort: [SortTerm(path: [name])])
    return try store.fetch(request).rows.map { object in
      Dictionary(uniqueKeysWithValues: object.values.map { ($0.name, $0.value) })
    }
  }

  private func head() throws -> Position {
    let store = try Store(at: path)
    defer { store.close() }
    return try store.position
  }

  private func verify() throws { try closeAndVerify(try Store(at: path)) }

  @Test func rowsBecomeObjectsOfANewStore() throws {
    let report = try csv("name,age,zip,joined\nAda,36,01234,1852-11-27\nBob,,00001,\n")
    #expect(
      try rows() == [
        ["name": "Ada", "age": 36, "zip": "01234", "joined": .date(Timestamp("1852-11-27")!)],
        ["name": "Bob", "age": nil, "zip": "00001", "joined": nil],
      ])
    #expect(report.entities.map(\.objectCount) == [2] && report.commitCount == 2 && report.head == 2)
    #expect(report.entities[0].attributes.map(\.type) == ["string", "integer", "string", "date"])
    try verify()
  }

  @Test func theSameFileTwiceWritesNothingTheSecondTime() throws {
    let text = "mail,name\na@example.com,Ada\nb@example.com,Bob\n"
    try csv(text) { $0.key = ["mail"] }
    let head = try head()
    let report = try csv(text) { $0.key = ["mail"] }
    #expect(try self.head() == head && report.commitCount == 0 && report.head == head)
    try csv("mail,name\nc@example.com,Cy\nb@example.com,Bea\n") { $0.key = ["mail"] }
    #expect(try rows().map { $0["name"] } == ["Ada", "Bea", "Cy"])
    #expect(try self.head().number == head.number + 1)
    try verify()
  }

  @Test func withoutAKeyRowsAreInsertedIntoAnEmptyEntityOnly() throws {
    try csv("name\nAda\n")
    let error = #expect(throws: ImportError.self) { try csv("name\nBob\n") }
    #expect(error?.message.hasPrefix("Person has 1 objects already") == true)
    #expect(try rows().count == 1)
  }

  @Test(arguments: [
    ("mail,name\na@example.com,Ada\n,Bob\n", ", line 3, column 1: the column “mail” of the key has no value"),
    ("mail,name\na@example.com,Ada,1\n", ", line 2"),
    ("mail,name\n\"a\",\"Ada\n", ", line 2"),
  ]) func aRowThatDoesNotFitLeavesNoStore(text: String, message: String) throws {
    let error = #expect(throws: ImportError.self) { try csv(text) { $0.key = ["mail"] } }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(try !FileManager.default.contentsOfDirectory(atPath: directory.path).contains { $0.contains("daybook") })
  }

  @Test func aRequiredStringWithoutAValueIsAnErrorOrTheEmptyString() throws {
    let model = Model(entities: [
      Entity(
        name: "Person",
        attributes: [
          Attribute(name: "name", type: .string), Attribute(name: "kind", type: .string, defaultValue: "guest"),
        ], unique: [["name"]])
    ])
    try Store(at: path, model: model).close()
    let text = "name,kind\nAda,\n,member\n"
    let error = #expect(throws: ImportError.self) { try csv(text) }
    #expect(
      error?.message.contains("line 3, column 1: the column “name” has no value, and Person.name needs one") == true,
      "\(error?.message ?? "")")
    #expect(try rows().isEmpty)
    try csv(text) { $0.keepsEmpty = true }
    #expect(try rows() == [["name": "", "kind": "member"], ["name": "Ada", "kind": "guest"]])
    try verify()
  }

  @Test func theTypesOfTheStoreCount() throws {
    try csv("name,zip\nAda,A1\n") { $0.key = ["name"] }
    try csv("name,zip\nBob,123\n") { $0.key = ["name"] }
    #expect(try rows().map { $0["zip"] } == ["A1", "123"])
    let error = #expect(throws: ImportError.self) { try csv("name,phone\nBob,123\n") { $0.key = ["name"] } }
    #expect(
      error?.message.contains("line 1, column 6: Person has no attribute “phone” for the column “phone”") == true,
      "\(error?.message ?? "")")
  }

  @Test func columnsLeadToOtherObjects() throws {
    try csv("code,name\nGB,Britain\nIT,Italy\n", entity: "Country") { $0.key = ["code"] }
    let text = "name,country,boss\nAda,GB,Cy\nBob,,Ada\nCy,IT,\n"
    func choose(_ options: inout TableOptions) {
      options.key = ["name"]
      options.links = [
        TableLink(column: "country", target: "Country", attribute: "code"),
        TableLink(column: "boss", target: "Person", attribute: "name"),
      ]
    }
    let report = try csv(text, choose)
    #expect(report.entities[0].relationships.map(\.linkCount) == [2, 2])
    let store = try Store(at: path)
    let request = Request<StoredObject>(
      entity: "Person", filter: try Filter(parsing: #"boss.name == "Cy" AND country.name == "Britain""#))
    #expect(try store.fetch(request).rows.map { $0["name"] } == ["Ada"])
    try closeAndVerify(store)
    let head = try head()
    try csv(text, choose)
    #expect(try self.head() == head)
    let error = #expect(throws: ImportError.self) { try csv("name,country,boss\nDi,FR,\n", choose) }
    #expect(
      error?.message.contains("line 2, column 4: no Country has the code “FR” of the column “country”") == true,
      "\(error?.message ?? "")")
  }

  @Test func nestedObjectsBelongToTheOneAroundThem() throws {
    let text = #"[{"name": "Ada", "pets": [{"kind": "cat"}, {"kind": "dog"}]}, {"name": "Bob", "pets": []}]"#
    try json(text, nested: true)
    let store = try Store(at: path)
    let ada = try #require(
      try store.fetch(Request<StoredObject>(entity: "Person", filter: try Filter(parsing: #"name == "Ada""#))).rows
        .first)
    let pets = try store.targets(of: ada.id, "pets")
    #expect(try pets.map { try store.get($0)?["kind"] } == ["cat", "dog"])
    try store.write { try $0.delete(ada.id) }
    #expect(try pets.map { try store.get($0) } == [nil, nil])
    try closeAndVerify(store)
    #expect(throws: ImportError.self) { try json(text, entity: "Owner", nested: true) { $0.key = ["name"] } }
  }

  @Test func nestedValuesAreCodable() throws {
    try json(#"{"name": "Ada", "tags": ["a", "b"]}"# + "\n" + #"{"name": "Bob"}"#)
    #expect(try rows()[0]["tags"] == .data(Array(#"["a","b"]"#.utf8)))
    #expect(try rows()[1]["tags"] == .null)
  }

  @Test func aDryRunWritesNothing() throws {
    #expect(try csv("name\nAda\n") { $0.isDryRun = true }.entities[0].objectCount == 1)
    #expect(!FileManager.default.fileExists(atPath: path))
    try csv("name\nAda\n") { $0.key = ["name"] }
    let head = try head()
    let report = try csv("name\nBob\n") {
      $0.key = ["name"]
      $0.isDryRun = true
    }
    #expect(try self.head() == head && report.head == nil)
    #expect(report.entities[0].changes?.inserted == 1)
    // A rehearsal into a new store finds what only writing does.
    let other = directory.path("other.csv")
    try Data("name\nAda\nAda\n".utf8).write(to: URL(fileURLWithPath: other))
    var job = TableJob(.csv, into: directory.path("other.daybook"), entity: "Person") { declared in
      try CSVTable(path: other, declared: declared).rows(of: "Person")
    }
    job.options.isDryRun = true
    #expect(try job.run().commitCount == 0)
    #expect(!FileManager.default.fileExists(atPath: directory.path("other.daybook")))
  }

  @Test func theReportCountsWhatBecameOfRows() throws {
    try csv("name,age\nAda,1\nBob,2\n") { $0.key = ["name"] }
    let report = try csv("name,age\nAda,1\nBob,3\nCy,4\n") { $0.key = ["name"] }
    #expect(report.entities[0].changes == ObjectChanges(inserted: 1, changed: 1))
    #expect(report.text.hasPrefix("Person: 3 objects, 1 inserted, 1 changed\n"))
    #expect(report.json["entities"]?.elements?[0]["changed"]?.integerValue == 1)
    #expect(try csv("name,age\nAda,1\n") { $0.key = ["name"] }.entities[0].changes == ObjectChanges())
  }

  @Test func aHeaderThatIsOneColumnNamesTheDelimiter() throws {
    for (text, words) in [("name;age\nAda;1\n", "--delimiter ';'"), ("name\tage\nAda\t1\n", "--delimiter tab")] {
      let report = try csv(text) { $0.isDryRun = true }
      #expect(report.notes.first?.contains(words) == true, "\(report.notes)")
    }
    #expect(try csv("name\nAda;Bob\n") { $0.isDryRun = true }.notes.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func finishedBatchesStayAfterAnError() throws {
    try csv("name\nAda\n") { $0.key = ["name"] }
    #expect(throws: ImportError.self) {
      try csv("name\nBob\nCy\nDi\n\"\"\n") {
        $0.key = ["name"]
        $0.batchSize = 2
      }
    }
    #expect(try rows().map { $0["name"] } == ["Ada", "Bob", "Cy"])
    try verify()
  }

  @Test("rows with the key of an earlier row are counted, in one commit and in several", arguments: [nil, 1, 2])
  func repeatedKeysAreNoted(batch: Int?) throws {
    let text = "name,age\nAda,1\nBob,2\nAda,3\nCy,4\nAda,5\n"
    func run() throws -> ImportReport {
      try csv(text) {
        $0.key = ["name"]
        $0.batchSize = batch
      }
    }
    let note =
      "2 rows have the key of an earlier row, the first of them in line 4; the values of the last such row are stored."
    #expect(try run().notes == [note])
    #expect(try run().notes == [note])
    #expect(try csv("name,age\nAda,6\nBob,7\n") { $0.key = ["name"] }.notes == [])
  }

  /// Random files of few keys, imported one after the other, against a dictionary.
  @Test func randomFilesEqualAPlainDictionary() throws {
    try Seeds.run(3) { seed in
      var random = SeededRandom(seed: seed)
      var plain: [String: [String: Value]] = [:]
      let path = directory.path("random-\(seed).daybook")
      for round in 0..<8 {
        var lines = ["key,count,note"]
        for _ in 0..<random.number(0...12) {
          let key = String(random.number(0...9))
          let count: Value = random.isOneIn(3) ? nil : .integer(Int64(random.number(-5...5)))
          let note: Value = random.isOneIn(3) ? nil : .string(random.pick(["a", "b,c", "d\"e", "f\ng", "007"]))
          lines.append(
            [key, count.isNull ? "" : "\(count)", note.isNull ? "" : "\"\("\(note)".replacing("\"", with: "\"\""))\""]
              .joined(separator: ","))
          plain[key] = ["key": .string(key), "count": count, "note": note]
        }
        let file = directory.path("random-\(seed)-\(round).csv")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: file))
        var job = TableJob(.csv, into: path, entity: "Row") { declared in
          let types: [String: AttributeType] = ["key": .string, "count": .integer, "note": .string]
          return try CSVTable(path: file, types: types, declared: declared).rows(of: "Row")
        }
        job.options.key = ["key"]
        job.options.batchSize = random.isOneIn(2) ? random.number(1...5) : nil
        _ = try job.run()
        let store = try Store(at: path)
        let found = try store.fetch(Request<StoredObject>(entity: "Row")).rows.map { object in
          Dictionary(uniqueKeysWithValues: object.values.map { ($0.name, $0.value) })
        }
        #expect(Set(found) == Set(plain.values))
        store.close()
      }
      try closeAndVerify(try Store(at: path))
    }
  }
}

#endif
