import Daybook
import DaybookModel
import DaybookTestSupport
import Testing

/// Conditions on related objects in requests for derived entities, over derived and stored objects.
@Suite(.hangLimit) struct DerivedRelatedTests {
  /// A row for each author with the author's revisions as rows, which keep the link to the stored revision.
  private struct Shelves: Projection {
    let name = "shelves"
    let version = 1
    var mode = ProjectionMode.inline

    var entities: [DerivedEntity] {
      [
        DerivedEntity(
          Entity(
            name: "Shelf", attributes: [],
            relationships: [
              Relationship(name: "author", target: "Author"),
              Relationship(name: "copies", target: "Copy", inverse: "shelf", isMany: true),
            ]),
          key: ["author"]),
        DerivedEntity(
          Entity(
            name: "Copy", attributes: [Attribute(name: "size", type: .integer, defaultValue: 0)],
            relationships: [
              Relationship(name: "revision", target: "Revision"),
              Relationship(name: "shelf", target: "Shelf", inverse: "copies", isOptional: true),
            ]),
          key: ["revision"]),
      ]
    }

    func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
      for id in commit.inserted("Author") { try rows.put("Shelf", key: [.uuid(id)], [:]) }
      for id in commit.deleted("Author") { try rows.delete("Shelf", key: [.uuid(id)]) }
      for id in commit.deleted("Revision") { try rows.delete("Copy", key: [.uuid(id)]) }
      for id in commit.inserted("Revision") + commit.changed("Revision") {
        let revision = try commit.after.require(id)
        let shelf = try revision.target("author").map { Value.uuid(try Self.shelf(of: $0)) } ?? .null
        try rows.put("Copy", key: [.uuid(id)], ["size": revision["size"], "shelf": shelf])
      }
    }

    static func shelf(of author: ObjectID) throws -> ObjectID {
      try DerivedKey([.uuid(author)], types: [.uuid]).objectID(of: "Shelf", in: "shelves")
    }
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func `rows move with the derived and stored objects of a condition`(_ mode: ProjectionMode) throws {
    try withTemporaryStore(MonthProjection.model, options: .knowing(Shelves(mode: mode))) { store in
      var (authors, revisions): ([ObjectID], [ObjectID]) = ([], [])
      try store.write { tx in
        authors = try ["a", "b"].map { try tx.insert("Author", ["name": .string($0)]) }
        for author in authors {
          for _ in 0..<2 {
            revisions.append(try tx.insert("Revision", ["month": "1", "size": 1]))
            try tx.relate(revisions[revisions.count - 1], "author", to: author)
          }
        }
      }
      let projection = try store.projection("shelves")
      try projection.catchUp()
      let shelves = try authors.map { try Shelves.shelf(of: $0) }
      // The second condition leads from derived rows over a link to the stored object.
      let requests = try [
        "COUNT(copies WHERE size > 2) >= 1", #"ANY copies WHERE (revision.month == "2" AND size > 2)"#,
      ]
      .map { Request(entity: "Shelf", filter: try Filter(parsing: $0)) }
      let lists = try requests.map { try store.liveResults(of: $0) }
      func moved(_ body: (borrowing Transaction) throws -> Void) throws -> [[ObjectID]] {
        let before = try store.position
        try store.write { try body($0) }
        try projection.catchUp()
        return try zip(lists, requests).map { list, request in
          let change = try list.update()
          let (from, to) = (before, try store.position)
          #expect(
            try store.difference(of: request, from: from, to: to).difference.rows == change?.difference.rows ?? [])
          #expect(try store.at(to).fetch(request).rows.map(\.id) == list.fetched().rows.map(\.id))
          return (change?.difference.rows ?? []).map(\.id)
        }
      }
      #expect(try moved { try $0.set(revisions[0], ["size": 3]) } == [[shelves[0]], []])
      #expect(try moved { try $0.set(revisions[2], ["month": "2"]) } == [[], []])
      #expect(try moved { try $0.set(revisions[0], ["month": "2"]) } == [[], [shelves[0]]])
      #expect(
        try moved { try $0.relate(revisions[0], "author", to: authors[1]) }.map { Set($0) } == [
          Set(shelves), Set(shelves),
        ])
      #expect(try moved { try $0.delete(revisions[0]) } == [[shelves[1]], [shelves[1]]])
      #expect(try lists.map { try $0.count } == [0, 0])
    }
  }
}
