import DaybookModel
import DaybookTestSupport
import LMDB
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

@Suite("Declared groups", .hangLimit) struct KeptGroupTests {
  private func model(_ groups: [GroupDeclaration], title: String = "title", type: AttributeType = .integer) -> Model {
    Model(entities: [
      Entity(
        name: "Author", attributes: [Attribute(name: "name", type: .string)],
        relationships: [Relationship(name: "books", target: "Book", inverse: "author", isMany: true)]),
      Entity(
        name: "Book",
        attributes: [
          Attribute(name: title, renamedFrom: title == "title" ? nil : "title", type: .string),
          Attribute(name: "pages", type: type, isOptional: true),
          Attribute(name: "due", type: .date, isOptional: true),
        ],
        relationships: [Relationship(name: "author", target: "Author", inverse: "books", isOptional: true)],
        groups: groups),
    ])
  }

  private let byAuthor = GroupDeclaration(
    "byAuthor", by: ["author.name"], show: ["count", "sum:pages", "min:title", "distinct:pages", "last:title"])

  /// Three books of two authors, and one of none.
  private func withBooks(
    _ groups: [GroupDeclaration], _ body: (Store, _ authors: [ObjectID], _ books: [ObjectID]) throws -> Void
  ) throws {
    try withTemporaryStore(model(groups)) { store in
      let (authors, books) = try store.write { tx in
        let authors = try ["Anne", "Jane"].map { try tx.insert("Author", ["name": .string($0)]) }
        let titles = [("Emma", 300, 1), ("Persuasion", 200, 1), ("Agnes Grey", 200, 0), ("Beowulf", 100, nil)]
        // The last value is by the ids.
        let books = try titles.enumerated().map { number, book in
          let id = ObjectID(high: 1, low: UInt64(number))
          try tx.insert("Book", ["title": .string(book.0), "pages": .integer(Int64(book.1))], id: id)
          if let author = book.2 { try tx.relate(id, "author", to: authors[author]) }
          return id
        }
        return (authors, books)
      }
      try body(store, authors, books)
    }
  }

  private func grouped(_ values: [String], by keys: [String] = ["author.name"]) throws -> Request<Group<StoredObject>> {
    try Request(entity: "Book").grouped(by: keys, showing: values)
  }

  private func texts(_ reader: some ObjectReader, _ request: Request<Group<StoredObject>>) throws -> [String] {
    try reader.fetch(request).rows.map { ($0.key + $0.values.map(\.value)).map(\.text).joined(separator: " ") }
  }

  @Test("Kept groups follow inserts, changes behind links, moved links and deletes")
  func changes() throws {
    try withBooks([byAuthor]) { store, authors, books in
      let request = try grouped(byAuthor.values)
      #expect(try store.explain(request).hasPrefix("groups Book.byAuthor: "))
      #expect(
        try texts(store, request) == [
          " 1 100 Beowulf 1 Beowulf", "Anne 1 200 Agnes Grey 1 Agnes Grey", "Jane 2 500 Emma 2 Persuasion",
        ])
      try store.write { tx in
        try tx.set(authors[0], ["name": "Zoe"])
        try tx.set(books[0], ["pages": .null])
        try tx.delete(books[3])
      }
      #expect(try texts(store, request) == ["Jane 2 200 Emma 1 Persuasion", "Zoe 1 200 Agnes Grey 1 Agnes Grey"])
      try store.write { try $0.relate(books[1], "author", to: authors[0]) }
      #expect(try texts(store, request) == ["Jane 1 0 Emma 0 Emma", "Zoe 2 400 Agnes Grey 1 Agnes Grey"])
      try store.write { try $0.delete(authors[1]) }
      #expect(try texts(store, request).map { $0.prefix(4) } == [" 1 0", "Zoe "])
      #expect(try store.count(request) == 2)
      #expect(try store.verify().isSound)
    }
  }

  @Test("A request is answered from kept groups if they have its objects, keys and values")
  func matching() throws {
    let byMonth = GroupDeclaration("byMonth", by: ["due.month", "author"], show: ["count", "max:due", "first:title"])
    try withBooks([byAuthor, byMonth]) { store, _, _ in
      func plan(_ request: Request<Group<StoredObject>>) throws -> String { try store.explain(request) }
      #expect(try plan(grouped(["sum:pages", "distinct:pages"])).hasPrefix("groups Book.byAuthor: "))
      #expect(try plan(grouped(["total = sum:pages"])).hasPrefix("groups Book.byAuthor: "))
      #expect(try plan(grouped(["sum:pages", "count"])).hasPrefix("all groups Book.byAuthor: "))
      #expect(try texts(store, grouped(["sum:pages", "count"])) == [" 100 1", "Anne 200 1", "Jane 500 2"])
      #expect(try plan(grouped(["max:pages"])).hasSuffix("in one pass"))
      #expect(try plan(grouped(["count"], by: ["due.month", "author"])).hasPrefix("groups Book.byMonth: "))
      #expect(try plan(grouped(["count"], by: ["author", "due.month"])).hasSuffix("in one pass"))
      var zoned = try grouped(["count"], by: ["due.month", "author"])
      zoned.timeZone = "Europe/Rome"
      #expect(try plan(zoned).hasSuffix("in one pass"))
      var filtered = try Request(entity: "Book").grouped(by: ["author.name"], showing: ["count"])
      filtered.filter = try Filter(parsing: "pages > 1")
      #expect(try plan(filtered).hasSuffix("in one pass"))
      let ordered = try Request(entity: "Book", sort: [SortTerm(parsing: "pages")])
      #expect(try plan(ordered.grouped(by: ["author.name"], showing: ["last:title"])).hasSuffix("in one pass"))
      #expect(try plan(ordered.grouped(by: ["author.name"], showing: ["count"])).hasPrefix("groups Book.byAuthor: "))
    }
  }

  @Test("Groups are built when a model adds them, follow renamed fields, and leave nothing when they are removed")
  func evolution() throws {
    try withBooks([]) { store, _, books in
      let request = try grouped(["count", "min:title"])
      let before = try texts(store, request)
      let added = try store.apply(model([byAuthor]))
      #expect(added.steps.contains { $0.hasPrefix("add groups Book byAuthor by [author.name]") })
      #expect(try store.explain(request).hasPrefix("groups Book.byAuthor: "))
      #expect(try texts(store, request) == before)
      // Before the declaration one pass has the same answer.
      let past = store.at(Position(added.position.number - 1))
      #expect(try texts(past, request) == before)
      #expect(try past.explain(request).hasSuffix("in one pass"))
      var renamed = byAuthor
      renamed.name = "authors"
      renamed.values = renamed.values.map { $0.replacing("title", with: "heading") }
      let steps = try store.apply(model([renamed], title: "heading")).steps
      #expect(steps.contains("rename groups Book byAuthor to authors"))
      #expect(!steps.contains { $0.hasPrefix("add") || $0.hasPrefix("remove") })
      let heading = try grouped(["count", "min:heading"])
      #expect(try store.explain(heading).hasPrefix("groups Book.authors: "))
      try store.write { try $0.set(books[0], ["heading": "A"]) }
      #expect(try texts(store, heading).last == "Jane 2 A")
      #expect(try store.verify().isSound)
      #expect(
        try store.apply(model([], title: "heading")).steps.contains { $0.hasPrefix("remove groups Book authors") })
      #expect(try store.explain(heading).hasSuffix("in one pass"))
      #expect(try texts(store, heading).last == "Jane 2 A")
      #expect(try store.verify().isSound)
    }
  }

  @Test("Positions before and after the declaration are read from snapshots of either side")
  func snapshots() throws {
    try withBooks([]) { store, _, books in
      let request = try grouped(byAuthor.values)
      let declared = try store.apply(model([byAuthor])).position
      for pages in [1, 2, 3] { try store.write { try $0.set(books[0], ["pages": .integer(Int64(pages))]) } }
      let head = try store.position
      let expected = try (2...head.number).map { try texts(store.at(Position($0)), request) }
      #expect(try texts(store, request) == expected.last)
      for position in [Position(declared.number - 1), declared.next] {
        #expect(try store.makeSnapshot(at: position))
        #expect(try (2...head.number).map { try texts(store.at(Position($0)), request) } == expected)
      }
      let results = try store.liveResults(of: request)
      for number in [2, head.number, declared.number - 1, declared.number, 2] {
        _ = try results.move(to: Position(number))
        let shown = try results.fetched().rows.map {
          ($0.key + $0.values.map(\.value)).map(\.text).joined(separator: " ")
        }
        #expect(shown == expected[Int(number) - 2])
      }
    }
  }

  @Test("A sum that no integer can hold refuses no write, and is an error of requests that show it")
  func overflow() throws {
    try withBooks([byAuthor]) { store, _, books in
      let request = try grouped(["count", "sum:pages"])
      try store.write { try $0.set(books[0], ["pages": .integer(.max)]) }
      let error = #expect(throws: StoreError.self) { try texts(store, request) }
      #expect(error?.code == .badValue)
      #expect(error?.message.contains("“sum:pages” of the group “Jane”") == true)
      #expect(try texts(store, grouped(["count"])) == [" 1", "Anne 1", "Jane 2"])
      try store.write { try $0.set(books[0], ["pages": 1]) }
      #expect(try texts(store, request) == [" 1 100", "Anne 1 200", "Jane 2 201"])
      #expect(try store.verify().isSound)
    }
  }

  @Test("The least and the greatest of strings that are equal beyond what a key holds are told apart")
  func longStrings() throws {
    let groups = GroupDeclaration("byPages", by: ["pages"], show: ["min:title", "max:title", "distinct:title"])
    try withBooks([groups]) { store, _, books in
      let long = String(repeating: "x", count: 700)
      let request = try grouped(groups.values, by: ["pages"])
      try store.write { tx in
        for (number, book) in books.enumerated() {
          try tx.set(book, ["pages": 1, "title": .string("\(long)\(number)")])
        }
      }
      #expect(try texts(store, request) == ["1 \(long)0 \(long)3 4"])
      try store.write { tx in
        try tx.set(books[0], ["title": .string("\(long)9")])
        try tx.set(books[3], ["title": .string("\(long)2")])
      }
      #expect(try texts(store, request) == ["1 \(long)1 \(long)9 3"])
      let key = try grouped(["count"], by: ["title"])
      #expect(try store.fetch(key).rows.map { $0["count"] } == [1, 2, 1])
      #expect(try store.verify().isSound)
    }
  }

  @Test(
    "A wrong declaration is refused with its place and a remedy",
    arguments: [
      (GroupDeclaration("", by: ["title"]), "name"),
      (GroupDeclaration("g", by: []), "by: is empty"),
      (GroupDeclaration("g", by: ["title", "pages", "due", "author", "id"]), "has 5 members; 4 are allowed"),
      (GroupDeclaration("g", by: ["nope"]), "no attribute or relationship “nope”"),
      (GroupDeclaration("g", by: ["title", "title"]), "“title” is there twice"),
      (GroupDeclaration("g", by: ["title.month"]), "“month” is made of a date"),
      (GroupDeclaration("g", by: ["title"], show: []), "show: is empty"),
      (GroupDeclaration("g", by: ["title"], show: ["sum:title"]), "which cannot be added"),
      (GroupDeclaration("g", by: ["title"], show: ["total:pages"]), "is not computed over groups"),
      (GroupDeclaration("g", by: ["title"], show: ["sum"]), "write it as in sum:name"),
      (GroupDeclaration("g", by: ["title"], show: ["count:title"]), "has no path"),
    ])
  func wrongDeclarations(_ groups: GroupDeclaration, _ message: String) throws {
    let error = #expect(throws: ModelError.self) { try ResolvedModel(creating: model([groups])) }
    #expect(error.map { "\($0)" }?.contains(message) == true, "\(String(describing: error))")
  }

  @Test("A field that groups use cannot be removed without them, and the refusal names them")
  func removedField() throws {
    try withBooks([byAuthor]) { store, _, _ in
      var changed = model([byAuthor])
      changed.entities[1].attributes.removeAll { $0.name == "pages" }
      let error = #expect(throws: StoreError.self) { try store.apply(changed) }
      #expect(error?.code == .badModel)
      #expect(error?.message.contains("Book.groups[0] (byAuthor)") == true)
    }
  }

  @Test("A field that groups use cannot change its type, and the refusal names them")
  func changedType() throws {
    let changed = model([byAuthor], type: .double)
    let error = #expect(throws: ModelError.self) { try ResolvedModel(creating: model([byAuthor])).evolved(to: changed) }
    #expect(error.map { "\($0)" }?.contains("the groups Book.byAuthor use it") == true)
  }

  @Test("A model file has its groups, and the stored form their tags")
  func json() throws {
    let declared = model([byAuthor, GroupDeclaration("byTitle", by: ["title.initial"])])
    let text = declared.text
    #expect(text.contains("\"groups\""))
    #expect(try Model(parsing: Array(text.utf8)) == declared)
    let resolved = try ResolvedModel(creating: declared)
    #expect(resolved.neededVersion == 5)
    let again = try ResolvedModel(stored: resolved.storedJSON)
    #expect(again.storedJSON == resolved.storedJSON)
    #expect(try resolved.evolved(to: declared).isEmpty)
  }

  @Test("Rows of groups that an earlier program did not keep are built again")
  func earlierProgram() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let store = try Store(at: path, model: model([GroupDeclaration("byTitle", by: ["title"])]))
    try store.write { tx in for title in ["a", "b", "b"] { try tx.insert("Book", ["title": .string(title)]) } }
    #expect(try store.format == StoreFormat(version: 5, readableBy: 4))
    let resolved = try store.read { $0.resolvedModel }
    let state = try store.keeper.projectionsEnvironment.withSnapshot {
      try #require(try store.keeper.currentProjections.state(in: $0))
    }
    #expect(!state.lacksGroups(of: resolved))
    store.close()
    // An earlier program writes the state without what only later ones know, and rows of groups as they were before.
    let earlier = Array(state.bytes.dropLast(3))
    let read = BuiltInTablesState(earlier.rawSpan)
    #expect(read?.lacksGroups(of: resolved) == true)
    try RawStore.change(path, "projections") { transaction in
      let states = try #require(try transaction.openTable(BuiltInTablesState.tableName, create: false))
      try transaction.put(BuiltInTablesState.key, earlier, in: states)
      let tables = try #require(try BuiltInTables(state.tableNames, in: &transaction))
      let prefix = RowKey.prefix(of: resolved.entities[1].groups[0].tag)
      var keys: [[UInt8]] = []
      do {
        var cursor = try transaction.snapshot.makeCursor(in: tables.objects)
        var isValid = try cursor.seek(atOrAfter: prefix.rawSpan)
        while isValid, hasPrefix(cursor.key, prefix.rawSpan) {
          keys.append([UInt8](cursor.key))
          isValid = try cursor.moveToNext()
        }
      }
      #expect(keys.count == 2)
      for key in keys { _ = try transaction.delete(key.rawSpan, in: tables.objects) }
    }
    let again = try Store(at: path)
    #expect(try texts(again, grouped(["count"], by: ["title"])) == ["a 1", "b 2"])
    #expect(try again.verify().isSound)
    again.close()
  }
}
