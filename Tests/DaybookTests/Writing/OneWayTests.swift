import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookEngine

/// Links over relationships that declare no inverse.
@Suite(.hangLimit) struct OneWayTests {
  /// Documents with pages in an order, perhaps a cover, and an owner.
  private static let model = Model(entities: [
    Entity(
      name: "Document", nameAttribute: "title",
      attributes: [
        Attribute(name: "title", type: .string),
        Attribute(name: "pageCount", type: nil, derivation: .count(relationship: "pages")),
        Attribute(name: "words", type: nil, derivation: .sum(relationship: "pages", attribute: "words")),
      ],
      relationships: [
        Relationship(name: "pages", target: "Page", isMany: true, isOrdered: true),
        Relationship(name: "cover", target: "Page", isOptional: true),
        Relationship(name: "owner", target: "Person"),
      ],
      indexes: [Index([.init(path: ["owner", "name"])])]),
    Entity(
      name: "Page",
      attributes: [
        Attribute(name: "text", type: .string), Attribute(name: "words", type: .integer, defaultValue: 0),
      ]),
    Entity(name: "Person", attributes: [Attribute(name: "name", type: .string)]),
  ])

  private struct Ids {
    let document, first, second, owner: ObjectID
  }

  private func documents(_ filter: String) throws -> Request<StoredObject> {
    Request(entity: "Document", filter: try Filter(parsing: filter), sort: [SortTerm(path: ["owner", "name"])])
  }

  private func insert(into store: Store) throws -> Ids {
    try store.write { tx in
      let owner = try tx.insert("Person", ["name": "Ada"])
      let first = try tx.insert("Page", ["text": "one", "words": 1])
      let second = try tx.insert("Page", ["text": "two", "words": 2])
      let document = try tx.insert("Document", ["title": "Notes"])
      try tx.relate(document, "owner", to: owner)
      try tx.relate(document, "cover", to: first)
      try tx.relate(document, "pages", to: second)
      try tx.relate(document, "pages", to: first)
      return Ids(document: document, first: first, second: second, owner: owner)
    }
  }

  @Test func targetsShowNothingOfTheirLinks() throws {
    try withTemporaryStore(Self.model) { store in
      let ids = try insert(into: store)
      try store.read { (reader) throws -> Void in
        #expect(try reader.targets(of: ids.document, "pages") == [ids.second, ids.first])
        #expect(try reader.count(documents("ANY pages.words == 2")) == 1)
        #expect(try reader.count(documents("words == 3 AND pageCount == 2")) == 1)
        let unknown = #expect(throws: StoreError.self) { try reader.targets(of: ids.first, "Document.pages") }
        #expect(unknown?.message == "Page has no relationship “Document.pages”.")
        #expect(unknown?.advice == "It has none.")
        #expect(throws: StoreError.self) {
          try reader.count(Request(entity: "Page", filter: Filter(parsing: "Document.pages.@count > 0")))
        }
      }
      // Events are about the side that is declared.
      var log = try store.log()
      var owners: Set<ObjectID> = []
      while let commit = try log.next() {
        for event in commit.events where event.kind == .related { owners.insert(event.object) }
      }
      #expect(owners == [ids.document])
      #expect(try store.verify().isSound)
    }
  }

  @Test func aDeletedTargetLeavesItsLinks() throws {
    try withTemporaryStore(Self.model) { store in
      let ids = try insert(into: store)
      let before = try store.position
      try store.write { try $0.delete(ids.first) }
      try store.read { (reader) throws -> Void in
        #expect(try reader.targets(of: ids.document, "pages") == [ids.second])
        #expect(try reader.targets(of: ids.document, "cover") == [])
        #expect(try reader.count(documents("words == 2 AND pageCount == 1")) == 1)
      }
      let refused = #expect(throws: StoreError.self) { try store.write { try $0.delete(ids.owner) } }
      #expect(refused?.message.contains("requires it as its owner") == true)
      #expect(
        refused?.failure
          == ConstraintFailure(entity: "Document", object: ids.document, fields: ["owner"], rule: .required))
      try store.undo(.last())
      #expect(try store.read { try $0.targets(of: ids.document, "pages") } == [ids.second, ids.first])
      #expect(try store.at(before).targets(of: ids.document, "cover") == [ids.first])
      try store.write { try $0.delete(ids.document) }
      try store.write { try $0.delete(ids.owner) }
      #expect(try store.projectionRows()[.links].isEmpty)
      #expect(try store.verify().isSound)
    }
  }

  @Test func aChangeOfATargetReachesRequestsOfItsSources() throws {
    try withTemporaryStore(Self.model) { store in
      let ids = try insert(into: store)
      let live = try store.liveResults(of: documents("ANY pages.words > 5"))
      #expect(try live.count == 0)
      try store.write { try $0.set(ids.second, ["words": 6]) }
      #expect(try live.update()?.difference.rows.map { $0.from == nil } == [true])
      try store.write { try $0.delete(ids.second) }
      #expect(try live.update()?.difference.rows.map { $0.to == nil } == [true])
    }
  }
}
