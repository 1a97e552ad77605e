import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct DerivedEntityTests {
  private let rows = Request(entity: "AuthorMonth")

  private func rows(_ filter: String? = nil, by sort: String..., section: String? = nil) throws -> Request<StoredObject>
  {
    Request(
      entity: "AuthorMonth", filter: try filter.map { try Filter(parsing: $0) },
      sort: try sort.map { try SortTerm(parsing: $0) }, section: try section.map { try SectionKey(parsing: $0) })
  }

  private func withStore(_ projection: MonthProjection, _ body: (Store) throws -> Void) throws {
    try withTemporaryStore(MonthProjection.model, options: .knowing(projection)) { store in
      try body(store)
    }
  }

  private func catchUp(_ store: Store, _ projection: MonthProjection) throws {
    if projection.mode == .catchUp { try store.projection(projection.name).catchUp() }
  }

  private func author(_ name: String, in store: Store) throws -> ObjectID {
    try store.write { try $0.insert("Author", ["name": .string(name)]) }
  }

  private func revise(_ store: Store, _ author: ObjectID?, _ month: String, size: Int64 = 1) throws -> ObjectID {
    try store.write { tx in
      let id = try tx.insert("Revision", ["month": .string(month), "size": .integer(size)])
      if let author { try tx.relate(id, "author", to: author) }
      return id
    }
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func rowsAreReadAsObjectsAre(_ mode: ProjectionMode) throws {
    let projection = MonthProjection(mode: mode)
    try withStore(projection) { store in
      let (emma, paul) = (try author("Emma", in: store), try author("Paul", in: store))
      _ = try revise(store, emma, "2026-01", size: 5)
      _ = try revise(store, emma, "2026-01", size: 7)
      let last = try revise(store, paul, "2026-02", size: 3)
      try catchUp(store, projection)
      let found = try store.fetch(rows(by: "author.name", section: "author.name"))
      #expect(found.position == 6)
      #expect(found.sections.map(\.name) == ["Emma", "Paul"])
      #expect(found.sections.map { $0.rows.map { $0["size"] } } == [[.integer(12)], [.integer(3)]])
      #expect(try store.count(rows("count > 1")) == 1)
      let row = try #require(found.rows.last)
      #expect(try store.get(row.id) == row)
      #expect(row.target("author") == paul && row.target("largest") == last)
      let error = try #require(throws: StoreError.self) { try store.log(where: CommitFilter(object: row.id)) }
      #expect(error.code == .notFound && error.message.contains("row of a projection"))
      #expect(try store.read { try $0.explain(rows(by: "author.name", "month")) }.contains("author.name"))
    }
  }

  /// A row keeps the id of a deleted target: in the key it is shown, elsewhere the link is nil until the object is back.
  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func linksLeadToObjectsThatExist(_ mode: ProjectionMode) throws {
    let projection = MonthProjection(mode: mode)
    try withStore(projection) { store in
      let emma = try author("Emma", in: store)
      let paul = try author("Paul", in: store)
      let revision = try revise(store, emma, "2026-01")
      _ = try revise(store, paul, "2026-01")
      // The order by the author's name follows the author, without a call that changes the row.
      try store.write { try $0.rename(emma, to: "Zoe") }
      try catchUp(store, projection)
      let order = try rows(by: "author.name")
      #expect(try store.fetch(order).rows.map { $0.target("author") } == [paul, emma])
      try store.write { try $0.delete(paul) }
      try catchUp(store, projection)
      // A revision without an author has another key, and its path to a name reads nil.
      #expect(try store.fetch(order).rows.map { $0.target("author") } == [nil, emma])
      try store.write { tx in
        try tx.unrelate(revision, "author", from: emma)
        try tx.delete(emma)
      }
      try catchUp(store, projection)
      #expect(try Set(store.fetch(rows).rows.map(PlainMonth.init)) == PlainMonth.all(in: store))
    }
  }

  /// The index on `largest` and the filter see the same, whether the target exists or not.
  @Test func softLinkOfAnIndexFollowsTheExistenceOfItsTarget() throws {
    let projection = MonthProjection(mode: .inline)
    try withStore(projection) { store in
      let emma = try author("Emma", in: store)
      let first = try revise(store, emma, "2026-01")
      let second = try revise(store, emma, "2026-01")
      let none = try rows("largest == nil")
      #expect(try store.count(none) == 0)
      let before = try store.position
      try store.write { try $0.delete(second) }
      #expect(try store.fetch(rows).rows.map { $0.target("largest") } == [nil])
      #expect(try store.count(none) == 1)
      #expect(try store.fetch(rows(by: "largest")).rows.map { $0["count"] } == [.integer(1)])
      _ = try store.undo(.last())
      #expect(try store.fetch(rows).rows.map { $0.target("largest") } == [second])
      #expect(try store.count(none) == 0)
      #expect(try store.read { try $0.ids(of: none, at: before.next) }.sections.map(\.rows.count) == [1])
      _ = first
    }
  }

  @Test func rowsOfAnotherDeclarationNeedAnotherVersion() throws {
    struct Other: Projection {
      let name = "author-months"
      var version = 1
      let mode = ProjectionMode.inline
      var entities: [DerivedEntity] {
        [DerivedEntity(Entity(name: "Day", attributes: [Attribute(name: "day", type: .string)]), key: ["day"])]
      }
      func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) {}
    }
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let store = try Store(at: path, model: MonthProjection.model, options: .knowing(MonthProjection(mode: .inline)))
    store.close()
    let error = try #require(throws: StoreError.self) { try Store(at: path, options: .knowing(Other())) }
    #expect(error.code == .badModel && error.message.contains("declares other entities"))
    let reopened = try Store(at: path, options: .knowing(Other(version: 2)))
    #expect(try reopened.count(Request(entity: "Day")) == 0)
    reopened.close()
  }

  /// A default is compared as it is stored: a whole number is a double's default too.
  @Test func declarationIsTheSameWhenTheStoreIsOpenedAgain() throws {
    struct Sums: Projection {
      var name = "sums"
      let version = 1
      let mode = ProjectionMode.inline
      let entities = [
        DerivedEntity(
          Entity(
            name: "Sum",
            attributes: [
              Attribute(name: "month", type: .string),
              Attribute(name: "amount", type: .decimal, defaultValue: .decimal(Decimal(string: "1.50")!)),
            ]),
          key: ["month"])
      ]
      func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
        for id in commit.inserted("Revision") {
          if let month = try commit.after.get(id)?["month"] { try rows.put("Sum", key: [month]) }
        }
      }
    }
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    for count in 1...2 {
      let store = try Store(at: path, model: MonthProjection.model, options: .knowing(Sums()))
      _ = try revise(store, nil, "2026-0\(count)")
      #expect(try store.count(Request(entity: "Sum")) == count)
      store.close()
    }
    let error = try #require(throws: StoreError.self) {
      try Store(at: path, options: .knowing(Sums(), Sums(name: "others")))
    }
    #expect(error.code == .badModel && error.message.contains("both declare Sum"))
  }

  @Test(arguments: [
    (Entity(name: "Author", attributes: [Attribute(name: "day", type: .string)]), ["day"], "an entity of this name"),
    (Entity(name: "Day", attributes: [Attribute(name: "day", type: .double)]), ["day"], "neither data, codable nor"),
    (Entity(name: "Day", attributes: [Attribute(name: "day", type: .string)]), ["week"], "no attribute or link"),
    (Entity(name: "Day", attributes: [Attribute(name: "day", type: .string)]), [], "a key of 0 fields"),
    (
      Entity(
        name: "Day", attributes: [Attribute(name: "day", type: .string), Attribute(name: "count", type: .integer)]),
      ["day"], "needs a default"
    ),
    (
      Entity(name: "Day", attributes: [Attribute(name: "day", type: .string, rules: [.minimumLength(1)])]), ["day"],
      "not checked by rules"
    ),
    (
      Entity(
        name: "Day", attributes: [Attribute(name: "day", type: .string)],
        relationships: [Relationship(name: "author", target: "Author")]), ["day"], "must be optional"
    ),
  ])
  func declarationThatCannotBeKeptIsRefused(_ entity: Entity, _ key: [String], _ reason: String) throws {
    struct Refused: Projection {
      let name = "refused"
      let version = 1
      let mode = ProjectionMode.inline
      let entities: [DerivedEntity]
      func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) {}
    }
    let directory = try TemporaryDirectory()
    let error = try #require(throws: StoreError.self) {
      try Store(
        at: directory.path("store"), model: MonthProjection.model,
        options: .knowing(Refused(entities: [DerivedEntity(entity, key: key)])))
    }
    #expect(error.code == .badModel && error.message.contains(reason), "\(error)")
  }

  /// A commit on which the projection throws leaves no row, and the rows after it are those without it.
  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func failedCommitLeavesNothing(_ mode: ProjectionMode) throws {
    let projection = MonthProjection(mode: mode, onFailure: .quarantine, refused: "2026-03")
    try withStore(projection) { store in
      let emma = try author("Emma", in: store)
      _ = try revise(store, emma, "2026-01")
      try store.write { tx in
        for month in ["2026-02", "2026-03"] {
          let id = try tx.insert("Revision", ["month": .string(month)])
          try tx.relate(id, "author", to: emma)
        }
      }
      _ = try revise(store, emma, "2026-04")
      try catchUp(store, projection)
      #expect(try Set(store.fetch(rows).rows.map { $0["month"] }) == [.string("2026-01"), .string("2026-04")])
      #expect(try store.projection(projection.name).quarantine().map(\.position) == [4])
    }
  }

  /// An id that nothing has is absent, whether the projection has rows there or not.
  @Test func unknownIdentityIsAbsentBeforeAndWithoutRows() throws {
    try withStore(MonthProjection(mode: .inline)) { store in
      let emma = try author("Emma", in: store)
      let position = try store.position
      _ = try revise(store, emma, "2026-01")
      let row = try #require(try store.fetch(rows).rows.first)
      #expect(try store.at(position).get(row.id) == nil && store.at(position).get(emma) != nil)
      #expect(try store.at(position).read { try $0.count(rows) } == 0)
    }
    var options = StoreOptions.knowing(MonthProjection())
    options.followsProjections = false
    try withTemporaryStore(MonthProjection.model, options: options) { store in
      let emma = try author("Emma", in: store)
      _ = try revise(store, emma, "2026-01")
      #expect(try store.get(ObjectID.random()) == nil)
      try store.projection("author-months").catchUp()
      #expect(try store.count(rows) == 1)
    }
  }

  @Test func storedEntitiesAreAllThatAWriteChanges() throws {
    try withStore(MonthProjection(mode: .inline)) { store in
      _ = try revise(store, nil, "2026-01")
      let row = try #require(try store.fetch(rows).rows.first)
      #expect(throws: StoreError.self) { try store.write { try $0.delete(row.id) } }
      #expect(throws: StoreError.self) { try store.write { _ = try $0.insert("AuthorMonth", [:]) } }
      #expect(throws: StoreError.self) { try store.write { try $0.set(row.id, ["count": .integer(7)]) } }
      #expect(try store.fetch(rows).rows == [row])
    }
  }
}
