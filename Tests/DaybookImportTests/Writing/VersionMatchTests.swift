#if Import

import Daybook
import DaybookModel
import Testing

@testable import DaybookImport

/// An older version of a model that is read into the current one.
@Suite(.hangLimit)
struct VersionMatchTests {
  private func old() throws -> PlainSource {
    var note = SourceEntity(name: "Memo")
    note.attributes = [.optional("text", .string), .optional("count", .integer16), .optional("gone", .string)]
    note.relationships = [.one("tag", "Tag")]
    var tag = SourceEntity(name: "Tag")
    tag.attributes = [.required("name", .string)]
    var source = try PlainSource(SourceModel(note, tag, SourceEntity(name: "Lost")))
    source.rows = [
      "Memo": [1: PlainSource.Row(values: ["text": "a", "count": 7, "gone": "x"], links: ["tag": [2]])],
      "Tag": [2: PlainSource.Row(values: ["name": "t"])], "Lost": [3: PlainSource.Row()],
    ]
    return source
  }

  private func new() throws -> SourceLookup {
    var note = SourceEntity(name: "Note")
    note.renamingIdentifier = "Memo"
    var body = SourceAttribute.optional("body", .string)
    body.renamingIdentifier = "text"
    var added = SourceAttribute.required("added", .boolean)
    added.defaultValue = .boolean(true)
    note.attributes = [body, .optional("count", .double), added]
    var tags = SourceRelationship.many("tags", "Tag")
    tags.renamingIdentifier = "tag"
    note.relationships = [tags]
    var tag = SourceEntity(name: "Tag")
    tag.attributes = [.required("name", .string)]
    return try SourceLookup(SourceModel(note, tag), origin: "new")
  }

  @Test
  func `values and links keep their identities under their new names`() throws {
    let (source, imported) = (try old(), try ImportedStore())
    let report = try ImportJob(.coreData, [source], into: imported.path, target: new()).run()
    #expect(report.dropped.map(\.what) == ["Memo.gone", "Lost"])
    try imported.read { (store: Store) throws in
      let note = try #require(try store.get(source.id("Memo", 1)))
      #expect(note.entity == "Note")
      #expect(note["body"] == "a")
      #expect(note["count"] == .double(7))
      #expect(note["added"] == true)
      let targets = try store.read { try $0.linkTargets(of: note.id, "tags") }
      #expect(targets == [source.id("Tag", 2)])
    }
  }

  @Test
  func `values become others only where nothing is lost`() {
    #expect(Value.integer(3).fitting(.double) == .double(3))
    #expect(Value.integer(.max).fitting(.double) == nil)
    #expect(Value.double(2.5).fitting(.integer) == nil)
    #expect(Value.double(2).fitting(.integer) == .integer(2))
    #expect(Value.boolean(true).fitting(.integer) == .integer(1))
    #expect(Value.integer(2).fitting(.boolean) == nil)
    #expect(Value.string("12").fitting(.integer) == .integer(12))
    #expect(Value.string("x").fitting(.integer) == nil)
    #expect(Value.integer(12).fitting(.string) == .string("12"))
    #expect(Value.data([1]).fitting(.string) == nil)
    #expect(Value.null.fitting(.data) == .null)
  }
}

#endif
