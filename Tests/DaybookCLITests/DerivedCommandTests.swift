#if Command

import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// Derived entities in a process without the code of their projection.
@Suite(.hangLimit) struct DerivedCommandTests {
  private let kitchen: Kitchen

  init() throws {
    kitchen = try Kitchen(Kitchen.menu)
    try catchUp()
  }

  /// The number of recipes of each type.
  private struct TypeCounts: Projection {
    let name = "type-counts"
    let version = 1
    let entities = [
      DerivedEntity(
        Entity(
          name: "TypeCount", attributes: [Attribute(name: "count", type: .integer, defaultValue: .integer(0))],
          relationships: [Relationship(name: "type", target: "RecipeType", isOptional: true)]),
        key: ["type"])
    ]

    func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
      for id in commit.deleted("Recipe") + commit.changed("Recipe") { try add(commit.before, id, -1, to: rows) }
      for id in commit.inserted("Recipe") + commit.changed("Recipe") { try add(commit.after, id, 1, to: rows) }
    }

    private func add(
      _ reader: borrowing StoreReader, _ id: ObjectID, _ sign: Int64, to rows: borrowing DerivedRows
    ) throws {
      let type = try reader.get(id)?.target("type")
      try rows.update("TypeCount", key: [type.map { .uuid($0) } ?? .null]) {
        guard case .integer(let count) = $0["count"] else { return }
        $0["count"] = .integer(count + sign)
      }
    }
  }

  private func catchUp() throws {
    var options = StoreOptions()
    options.projections = [TypeCounts()]
    options.followsProjections = false
    let store = try Store(at: kitchen.store, options: options)
    defer { store.close() }
    try store.projection("type-counts").catchUp()
  }

  /// The row of the desserts.
  private func dessert() throws -> (id: String, line: String) {
    let line = try kitchen.output("fetch", "TypeCount", "--where", "type.name == \"Dessert\"", "--jsonl")
    let json = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    return (try #require(json["id"] as? String), line)
  }

  @Test func rowsAreFetchedCountedAndShownAsObjects() throws {
    let (id, line) = try dessert()
    #expect(line.contains(#""values": {"count": 1}, "links": {"type": "\#(Kitchen.id(1))"}"#))
    #expect(try kitchen.output("count", "TypeCount", "--json") == #"{"position": 2, "count": 2}"# + "\n")
    #expect(
      try kitchen.output("fetch", "TypeCount", "--section", "type.name", "--sort", "count").contains(
        "Dessert (00000001)"))
    for part in [id, String(id.suffix(12))] {
      #expect(try kitchen.output("get", part, "--json").contains(#""entity": "TypeCount""#))
    }
    // The way back over the link is no relationship of the stored entity.
    #expect(!(try kitchen.output("get", Kitchen.id(1), "--json").contains("TypeCount")))
  }

  @Test func whatTheRowsLackIsNamed() throws {
    _ = try kitchen.output("insert", "Recipe", "name=Torte", "type=00000001")
    // Without a position, and at the head, the rows are at their checkpoint.
    for arguments in [[], ["--at", "head"], ["--at", "2"]] {
      let run = try CommandRun(["count", kitchen.store, "TypeCount", "--json"] + arguments)
      #expect(run.output == #"{"position": 2, "count": 2}"# + "\n", "\(run.errors)")
    }
    for arguments in [
      ["count", kitchen.store, "TypeCount", "--at", "3"], ["fetch", kitchen.store, "TypeCount", "--at", "3"],
      ["get", kitchen.store, try dessert().id, "--at", "3"],
      ["diff", kitchen.store, "TypeCount", "--from", "1", "--to", "3"],
      ["bisect", kitchen.store, "TypeCount", "--to", "3"],
    ] {
      let run = try CommandRun(arguments)
      #expect(
        run.status == 1 && run.errors.contains("type-counts are at 2: they lack 1"), "\(arguments): \(run.errors)")
    }
    try catchUp()
    #expect(try kitchen.output("count", "TypeCount", "--where", "count == 2", "--at", "3") == "1\n")
    #expect(try kitchen.output("count", "TypeCount", "--where", "count == 2", "--at", "2") == "0\n")
    #expect(try kitchen.output("bisect", "TypeCount", "--where", "count == 2") == "3\n")
    #expect(try kitchen.output("diff", "TypeCount", "--from", "2", "--json").contains(#""change": "update""#))
    #expect(try kitchen.output("diff", "TypeCount", "--from", "2").contains("position 2 to 3"))
    let watched = try kitchen.output("watch", "TypeCount", "--from", "2", "--count", "1", "--jsonl")
    #expect(watched.split(separator: "\n").count == 2 && watched.contains(#""from": 2, "to": 3"#))
  }

  @Test func eachValueOfARowNamesTheCommitThatSetIt() throws {
    _ = try kitchen.output("insert", "Recipe", "name=Torte", "type=00000001", "--author", "eve")
    try catchUp()
    let blame = try kitchen.output("blame", try dessert().id, "--json")
    #expect(blame.contains(#"{"attribute": "count", "value": 2, "position": 3, "author": "eve""#))
    #expect(blame.contains(#"{"link": "type", "value": "\#(Kitchen.id(1))", "position": 2"#))
  }

  @Test func verbsAreRefusedWithTheProjection() throws {
    let id = try dessert().id
    let refusal = "TypeCount is written by the projection type-counts alone."
    for arguments in [
      ["insert", kitchen.store, "TypeCount", "count=3"], ["set", kitchen.store, id, "count=3"],
      ["set", kitchen.store, String(id.suffix(12)), "count=3"], ["delete", kitchen.store, id],
      ["set", kitchen.store, "TypeCount", "--where", "count > 0", "count=3"],
      ["delete", kitchen.store, "TypeCount", "--where", "count > 0"],
    ] {
      let run = try CommandRun(arguments)
      #expect(run.status == 1 && run.errors.contains(refusal), "\(arguments): \(run.errors)")
    }
    for line in [#"{"insert": "TypeCount", "values": {"count": 3}}"#, #"{"set": "\#(id)", "values": {"count": 3}}"#] {
      let run = try kitchen.run("apply", input: line + "\n")
      #expect(run.status == 1 && run.errors.contains(refusal), "\(run.errors)")
    }
  }

  @Test func projectionsAreListedWithTheirRows() throws {
    let text = try kitchen.output("projection", "--json")
    #expect(text.hasPrefix(#"[{"name": "type-counts", "version": 1, "checkpoint": 2, "lag": 0, "quarantined": 0, "#))
    #expect(text.contains(#""mode": null, "entities": {"TypeCount": 2}, "rows": 2, "bytes": "#))
    #expect(try kitchen.output("projection").contains("TypeCount"))
    #expect(try kitchen.output("projection", "type-counts").contains("TypeCount: 2 rows"))
  }
}

#endif
