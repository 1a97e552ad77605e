#if Import

import Daybook
import DaybookModel
import Testing

@testable import DaybookImport

/// Imports in commits at the times at which the application created its objects.
@Suite(.hangLimit)
struct CreatedImportTests {
  /// Notes of folders, which they require, with the times at which both were made.
  private func source() throws -> PlainSource {
    var folder = SourceEntity(name: "Folder")
    folder.attributes = [.required("name", .string), .optional("made", .date)]
    folder.relationships = [.many("notes", "Note", inverse: "folder")]
    var note = SourceEntity(name: "Note")
    note.attributes = [.optional("text", .string), .optional("made", .date)]
    note.relationships = [
      .one("folder", "Folder", inverse: "notes", isOptional: false), .many("seeAlso", "Note"),
    ]
    var letter = SourceEntity(name: "Letter", parent: "Note")
    letter.attributes = [.optional("sender", .string)]
    var source = try PlainSource(SourceModel(note, letter, folder, SourceEntity(name: "Tag")))
    source.rows = [
      "Folder": [1: row("name", "Work", 2020), 2: row("name", "Home", 2010)],
      "Note": [
        10: row("text", "early", 2015, folder: 1), 11: row("text", "late", 2021, folder: 1),
        12: row("text", "same", 2021, folder: 2), 13: row("text", "unknown", nil, folder: 2),
      ],
      "Letter": [14: row("text", "letter", 2012, folder: 2)], "Tag": [20: PlainSource.Row()],
    ]
    source.rows["Note"]?[11]?.links["seeAlso"] = [10]
    return source
  }

  private func row(_ name: String, _ value: String, _ year: Int?, folder: Int64? = nil) -> PlainSource.Row {
    var values: [String: SourceValue] = [name: .value(.string(value))]
    if let year { values["made"] = .value(.date(time(year))) }
    return PlainSource.Row(values: values, links: folder.map { ["folder": [$0]] } ?? [:])
  }

  private func time(_ year: Int) -> Timestamp { Timestamp("\(year)-05-06T07:08:09Z") ?? Timestamp(microseconds: 0) }

  private func check(_ imported: ImportedStore, _ source: PlainSource) throws {
    try imported.read { (store: Store) throws in
      for (entity, rows) in source.rows {
        for (key, row) in rows {
          let object = try store.require(source.id(entity, key))
          guard case .value(.date(let made))? = row.values["made"] else { continue }
          #expect(object.createdAt == made, "\(entity) \(key)")
        }
      }
      #expect(try store.read { try $0.linkTargets(of: source.id("Note", 11), "seeAlso") } == [source.id("Note", 10)])
    }
  }

  @Test
  func `each object is created at its time, after what it requires`() throws {
    let source = try source()
    for (created, batch) in [(["*": "made"], nil), (["Note": "made", "Folder": "made"], 2)]
      as [([String: String], Int?)]
    {
      let imported = try ImportedStore()
      let report = try imported.run(source) { options in
        options.creationTimes = created
        options.batchSize = batch
      }
      try check(imported, source)
      #expect(report.commitCount == 9)
      try imported.read { (store: Store) throws in
        var log = try store.log()
        var times: [Timestamp?] = []
        while let commit = try log.next() { times.append(commit.happenedAt) }
        // The model; the tag; a folder and the note that waits for it; the letter; a folder and the note that waits for it;
        // two notes; the links that no object requires.
        #expect(times == [nil, nil, time(2010), nil, time(2012), time(2020), time(2015), time(2021), nil])
      }
      let again = try imported.run(source)
      #expect(again.commitCount == 0)
    }
  }

  @Test
  func `objects that require each other come in one commit, after what they require`() throws {
    var head = SourceEntity(name: "Head")
    head.relationships = [
      .one("body", "Body", inverse: "head", isOptional: false), .one("maker", "Maker", isOptional: false),
    ]
    var body = SourceEntity(name: "Body")
    body.relationships = [.one("head", "Head", inverse: "body", isOptional: false)]
    var maker = SourceEntity(name: "Maker")
    maker.attributes = [.optional("made", .date)]
    var source = try PlainSource(SourceModel(head, body, maker))
    source.rows = [
      "Head": [
        1: PlainSource.Row(links: ["body": [2], "maker": [5]]), 3: PlainSource.Row(links: ["body": [4], "maker": [5]]),
      ],
      "Body": [2: PlainSource.Row(), 4: PlainSource.Row()],
      "Maker": [5: PlainSource.Row(values: ["made": .value(.date(time(2020)))])],
    ]
    let imported = try ImportedStore()
    let report = try imported.run(source) { options in
      options.creationTimes = ["*": "made"]
      options.batchSize = 1
    }
    #expect(report.commitCount == 3)
    #expect(report.notes == ["--created: 1 of 5 objects have a time at which they were created"])
    try imported.read { (store: Store) throws in
      #expect(try store.require(source.id("Maker", 5)).createdAt == time(2020))
      #expect(try store.require(source.id("Head", 3)).target("body") == source.id("Body", 4))
      #expect(try store.require(source.id("Head", 1)).target("maker") == source.id("Maker", 5))
    }
  }

  @Test
  func `an existing store takes it in batches only`() throws {
    var source = try source()
    let imported = try ImportedStore()
    try imported.run(source) { $0.creationTimes = ["*": "made"] }
    source.rows["Note"]?[15] = row("text", "new", 2013, folder: 1)
    try expectError("--batch") { try imported.run(source) { $0.creationTimes = ["*": "made"] } }
    try imported.run(source) { options in
      options.creationTimes = ["*": "made"]
      options.batchSize = 10
    }
    try check(imported, source)
  }

  @Test
  func `an attribute that is none, or no date, is refused`() throws {
    let imported = try ImportedStore()
    let source = try source()
    try expectError("Note.born") { try imported.run(source) { $0.creationTimes = ["Note": "born"] } }
    try expectError("Note.text", "no date") { try imported.run(source) { $0.creationTimes = ["Note": "text"] } }
    try expectError("Page.made") { try imported.run(source) { $0.creationTimes = ["Page": "made"] } }
    #expect(try imported.names() == [])
  }
}

#endif
