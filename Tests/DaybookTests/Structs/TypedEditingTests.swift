import Daybook
import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct TypedEditingTests {
  @Test func aContextTakesTheVerbsOfStructs() throws {
    try withTemporaryStore(.library) { store in
      let (jane, emma) = try store.write { tx in
        (try tx.insert(Author(name: "Jane")), try tx.insert(Book(title: "Emma")))
      }
      let context = try store.makeContext()
      let chapter = try context.insert(Chapter(heading: "1", book: emma))
      try context.set(emma, \.pages, 474)
      try context.relate(emma, \.author, to: jane)
      try context.rename(emma, to: "Emma!")
      let book = try #require(try context.get(emma))
      #expect(book.value == Book(title: "Emma!", pages: 474, author: jane))
      #expect(try book.related(\.author)?.name == "Jane")
      #expect(try book.chapters.ids() == [chapter])
      #expect(try context.targets(of: emma, \.chapters) == [chapter])
      #expect(try context.fetch(Book.where { $0.author.name == "Jane" }).rows.map(\.id) == [emma])
      #expect(try store.get(emma)?.title == "Emma")
      try context.save(author: "editor")
      #expect(try store.get(emma)?.value == book.value)
      try context.unrelate(emma, \.author, from: jane)
      try context.delete(chapter)
      #expect(try context.get(chapter) == nil)
      context.cancel()
      #expect(try context.get(chapter)?.heading == "1")
    }
  }

  @Test func aVerbOfAStructIsOneStep() throws {
    try withTemporaryStore(.library) { store in
      let jane = try store.write { try $0.insert(Author(name: "Jane")) }
      let context = try store.makeContext()
      // An insert and a link.
      let emma = try context.insert(Book(title: "Emma", author: jane))
      var book = try #require(try context.get(emma))
      book.title = "Alma"
      book.pages = 7
      book.author = nil
      try context.set(book)
      #expect(try context.get(emma)?.value == book.value)
      #expect(try context.undo())
      #expect(try context.get(emma)?.value == Book(title: "Emma", author: jane))
      #expect(try context.undo())
      #expect(try context.get(emma) == nil)
      #expect(try !context.undo())
    }
  }

  @Test func resultsOfAContextHaveRows() throws {
    try withTemporaryStore(.library) { store in
      let jane = try store.write { try $0.insert(Author(name: "Jane")) }
      let context = try store.makeContext()
      let results = try context.liveResults(of: Book.all.sorted(by: \.title).prefetching(\.author))
      let emma = try context.insert(Book(title: "Emma", author: jane))
      #expect(try results.count == 0)
      let change = try #require(try results.update())
      #expect(change.difference.rows == [.insert(emma, to: RowPath(section: 0, row: 0))])
      #expect(try change.rows().map(\.title) == ["Emma"])
      #expect(try results.row(at: RowPath(section: 0, row: 0)).related(\.author)?.name == "Jane")
      #expect(try results.ids.sections.map(\.rows) == [[emma]])
    }
  }

  @Test func rowsOfAContextKeepTheirPlacesWhileTheOrderIsHeld() throws {
    try withTemporaryStore(.library) { store in
      let (alma, emma) = try store.write { tx in
        (try tx.insert(Book(title: "Alma")), try tx.insert(Book(title: "Emma")))
      }
      let context = try store.makeContext()
      let results = try context.liveResults(of: Book.all.sorted(by: \.title))
      try results.freezeOrder()
      try context.rename(alma, to: "Zelma")
      let (first, second) = (RowPath(section: 0, row: 0), RowPath(section: 0, row: 1))
      let held = try #require(try results.update())
      #expect(held.difference.rows == [.update(alma, from: first, to: first)])
      #expect(try held.rows().map(\.title) == ["Zelma"])
      #expect(try results.path(of: emma) == second)
      let released = try #require(try results.thawOrder())
      #expect(released.difference.rows.count == 1)
      #expect(try released.rows().count == 1)
      #expect(try results.path(of: emma) == first)
      #expect(try results.thawOrder() == nil)
    }
  }

  @Test func rowsComeInPages() throws {
    try withTemporaryStore(.library) { store in
      try store.write { tx in for title in ["a", "b", "c", "d", "e"] { try tx.insert(Book(title: title)) } }
      let live = try store.liveResults(of: Book.all.sorted(by: \.title))
      let pages = try [0..<2, 2..<4, 4..<6, 6..<8].map { try live.rows(in: $0).map(\.title) }
      #expect(pages == [["a", "b"], ["c", "d"], ["e"], []])
    }
  }
}
