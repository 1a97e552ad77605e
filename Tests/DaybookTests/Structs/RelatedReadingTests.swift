import Daybook
import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct RelatedReadingTests {
  /// Runs a body with a store of an author, two books and the chapters of the first.
  private func withLibrary(_ body: (Store, Author.ID, [Book.ID], [Chapter.ID]) throws -> Void) throws {
    try withTemporaryStore(.library) { store in
      let (jane, books, chapters) = try store.write { tx in
        let jane = try tx.insert(Author(name: "Jane"))
        let books = [
          try tx.insert(Book(title: "Emma", author: jane)), try tx.insert(Book(title: "Persuasion", author: jane)),
        ]
        let chapters = try ["1", "2"].map { try tx.insert(Chapter(heading: $0, book: books[0])) }
        return (jane, books, chapters)
      }
      try body(store, jane, books, chapters)
    }
  }

  @Test func relatedObjectsAreReadWhereTheResultIs() throws {
    try withLibrary { store, jane, books, chapters in
      let results = try store.fetch(Book.all.sorted(by: \.title))
      try store.write { tx in
        try tx.rename(jane, to: "J. A.")
        try tx.rename(chapters[0], to: "I")
        try tx.delete(chapters[1])
        try tx.unrelate(books[1], \.author, from: jane)
      }
      let emma = results.rows[0]
      #expect(try emma.related(\.author)?.name == "Jane")
      #expect(try emma.related(\.chapters).map(\.heading) == ["1", "2"])
      #expect(try emma.chapters.fetch().map(\.heading) == ["1", "2"])
      #expect(try emma.related(\.author.books).map(\.id) == books.sorted())
      #expect(try results.rows[1].related(\.author)?.name == "Jane")
      #expect(try results.rows[1].related(\.chapters).isEmpty)
      let now = try store.fetch(Book.all.sorted(by: \.title))
      #expect(try now.rows[0].related(\.author)?.name == "J. A.")
      #expect(try now.rows[0].chapters.ids() == [chapters[0]])
      #expect(try now.rows[1].related(\.author) == nil)
      #expect(try store.at(results.position).get(books[0])?.chapters.ids() == chapters)
      #expect(try store.at(results.position).fetch(Book.all).count == 2)
    }
  }

  @Test func prefetchedObjectsNeedNoFurtherLookIntoTheStore() throws {
    try withLibrary { store, jane, books, chapters in
      let request = Book.all.sorted(by: \.title).prefetching(\.author.books, \.chapters)
      let results = try store.fetch(request)
      let lazily = try store.fetch(Book.all.sorted(by: \.title))
      store.close()
      let emma = results.rows[0]
      #expect(try emma.related(\.author)?.name == "Jane")
      #expect(try emma.related(\.author)?.books.fetch().map(\.title).sorted() == ["Emma", "Persuasion"])
      #expect(try emma.related(\.author.books).map(\.id) == books.sorted())
      #expect(try emma.related(\.chapters).map(\.heading) == ["1", "2"])
      #expect(try emma.chapters.ids() == chapters)
      #expect(try results.rows[1].chapters.fetch().isEmpty)
      // Objects that were not prefetched are read on access, but the store is closed.
      let error = #expect(throws: StoreError.self) { try lazily.rows[0].related(\.author) }
      #expect(error?.code == .closed)
      #expect(throws: StoreError.self) { try emma.related(\.chapters)[0].related(\.book) }
    }
  }

  @Test func insideOfAWriteRelatedObjectsArePrefetchedOrAskedFor() throws {
    try withLibrary { store, jane, books, chapters in
      let before = try store.fetch(Book.where { $0.title == "Emma" }).rows[0]
      try store.write { tx in
        try tx.rename(jane, to: "J. A.")
        // Objects read before the write keep their state.
        #expect(try before.related(\.author)?.name == "Jane")
        let row = try tx.fetch(Book.where { $0.title == "Emma" }.prefetching(\.author)).rows[0]
        #expect(try row.related(\.author)?.name == "J. A.")
        let error = #expect(throws: StoreError.self) { try row.chapters.ids() }
        #expect(error?.code == .badRequest)
        #expect(try tx.targets(of: row.id, \.chapters) == chapters)
        #expect(throws: StoreError.self) { try tx.get(books[0])?.related(\.author) }
      }
    }
  }

  @Test func aNewValueListsIdsAndNoObjects() throws {
    try withLibrary { store, jane, books, chapters in
      let related: Related<Book> = [books[0]]
      let ids = try related.ids()
      #expect(ids == [books[0]])
      #expect(throws: StoreError.self) { try related.fetch() }
    }
  }

  @Test func childrenHaveARequestOfTheirOwn() throws {
    try withLibrary { store, jane, books, chapters in
      try store.write { try $0.relate(books[0], \.chapters, to: chapters[1], at: .before(chapters[0])) }
      let request = try store.childrenRequest(of: books[0], \.chapters)
      #expect(try store.fetch(request).rows.map(\.id) == [chapters[1], chapters[0]])
      let narrow = request.where { $0.heading == "1" }
      #expect(try store.fetch(narrow).rows.map(\.id) == [chapters[0]])
      let ofJane = try store.childrenRequest(of: jane, \.books)
      #expect(try store.fetch(ofJane).rows.map(\.id) == books.sorted())
    }
  }

  @Test func measuresAreThoseOfTheWords() throws {
    try withLibrary { store, jane, books, chapters in
      try store.write { try $0.set(chapters[0], \.length, 20) }
      let all = Chapter.all
      #expect(try store.value(of: all.count()).value == 2)
      #expect(try store.value(of: all.sum(\.length)).value == 30)
      #expect(try store.value(of: all.minimum(\.length)).value == 10)
      #expect(try store.value(of: all.maximum(\.book.title)).value == "Emma")
      #expect(try store.value(of: all.average(\.length)).value == 15.0)
    }
  }

  @Test func anObjectHasItsHistory() throws {
    try withLibrary { store, jane, _, _ in
      try store.write { try $0.rename(jane, to: "J. A.") }
      var history = try store.history(of: jane, reversed: true)
      #expect(try history.next()?.events.map(\.kind) == [.renamed])
    }
  }

  @Test func resultsKnowTheirSectionsAndPaths() throws {
    try withLibrary { store, jane, books, _ in
      try store.write { try $0.unrelate(books[1], \.author, from: jane) }
      let results = try store.fetch(Book.all.sectioned(by: \.author.name).sorted(by: \.title))
      #expect(results.sections.map(\.name) == ["", "Jane"])
      #expect(results.count == 2)
      #expect(results.path(of: books[0]) == RowPath(section: 1, row: 0))
      #expect(results[RowPath(section: 0, row: 0)].title == "Persuasion")
      #expect(results.ids.sections.map(\.rows) == [[books[1]], [books[0]]])
      #expect(try store.position == results.position)
    }
  }

  @Test func aReaderReadsStructsToo() throws {
    try withLibrary { store, jane, books, _ in
      let names = try store.read { reader in
        let book = try reader.get(books[0])
        let all = try reader.fetch(Book.all)
        return (try book?.related(\.author)?.name, all.count)
      }
      #expect(names.0 == "Jane")
      #expect(names.1 == 2)
      #expect(try store.count(Book.where { $0.chapters.count > 0 }) == 1)
    }
  }
}
