import Daybook
import DaybookTestSupport
import Observation
import Testing

@MainActor @Suite(.hangLimit) struct ObservedResultsTests {
  @Test func theFirstFrameIsCurrentAndLaterOnesFollow() async throws {
    try await withLibrary { store in
      let emma = try writeNow(store) { try $0.insert(Book(title: "Emma")) }
      let books = try ObservedResults(of: Book.all.sorted(by: \.title), in: store)
      #expect(try books.all.map(\.title) == ["Emma"])
      #expect(try store.position == books.position)
      #expect(books.lastChange == nil)
      try writeNow(store) { tx in
        try tx.set(emma, \.pages, 7)
        try tx.insert(Book(title: "Alma"))
      }
      try await wait { books.count == 2 }
      #expect(try books.all.map(\.title) == ["Alma", "Emma"])
      #expect(try books.all.map(\.pages) == [100, 7])
      #expect(try store.position == books.position)
      #expect(books.lastChange?.difference.rows.count == 2)
      try writeNow(store) { try $0.delete(emma) }
      try await wait { books.count == 1 }
    }
  }

  @Test func rowsAreReadWhenTheyAreAskedFor() async throws {
    try await withLibrary { store in
      // A value that does not fit its property is met only where its row is read.
      let ids = try writeNow(store) { tx in
        try (0..<300).map { try tx.insert(Book(title: "\(1_000 + $0)", pages: $0 == 250 ? -1 : $0)) }
      }
      let books = try ObservedResults(of: Wary.all.sorted(by: \.title), in: store)
      #expect(books.count == 300 && books.sections.map(\.count) == [300])
      for row in [0, 49, 50, 199, 299] {
        #expect(try books.row(at: [0, row]).title == "\(1_000 + row)")
        #expect(try books.id(at: [0, row])?.objectID == ids[row].objectID)
      }
      #expect { try books.row(at: [0, 250]) } throws: { ($0 as? StoreError)?.code == .badValue }
      #expect(try books.row(at: [0, 249]).pages == 249)
      #expect { try books.row(at: [0, 300]) } throws: { ($0 as? StoreError)?.code == .notFound }
      #expect { try books.row(at: [1, 0]) } throws: { ($0 as? StoreError)?.code == .notFound }
      #expect(try books.rows(in: 298..<310).map(\.title) == ["1298", "1299"])
      #expect(try books.path(of: EntityID(ids[77].objectID)) == [0, 77])
    }
  }

  @Test func rowsInViewFollowDeletesInsertsAndMovesOfOthers() async throws {
    try await withLibrary { store in
      let ids = try writeNow(store) { tx in
        try (0..<120).map { try tx.insert(Book(title: "\(1_000 + $0)", pages: $0)) }
      }
      let books = try ObservedResults(of: Book.all.sorted(by: \.title), in: store)
      @MainActor func all() throws -> [Record<Book>] { try (0..<books.count).map { try books.row(at: [0, $0]) } }
      #expect(try all() == books.all)
      let writes: [(borrowing Transaction) throws -> Void] = [
        { try $0.delete(ids[3]) }, { try $0.set(ids[60], \.pages, 999) }, { try $0.set(ids[61], \.title, "0") },
        { _ = try $0.insert(Book(title: "1050b")) }, { try $0.set(ids[119], \.title, "1000a") },
      ]
      for write in writes {
        try writeNow(store) { try write($0) }
        let head = try store.position
        try await wait { books.position == head }
        let expected = try store.fetch(Book.all.sorted(by: \.title)).rows
        #expect(try all() == expected)
        #expect(try books.all == expected)
      }
    }
  }

  @Test func readingARowIsObserved() async throws {
    try await withLibrary { store in
      let emma = try writeNow(store) { try $0.insert(Book(title: "Emma")) }
      let books = try ObservedResults(of: Book.all, in: store)
      let isNotified = Locked(false)
      let pages = withObservationTracking {
        try? books.row(at: [0, 0]).pages
      } onChange: {
        isNotified.withLock { $0 = true }
      }
      #expect(pages == 100 && !isNotified.withLock { $0 })
      try writeNow(store) { try $0.set(emma, \.pages, 7) }
      try await wait { books.lastChange != nil }
      #expect(isNotified.withLock { $0 })
      #expect(try books.row(at: [0, 0]).pages == 7)
    }
  }

  @Test func sectionsComeAndGo() async throws {
    try await withLibrary { store in
      let (jane, emma) = try writeNow(store) { tx in
        (try tx.insert(Author(name: "Jane")), try tx.insert(Book(title: "Emma")))
      }
      let request = Book.all.sectioned(by: \.author.name)
      let books = try ObservedResults(of: request, in: store)
      #expect(books.sections.map(\.name) == [""])
      try writeNow(store) { try $0.relate(emma, \.author, to: jane) }
      try await wait { books.sections.map(\.name) == ["Jane"] }
      #expect(try books.rows(inSection: 0, 0..<5).map(\.id) == [emma])
    }
  }

  @Test func rowsThatDidNotChangeReadRelatedObjectsWhereTheResultIs() async throws {
    try await withLibrary { store in
      let (jane, emma) = try writeNow(store) { tx in
        let jane = try tx.insert(Author(name: "Jane"))
        return (jane, try tx.insert(Book(title: "Emma", author: jane)))
      }
      let books = try ObservedResults(of: Book.all.sorted(by: \.title), in: store)
      #expect(try books.row(at: [0, 0]).related(\.author)?.name == "Jane")
      try writeNow(store) { tx in
        try tx.rename(jane, to: "J. A.")
        try tx.insert(Book(title: "Alma"))
      }
      try await wait { books.count == 2 }
      #expect(try books.all[1].id == emma)
      #expect(try books.all[1].related(\.author)?.name == "J. A.")
      #expect(try books.row(at: [0, 1]).related(\.author)?.name == "J. A.")
    }
  }

  @Test func prefetchedObjectsFollow() async throws {
    try await withLibrary { store in
      let jane = try writeNow(store) { tx in
        let jane = try tx.insert(Author(name: "Jane"))
        _ = try tx.insert(Book(title: "Emma", author: jane))
        return jane
      }
      let request = Book.all.showing(\.title, \.author.name).prefetching(\.author)
      let books = try ObservedResults(of: request, in: store)
      #expect(try books.all[0].related(\.author)?.name == "Jane")
      try writeNow(store) { try $0.rename(jane, to: "J. A.") }
      try await wait { books.lastChange != nil }
      #expect(try books.all[0].related(\.author)?.name == "J. A.")
    }
  }

  @Test func aRowIsWhollyOfThePositionWhateverTheRequestShows() async throws {
    try await withLibrary { store in
      let (jane, emma) = try writeNow(store) { tx in
        (try tx.insert(Author(name: "Jane")), try tx.insert(Book(title: "Emma")))
      }
      let writes: [(borrowing Transaction) throws -> Void] = [
        { try $0.set(emma, \.pages, 7) }, { try $0.relate(emma, \.author, to: jane) },
        { try $0.set(emma, \.subtitle, "A novel") }, { try $0.unrelate(emma, \.author, from: jane) },
        { try $0.set(emma, \.title, "Emma!") }, { try $0.set(emma, \.pages, 8) },
      ]
      let requests = [Book.all.sorted(by: \.title), Book.all.showing(\.title), Book.all.showing(\.author.name)]
      let context = try store.makeContext()
      let all = try requests.map { try ObservedResults(of: $0, in: store) }
      let edited = try requests.map { try ObservedResults(of: $0, in: context) }
      for write in writes {
        try writeNow(store) { try write($0) }
        let head = try store.position
        for (books, request) in zip(all, requests) {
          try await wait { books.position == head }
          #expect(try books.all == (try store.fetch(request)).rows)
          #expect(books.lastChange?.difference.rows.count == 1)
        }
        try context.rebase()
        for books in edited {
          try await wait { books.position == head }
          #expect(try books.all == all[0].all)
        }
      }
      try context.set(emma, \.pages, 9)
      for books in edited { try await wait { try books.all.first?.pages == 9 } }
      // A preview names the requests as they were written.
      let change = try #require(try context.preview().differences[requests[0].untyped])
      #expect(change.difference.rows.count == 1)
      // Its rows are of no position.
      #expect { try change.rows() } throws: { ($0 as? StoreError)?.code == .badRequest }
    }
  }

  @Test func anotherRequestIsFollowedFromThenOn() async throws {
    try await withLibrary { store in
      try writeNow(store) { tx in
        for title in ["a", "b"] { try tx.insert(Book(title: title)) }
      }
      let books = try ObservedResults(of: Book.all.sorted(by: \.title), in: store)
      try books.change(to: Book.all.sorted(by: \.title, .descending))
      #expect(try books.all.map(\.title) == ["b", "a"])
      #expect(books.lastChange?.difference.rows.isEmpty == false)
      try writeNow(store) { _ = try $0.insert(Book(title: "c")) }
      try await wait { books.count == 3 }
      #expect(try books.all.map(\.title) == ["c", "b", "a"])
    }
  }

  @Test func aFormFollowsItsContext() async throws {
    try await withLibrary { store in
      let jane = try writeNow(store) { try $0.insert(Author(name: "Jane")) }
      let context = try store.makeContext()
      let books = try ObservedResults(of: Book.all.sorted(by: \.title), in: context)
      #expect(try books.all.isEmpty)
      let emma = try context.insert(Book(title: "Emma", author: jane))
      try await wait { books.count == 1 }
      #expect(try books.all[0].related(\.author)?.name == "Jane")
      try context.set(emma, \.pages, 7)
      try await wait { try books.all.first?.pages == 7 }
      try context.rename(jane, to: "J. A.")
      #expect(try books.all[0].related(\.author)?.name == "J. A.")
      let alma = try context.insert(Book(title: "Alma"))
      try await wait { books.count == 2 }
      #expect(try books.all.map(\.id) == [alma, emma])
      #expect(try books.lastChange?.rows().map(\.title) == ["Alma"])
      try books.change(to: Book.where { $0.pages > 50 })
      #expect(try books.all.map(\.title) == ["Alma"])
      #expect(books.lastChange?.isReset == true)
      _ = try context.undo()
      try await wait { books.count == 0 }
      try context.save()
      #expect(try store.count(Book.all) == 1)
    }
  }

  @Test func equalChangesOfAContextAreObserved() async throws {
    try await withLibrary { store in
      let context = try store.makeContext()
      let books = try ObservedResults(of: Book.all, in: context)
      let emma = try context.insert(Book(title: "Emma"))
      try await wait { books.count == 1 }
      for pages in 1...3 {
        let isNotified = Locked(false)
        withObservationTracking {
          _ = books.lastChange
        } onChange: {
          isNotified.withLock { $0 = true }
        }
        try context.set(emma, \.pages, pages)
        try await wait { try books.all.first?.pages == pages }
        #expect(isNotified.withLock { $0 })
      }
    }
  }

  @Test func aClosedStoreIsAFailureThatIsShown() async throws {
    try await withLibrary { store in
      let books = try ObservedResults(of: Book.all, in: store)
      store.close()
      try await wait { books.failure != nil }
      #expect((books.failure as? StoreError)?.code == .closed)
    }
  }

  @Test func resultsThatAreLetGoFollowNoLonger() async throws {
    try await withLibrary { store in
      weak var books: ObservedResults<Record<Book>>?
      do {
        let results = try ObservedResults(of: Book.all, in: store)
        books = results
        #expect(books?.count == 0)
      }
      await Task.yield()
      #expect(books == nil)
    }
  }

  /// Waits until an observed condition holds.
  private func wait(_ condition: @escaping @MainActor @Sendable () throws -> Bool) async throws {
    for try await isMet in Observations<Bool, any Error>({ try condition() }) where isMet { return }
  }

  private func withLibrary(_ body: @MainActor (Store) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: .library)
    try await body(store)
    try closeAndVerify(store)
  }

  private func writeNow<Result>(_ store: Store, _ body: (borrowing Transaction) throws -> Result) throws -> Result {
    try store.write(body)
  }
}

/// Books of which one row cannot be read.
private struct Wary: Storable {
  let title: String
  let pages: Int

  struct Fields: EntityFields {
    typealias Object = Wary
    let fieldPath: FieldPath
    init(at path: FieldPath) { fieldPath = path }
    var title: Field<String> { Field(fieldPath, "title") }
  }

  static var entityName: String { Book.entityName }
  static var entity: Entity { get throws { try Book.entity } }

  init(row: inout ObjectRow) throws {
    title = try row.value("title")
    pages = try row.value("pages")
    guard pages >= 0 else { throw StoreError(.badValue, "“\(title)” has \(pages) pages.") }
  }

  func write(to values: inout ObjectValues) {}
}

private extension ObservedResults {
  /// All rows, section by section.
  var all: [Row] {
    get throws { try rows(in: 0..<count) }
  }
}
