#if Macros

import DaybookMacros
import DaybookTestSupport
import Foundation
import Testing

@Suite(.hangLimit) struct DerivedStructTests {
  typealias Author = Log.Author
  typealias Revision = Log.Revision
  typealias AuthorMonth = Log.AuthorMonth
  typealias AuthorTotal = Log.AuthorTotal

  private static let january = Timestamp(microseconds: 1_769_902_200_000_000)
  private static let march = Timestamp(microseconds: 1_772_841_600_000_000)

  private func withStore<Result>(
    _ projection: some Projection, model: Model? = nil, _ body: (Store) throws -> Result
  ) throws -> Result {
    var options = StoreOptions.repeatable()
    options.projections = [projection]
    options.followsProjections = false
    return try withTemporaryStore(model ?? Log.model(), options: options) { store in
      try body(store)
    }
  }

  private func catchUp(_ store: Store, _ projection: some Projection) throws {
    if projection.mode == .catchUp { try store.projection(projection.name).catchUp() }
  }

  /// Writes revisions of two authors, changes and deletes some of them, and records an event.
  private func fill(_ store: Store) throws -> (emma: Author.ID, paul: Author.ID) {
    let (emma, paul) = try store.write { tx in
      (try tx.insert(Author(name: "Emma")), try tx.insert(Author(name: "Paul")))
    }
    let revisions = try store.write(author: "emma") { tx in
      [
        try tx.insert(Revision(timeStamp: Self.january, size: 5, author: emma)),
        try tx.insert(Revision(timeStamp: Self.january, size: 7, author: emma)),
        try tx.insert(Revision(timeStamp: Self.march, size: 3, author: paul)),
        try tx.insert(Revision(timeStamp: Self.march, size: 1)),
      ]
    }
    try store.write { tx in
      try tx.set(revisions[0], \.size, 6)
      try tx.relate(revisions[3], \.author, to: paul)
      try tx.record(Log.Reviewed(about: revisions[2], points: 4))
    }
    try store.write { try $0.delete(revisions[2]) }
    return (emma, paul)
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func rowsAreWrittenAndReadAsStructs(_ mode: ProjectionMode) throws {
    let projection = Log.AuthorMonths(mode: mode)
    try withStore(projection) { store in
      let (emma, paul) = try fill(store)
      try catchUp(store, projection)
      let request = AuthorMonth.where { $0.commits > 0 }.sorted(by: \.commits, .descending)
        .sectioned(by: \.author.name)
      let found = try store.fetch(request)
      #expect(found.sections.map(\.name) == ["Emma", "Paul"])
      let first = try #require(found.rows.first)
      #expect((first.author, first.month, first.commits, first.size) == (emma, "2026-01", 2, 13))
      let last = try #require(found.rows.last)
      #expect((last.author, last.month, last.commits, last.points) == (paul, "2026-03", 1, 4))
      #expect(last.largest != nil && last.last != nil)
      #expect(try store.get(first.id)?.value == first.value)
      #expect(try first.related(\.author)?.name == "Emma")
      #expect(try store.count(AuthorMonth.where { $0.total.commits == 2 }) == 1)
      let totals = try store.fetch(AuthorTotal.all.sorted(by: \.author.name, .descending))
      #expect(totals.rows.map(\.monthCount) == [1, 1, 0])
      #expect(totals.rows.map(\.note) == ["has 1", "has 1", "has 1"])
      #expect(try totals.rows[1].months.fetch().map(\.id) == [first.id])
    }
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func rowsAreThoseOfTheProjectionWithNames(_ mode: ProjectionMode) throws {
    func rows(of projection: some Projection) throws -> [[StoredObject]] {
      try withStore(projection) { store in
        _ = try fill(store)
        try catchUp(store, projection)
        return try ["AuthorMonth", "AuthorTotal"].map { try store.fetch(Request(entity: $0)).rows }
      }
    }
    let typed = try rows(of: Log.AuthorMonths(mode: mode))
    #expect(typed.map(\.count) == [2, 3])
    #expect(try typed == rows(of: Log.NamedMonths(mode: mode)))
  }

  @Test func structByHandIsWrittenAndRead() throws {
    struct Months: Projection {
      let name = "months"
      let version = 1
      let mode = ProjectionMode.inline
      let entities: [DerivedEntity] = [.init(RecipeMonth.self)]

      func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
        for id in commit.inserted(Recipe.self) {
          guard let type = try commit.after.require(id).type else { continue }
          try rows.update(RecipeMonth.key(type: type, month: commit.time.month)) { $0.recipes += 1 }
        }
      }
    }
    let model = try Model(Recipe.self, RecipeType.self, Ingredient.self, Tag.self, Photo.self)
    try withStore(Months(), model: model) { store in
      let dessert = try store.write { tx in
        let dessert = try tx.insert(RecipeType(name: "Dessert"))
        for name in ["Pie", "Tart"] { try tx.insert(Recipe(name: name, type: dessert)) }
        return dessert
      }
      let row = try #require(store.fetch(RecipeMonth.where { $0.type.name == "Dessert" }).rows.first)
      #expect((row.type, row.recipes, row.last) == (dessert, 2, nil))
    }
  }

  /// A projection that calls a closure with the rows for each commit that is not of a model.
  private struct Trial: Projection {
    let name = "trial"
    let version = 1
    let mode = ProjectionMode.inline
    let entities: [DerivedEntity] = [.init(AuthorMonth.self), .init(AuthorTotal.self)]
    let body: @Sendable (borrowing AppliedCommit, borrowing DerivedRows) throws -> Void

    func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
      if !commit.isModel { try body(commit, rows) }
    }
  }

  /// Runs a closure in the only commit of a store, and returns the reason why it was refused.
  private func refusal(
    _ body: @escaping @Sendable (borrowing AppliedCommit, borrowing DerivedRows) throws -> Void
  ) throws -> String? {
    try withStore(Trial(body: body)) { store in
      try store.write(author: "anna", message: "one") { _ = try $0.insert(Author(name: "Emma")) }
      return try store.projection("trial").quarantine().first?.reason
    }
  }

  @Test func whatWasWrittenIsReadBackAtOnce() throws {
    let reason = try refusal { commit, rows in
      let author = try #require(commit.inserted(Author.self).first)
      #expect(try commit.before.get(author) == nil)
      #expect(throws: StoreError.self) { try commit.before.require(author) }
      #expect(commit.author == "anna" && commit.message == "one" && commit.position == 2 && commit.eventCount == 1)
      #expect(commit.metadata == CommitMetadata())
      let key = AuthorMonth.key(author: author, month: "2026-01")
      #expect(try rows.get(key) == nil)
      try rows.put(AuthorMonth(author: author, month: "2026-01", commits: 3))
      #expect(try rows.get(key)?.commits == 3)
      let many = AuthorMonth.where { $0.commits > 2 && $0.author.name == "Emma" }
      #expect(try rows.fetch(many).rows.map(\.id) == [rows.id(of: key)])
      try rows.update(key) { $0.commits = 1 }
      #expect(try rows.fetch(many).rows.isEmpty)
      try rows.update(AuthorTotal.key(author: author)) { #expect($0.monthCount == 0 && $0.commits == 0) }
      try rows.update(key) { $0.total = try rows.id(of: AuthorTotal.key(author: author)) }
      #expect(try rows.get(AuthorTotal.key(author: author))?.commits == 1)
      #expect(try rows.delete(key))
      #expect(try !rows.delete(key))
      #expect(try rows.get(AuthorTotal.key(author: author))?.monthCount == 0)
      try rows.put(AuthorMonth(author: author, month: "2026-01"))
      #expect(try rows.fetch(AuthorMonth.all).rows.map(\.commits) == [0])
    }
    #expect(reason == nil)
  }

  /// A request within a commit makes events of what was written so far; the difference of the commit is the net one.
  @Test func requestsWithinACommitLeaveItsNetDifference() throws {
    let trial = Trial { commit, rows in
      let (lasting, passing) = (AuthorMonth.key(author: nil, month: "a"), AuthorMonth.key(author: nil, month: "b"))
      for step in 1...3 {
        try rows.update(lasting) { $0.commits += step }
        try rows.update(passing) { $0.commits = step }
        #expect(try rows.fetch(AuthorMonth.where { $0.commits == step }).count >= 1)
        #expect(try rows.delete(passing))
        #expect(try rows.fetch(AuthorMonth.all).count == 1)
      }
    }
    try withStore(trial) { store in
      for name in ["Emma", "Paul"] { try store.write { _ = try $0.insert(Author(name: name)) } }
      let row = try #require(store.fetch(AuthorMonth.all).rows.first)
      #expect(row.commits == 12)
      let path = RowPath(section: 0, row: 0)
      let inserted = try store.difference(of: AuthorMonth.all, from: 1, to: 2)
      #expect(inserted.difference.rows == [.insert(row.id, to: path)])
      let updated = try store.difference(of: AuthorMonth.all, from: 2, to: 3)
      #expect(updated.difference.rows == [.update(row.id, from: path, to: path)])
    }
  }

  @Test func keyOfARowIsNotChangedByAnUpdate() throws {
    let reason = try refusal { _, rows in
      try rows.update(AuthorMonth.key(author: nil, month: "2026-01")) { $0.month = "2026-02" }
    }
    #expect(reason?.contains("AuthorMonth.month is in the key of the row, which cannot be changed") == true)
  }

  @Test func linksToManyObjectsAreNoPartOfARow() throws {
    let reason = try refusal { _, rows in
      let month = try rows.id(of: AuthorMonth.key(author: nil, month: "2026-01"))
      try rows.put(AuthorTotal(author: nil, months: [month]))
    }
    #expect(reason?.contains("AuthorTotal.months leads to many objects") == true)
  }

  /// A row keeps the id of a target that does not exist, and an update of another property does not lose it.
  @Test func linkToADeletedObjectOutlastsAnUpdate() throws {
    let trial = Trial { commit, rows in
      let key = AuthorMonth.key(author: nil, month: "2026-01")
      for id in commit.inserted(Revision.self) { try rows.update(key) { $0.largest = id } }
      try rows.update(key) { $0.commits += 1 }
    }
    try withStore(trial) { store in
      let revision = try store.write { try $0.insert(Revision(timeStamp: Self.march)) }
      try store.write { try $0.delete(revision) }
      #expect(try store.fetch(AuthorMonth.all).rows.map(\.largest) == [nil])
      _ = try store.undo(.last())
      #expect(try store.fetch(AuthorMonth.all).rows.map(\.largest) == [revision])
      #expect(try store.fetch(AuthorMonth.all).rows.map(\.commits) == [3])
    }
  }

  @Test func removedEntityHasNoChanges() throws {
    let trial = Trial { commit, rows in
      try rows.update(AuthorMonth.key(author: nil, month: "all")) {
        $0.commits += commit.inserted(Revision.self).count + commit.deleted(Revision.self).count
      }
    }
    let model = Model(entities: [
      Entity(name: "Author", nameAttribute: "name", attributes: [try Attribute("name", as: String.self)]),
      Entity(name: "Revision", attributes: [try Attribute("size", as: Int.self)]),
    ])
    try withStore(trial, model: model) { store in
      let id = try store.write { try $0.insert("Revision", ["size": 1]) }
      try store.write { try $0.delete(id) }
      #expect(try store.fetch(AuthorMonth.all).rows.map(\.commits) == [2])
      try store.apply(Model(entities: [model.entities[0]]))
      try store.write { _ = try $0.insert("Author", ["name": "Emma"]) }
      #expect(try store.fetch(AuthorMonth.all).rows.map(\.commits) == [2])
    }
  }

  @Test func structThatCannotBeDeclaredIsReportedWhenTheStoreOpens() throws {
    struct Sums: Projection {
      let name = "sums"
      let version = 1
      let entities: [DerivedEntity] = [.init(Sum.self)]

      func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) {}
    }
    let error = try #require(throws: StoreError.self) { try withStore(Sums()) { _ in } }
    #expect(error.code == .badModel)
    #expect(error.message.contains("Sum of the projection sums cannot be declared: "), "\(error)")
    #expect(error.message.contains("total.nowhere:sideways"), "\(error)")
  }

  @Test func monthsAndDaysAreOfUTCOrOfATimeZone() throws {
    let time = Self.january
    #expect((time.year, time.month, time.week, time.day) == ("2026", "2026-01", "2026-W05", "2026-01-31"))
    let rome = try #require(TimeZone(secondsFromGMT: 3_600))
    #expect(time.month(in: rome) == "2026-02" && time.day(in: rome) == "2026-02-01")
    #expect(time.year(in: rome) == "2026" && time.week(in: rome) == "2026-W05")
    let early = try #require(Timestamp("-0044-03-15T12:00:00Z"))
    #expect(early.year == "-0044" && early.month == "-0044-03")
  }
}

/// An entity whose index cannot be read.
@Index("total.nowhere:sideways") @Entity private struct Sum {
  @Key var key: String
  var total = 0
}

#endif
