import Daybook
import DaybookModel
import DaybookTestSupport
import Testing

@Suite("Grouped requests", .hangLimit) struct GroupedRequestTests {
  /// Books of two authors and of none.
  private func withBooks(_ body: (Store, _ jane: Author.ID, _ books: [Book.ID]) throws -> Void) throws {
    try withTemporaryStore(.library) { store in
      let (jane, books) = try store.write { tx in
        let jane = try tx.insert(Author(name: "Jane"))
        let anne = try tx.insert(Author(name: "Anne"))
        return (
          jane,
          [
            try tx.insert(Book(title: "Emma", pages: 300, author: jane)),
            try tx.insert(Book(title: "Persuasion", pages: 200, author: jane)),
            try tx.insert(Book(title: "Agnes Grey", pages: 250, author: anne)),
            try tx.insert(Book(title: "Beowulf", pages: 100)),
          ]
        )
      }
      try body(store, jane, books)
    }
  }

  private func rows(_ results: Results<Group<Book>>) -> [String] {
    results.rows.map { ($0.key + $0.values.map(\.value)).map(\.text).joined(separator: " ") }
  }

  @Test("A group has its key and its values, and groups are in the order of their keys, nil first")
  func groups() throws {
    try withBooks { store, _, _ in
      let request = Book.all.grouped(by: \.author.name) {
        ($0.count, $0.sum(\.pages), $0.average(\.pages), $0.min(\.title), $0.max(\.title), $0.distinct(\.pages))
      }
      let results = try store.fetch(request)
      #expect(
        rows(results) == [
          " 1 100 100.0 Beowulf Beowulf 1", "Anne 1 250 250.0 Agnes Grey Agnes Grey 1",
          "Jane 2 500 250.0 Emma Persuasion 2",
        ])
      #expect(results.rows[0].key == [.null])
      #expect(results.rows[2]["sum:pages"] == 500)
      #expect(try store.count(request) == 3)
    }
  }

  @Test("Conditions, order, sections and windows are about groups, and conditions of the request about objects")
  func conditions() throws {
    try withBooks { store, _, _ in
      let byAuthor = Book.where { $0.pages > 100 }.grouped(by: \.author.name) { ($0.count, $0.sum(\.pages)) }
      #expect(rows(try store.fetch(byAuthor.sorted(by: \.count, .descending))) == ["Jane 2 500", "Anne 1 250"])
      #expect(rows(try store.fetch(byAuthor.having { $0.sum(\.pages) > 300 })) == ["Jane 2 500"])
      #expect(rows(try store.fetch(byAuthor.having("count = 1 AND author.name BEGINSWITH \"A\""))) == ["Anne 1 250"])
      #expect(rows(try store.fetch(byAuthor.sorted(by: { $0.key(0) }, .descending).limited(to: 1))) == ["Jane 2 500"])
      let sections = try store.fetch(byAuthor.sectioned(.descending)).sections
      #expect(sections.map(\.name) == ["Jane", "Anne"])
    }
  }

  @Test("Texts name values and keys as they stand, rename them, and choose the order of the objects")
  func texts() throws {
    try withBooks { store, _, _ in
      var request = try Request(entity: "Book", sort: [SortTerm(parsing: "pages:desc")])
        .grouped(by: ["author.name", "title.initial"], showing: ["first:title, total = sum:pages", "`a b` = count"])
        .having("`a b` >= 1 AND total > 150")
      request.sort = [try SortTerm(parsingGroups: "total:desc"), try SortTerm(parsingGroups: "title.initial")]
      let results = try store.fetch(request)
      #expect(
        results.rows.map { ($0.key + $0.values.map(\.value)).map(\.text) } == [
          ["Jane", "E", "Emma", "300", "1"], ["Anne", "A", "Agnes Grey", "250", "1"],
          ["Jane", "P", "Persuasion", "200", "1"],
        ])
      #expect(results.rows[0].values.map(\.name) == ["first:title", "total", "a b"])
    }
  }

  @Test("Without keys there is one group, also of no objects, from the first position on")
  func oneGroup() throws {
    try withTemporaryStore(.library) { store in
      let all = Book.all.grouped { ($0.count, $0.sum(\.pages), $0.average(\.pages)) }
      #expect(rows(try store.fetch(all)) == ["0 0 "])
      let change = try store.difference(of: all, from: 0, to: 1)
      #expect(change.difference.rows.count == 1 && change.difference.rows[0].from == nil)
      let book = try store.write { try $0.insert(Book(title: "Emma", pages: 7)) }
      let update = try store.difference(of: all, from: 1)
      guard case .update(let id, _, _) = try #require(update.difference.rows.first) else {
        Issue.record("The group is updated, not \(update.difference.rows).")
        return
      }
      #expect(update.key(of: id) == [])
      #expect(update.causes[id] == [2])
      #expect(try update.rows().map { $0["sum:pages"] } == [7])
      try store.write { try $0.delete(book) }
      #expect(rows(try store.fetch(all)) == ["0 0 "])
      #expect(try rows(store.at(2).fetch(all)) == ["1 7 7.0"])
      var steps = try store.replay(of: all)
      var causes: [[Position]] = []
      while let step = try steps.next() { causes.append(step.causes.values.flatMap { $0 }) }
      #expect(causes == [[], [2], [3]])
    }
  }

  @Test("A live result of groups moves with commits: groups appear, change, move and vanish")
  func live() throws {
    try withBooks { store, jane, books in
      let request = Book.all.grouped(by: \.author.name) { ($0.count, $0.max(\.pages)) }
        .sorted(by: \.count, .descending)
      let live = try store.liveResults(of: request)
      #expect(try live.rows(in: 0..<9).map(\.key) == [["Jane"], [.null], ["Anne"]])
      // Jane's longest book has no author any more.
      try store.write { try $0.unrelate(books[0], \.author, from: jane) }
      let change = try #require(try live.update())
      let group = try #require(try live.id(at: RowPath(section: 0, row: 0)))
      #expect(change.key(of: group) == [.null])
      #expect(try live.rows(in: 0..<9).map { $0.values.map(\.value) } == [[2, 300], [1, 250], [1, 200]])
      #expect(change.causes[group] == [3])
      // A change that no shown value shows changes no group.
      try store.write { try $0.set(books[0], \.subtitle, "x") }
      #expect(try live.update() == nil)
      try store.write { try $0.set(jane, \.name, "Anne") }
      let merged = try #require(try live.update())
      #expect(try live.rows(in: 0..<9).map(\.key) == [[.null], ["Anne"]])
      #expect(merged.difference.rows.contains { $0.to == nil })
      for row in merged.difference.rows { #expect(merged.key(of: row.id) != nil) }
      _ = try live.move(to: 2)
      #expect(try live.rows(in: 0..<9).map(\.key) == [["Jane"], [.null], ["Anne"]])
    }
  }

  @Test("Groups are read in a write and in a context with what was changed there")
  func pending() throws {
    try withBooks { store, jane, books in
      let request = Book.all.grouped(by: \.author.name) { $0.sum(\.pages) }
      try store.write { tx in
        try tx.set(books[0], \.pages, 1)
        #expect(try tx.fetch(request).rows.map { $0["sum:pages"] } == [100, 250, 201])
      }
      let context = try store.makeContext()
      let live = try context.liveResults(of: request)
      try context.set(books[3], \.pages, 9)
      _ = try live.update()
      #expect(try live.rows(in: 0..<9).map { $0["sum:pages"] } == [9, 250, 201])
    }
  }

  @Test("An append condition on groups names the commits that changed them")
  func condition() throws {
    try withBooks { store, jane, books in
      let request = Book.all.grouped(by: \.author.name) { $0.count }
      try store.write { try $0.set(books[0], \.pages, 1) }
      try store.write(CommitInfo(when: .unchanged(request, since: 2))) { try $0.set(books[0], \.pages, 2) }
      try store.write { try $0.delete(books[1]) }
      let error = #expect(throws: StoreError.self) {
        try store.write(CommitInfo(when: .unchanged(request, since: 2))) { try $0.set(books[0], \.pages, 3) }
      }
      #expect(error?.code == .conditionFailed)
    }
  }

  @Test(
    "What cannot be grouped is refused at its place",
    arguments: [
      (["chapters"], ["count"], "", "leads to many values"), (["reviews"], ["count"], "", "no order"),
      (["title", "title"], ["count"], "", "twice"), (["title"], ["sum:title"], "", "cannot be added"),
      (["title"], ["sum:chapters.length"], "", "leads to many values"), (["title"], ["sum"], "", "is of a value"),
      (["title"], ["median:pages"], "", "is not computed"), (["title"], ["count", "count"], "", "two values"),
      (["title"], ["max:reviews"], "", "no order"), (["title.month"], ["count"], "", "a date"),
      (["titel"], ["count"], "", "did you mean"), (["title"], ["count:pages"], "", "has no path"),
      (["title", "pages", "subtitle", "genre", "author"], ["count"], "", "4 are allowed"),
      (["title"], ["count"], "sum:pages > 3", "neither shown"), (["title"], ["count"], "title.x == 3", "neither shown"),
      (["title"], ["count"], "count >", "is expected"), (["title"], ["`x = count"], "", "no end"),
    ])
  func refusals(_ keys: [String], _ values: [String], _ having: String, _ reason: String) throws {
    try withTemporaryStore(.library) { store in
      func fetch() throws {
        var request = try Request(entity: "Book").grouped(by: keys, showing: values)
        if !having.isEmpty { request = try request.having(having) }
        _ = try store.fetch(request)
      }
      let error = #expect(throws: (any Error).self) { try fetch() }
      let text = "\(try #require(error))"
      #expect(text.contains(reason) && text.contains("^"), "\(text)")
    }
  }

  @Test("A sum beyond its type fails where it is read, names group and value, and refuses no write")
  func overflow() throws {
    try withTemporaryStore(.library) { store in
      try store.write { tx in
        for title in ["A", "B"] { _ = try tx.insert(Book(title: title, pages: .max)) }
      }
      let request = Book.all.grouped(by: \.subtitle) { $0.sum(\.pages) }
      let error = #expect(throws: StoreError.self) { try store.fetch(request) }
      #expect(error?.code == .badValue)
      #expect(error?.message.contains("sum:pages") == true)
      #expect(try store.fetch(Book.all.grouped(by: \.title) { $0.sum(\.pages) }).count == 2)
      #expect(try store.fetch(Book.all.grouped { $0.average(\.pages) }).rows[0]["average:pages"] == .double(0x1p63))
    }
  }

  @Test("A field behind a link that has the name of a transform is followed as the field")
  func fieldNamedAsTransform() throws {
    let model = Model(entities: [
      Entity(
        name: "Model",
        attributes: [Attribute(name: "year", type: .integer), Attribute(name: "initial", type: .string)],
        relationships: [Relationship(name: "cars", target: "Car", inverse: "model", isMany: true)]),
      Entity(
        name: "Car", relationships: [Relationship(name: "model", target: "Model", inverse: "cars", isOptional: true)]),
    ])
    try withTemporaryStore(model) { store in
      let (kind, car) = try store.write { tx in
        let kind = try tx.insert("Model", ["year": 1999, "initial": "Zed"])
        let car = try tx.insert("Car")
        try tx.relate(car, "model", to: kind)
        return (kind, car)
      }
      var request = try Request(entity: "Car").grouped(by: ["model.year"])
      let live = try store.liveResults(of: request)
      #expect(try live.rows(in: 0..<2).map(\.key) == [[1999]])
      try store.write { try $0.set(kind, ["year": 2001]) }
      #expect(try live.update()?.difference.rows.count == 2)
      try store.write { try $0.delete(car) }
      _ = try live.update()
      #expect(try live.count == 0)
      request = try Request(entity: "Car").grouped(by: ["model.initial"])
      request.section = SectionKey(path: ["model"], transform: .initial)
      #expect(try store.at(3).fetch(request).sections.map(\.name) == ["Zed"])
    }
  }

  @Test("Requests that are followed together show their own groups, though keys are equal")
  func lockStep() throws {
    try withBooks { store, _, _ in
      func request(_ filter: String) throws -> FetchRequest {
        var request = Request(entity: "Book")
        request.filter = try Filter(parsing: filter)
        return try request.grouped(by: ["author.name"]).untyped.fetch
      }
      let requests = [try request("pages > 220"), try request("pages <= 220")]
      let poller = FeedPoller(store.together(requests.map { .rows(of: $0) }, from: FeedCursor(1), showing: 2))
      let step = try #require(try poller.poll())
      let shown = try #require(step.shown)
      func counts(_ request: FetchRequest) -> [Value] {
        (step.change(of: request)?.difference.rows ?? []).compactMap { shown.object($0.id, in: request)?["count"] }
      }
      #expect(counts(requests[0]) == [1, 1])
      #expect(counts(requests[1]) == [1, 1])
    }
  }

  @Test("A change of groups has the cursor of its commit, and keys and causes while an order is frozen")
  func cursorsAndFrozenOrders() throws {
    try withBooks { store, _, books in
      let request = Book.all.grouped(by: \.author.name) { $0.sum(\.pages) }.sorted(by: { $0.sum(\.pages) })
      let live = try store.liveResults(of: request)
      try live.freezeOrder()
      try store.write { try $0.set(books[3], \.pages, 999) }
      let change = try #require(try live.update())
      #expect(change.cursor.description.contains("-"))
      for row in change.difference.rows { #expect(change.key(of: row.id) != nil) }
      let thawed = try #require(try live.thawOrder())
      for row in thawed.difference.rows { #expect(thawed.key(of: row.id) != nil) }
    }
  }

  @Test("Groups are not written, and an edit that no sum can hold leaves results that a later update resets")
  func refusedEdits() throws {
    try withBooks { store, _, books in
      let request = Book.all.grouped { $0.sum(\.pages) }
      let error = #expect(throws: StoreError.self) { try store.write { try $0.delete(where: request) } }
      #expect(error?.code == .badRequest)
      let context = try store.makeContext()
      let live = try context.liveResults(of: request)
      try context.set(books[0], \.pages, .max)
      #expect(throws: StoreError.self) { try live.update() }
      try context.set(books[0], \.pages, 1)
      #expect(try live.update()?.isReset == true)
      #expect(try live.rows(in: 0..<1).map { $0["sum:pages"] } == [551])
    }
  }

  @Test("Steps before a commit whose sum has no value are delivered, and then the error")
  func stepsBeforeAnError() throws {
    try withBooks { store, _, books in
      for pages in [1, 2, Int.max, 3] { try store.write { try $0.set(books[0], \.pages, pages) } }
      let request = Book.all.grouped { $0.sum(\.pages) }
      var replay = try store.replay(of: request)
      var count = 0
      let error = #expect(throws: StoreError.self) { while try replay.next() != nil { count += 1 } }
      #expect(error?.code == .badValue && count == 4)
      let live = try store.liveResults(of: request, granularity: .everyCommit)
      #expect(try live.rows(in: 0..<1).map { $0["sum:pages"] } == [553])
    }
  }
}
