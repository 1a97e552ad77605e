import Daybook
import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct TypedFeedTests {
  @Test func aFeedGivesTheDifferencesOfTheRequestWithRows() async throws {
    try await withTemporaryStore(.library) { store in
      let emma = try writeNow(store) { try $0.insert(Book(title: "Emma")) }
      var feed = store.changes(of: Book.all.sorted(by: \.title)).makeAsyncIterator()
      let first = try #require(try await feed.next())
      #expect(first.from == 0)
      #expect(first.difference.rows == [.insert(emma, to: RowPath(section: 0, row: 0))])
      #expect(try first.rows().map(\.title) == ["Emma"])
      let alma = try writeNow(store) { tx in
        try tx.set(emma, \.pages, 7)
        return try tx.insert(Book(title: "Alma"))
      }
      let second = try #require(try await feed.next())
      #expect(
        second.difference.rows == [
          .insert(alma, to: RowPath(section: 0, row: 0)),
          .update(emma, from: RowPath(section: 0, row: 0), to: RowPath(section: 0, row: 1)),
        ])
      #expect(second.causes[emma] == [second.to])
      try writeNow(store) { try $0.delete(alma) }
      // The rows have the state at the difference's end, whatever later commits changed.
      #expect(try second.rows().map(\.title) == ["Alma", "Emma"])
      #expect(try second.rows().map(\.pages) == [100, 7])
      #expect(feed.position == second.to)
      let back = try store.difference(of: Book.all.sorted(by: \.title), from: second.to, to: second.from)
      #expect(back.difference == second.difference.inverted)
    }
  }

  @Test func aFeedGoesOnFromAPosition() async throws {
    try await withTemporaryStore(.library) { store in
      try writeNow(store) { _ = try $0.insert(Book(title: "Emma")) }
      let seen = try store.position
      let alma = try writeNow(store) { try $0.insert(Book(title: "Alma")) }
      for try await change in store.changes(of: Book.all, from: seen) {
        #expect(change.difference.rows.map(\.id) == [alma])
        break
      }
    }
  }

  @Test func aFeedEndsWhenItsTaskIsCancelled() async throws {
    try await withTemporaryStore(.library) { store in
      let (started, go) = AsyncStream.makeStream(of: Void.self)
      try writeNow(store) { _ = try $0.insert(Book(title: "Emma")) }
      let task = Task {
        var count = 0
        for try await _ in store.changes(of: Book.all) {
          count += 1
          go.yield()
        }
        return count
      }
      var first = started.makeAsyncIterator()
      await first.next()
      task.cancel()
      #expect(try await task.value == 1)
    }
  }

  @Test func measuresAreFollowed() async throws {
    try await withTemporaryStore(.library) { store in
      var values = store.values(of: Book.where { $0.pages > 50 }.count()).makeAsyncIterator()
      #expect(try await values.next()?.value == 0)
      try writeNow(store) { _ = try $0.insert(Book(title: "Emma")) }
      #expect(try await values.next()?.value == 1)
    }
  }

  @Test func liveResultsAreReadRowByRow() async throws {
    try await withTemporaryStore(.library) { store in
      let jane = try writeNow(store) { tx in
        let jane = try tx.insert(Author(name: "Jane"))
        for title in ["c", "a", "b"] { try tx.insert(Book(title: title, author: jane)) }
        return jane
      }
      let live = try store.liveResults(of: Book.all.sorted(by: \.title).prefetching(\.author))
      #expect(try live.count == 3)
      #expect(try live.sections.map(\.count) == [3])
      #expect(try live.row(at: RowPath(section: 0, row: 1)).title == "b")
      #expect(throws: StoreError.self) { try live.row(at: RowPath(section: 0, row: 3)) }
      let position = live.position
      try writeNow(store) { try $0.rename(jane, to: "J. A.") }
      try writeNow(store) { _ = try $0.insert(Book(title: "0")) }
      // The visible results stay at their position until they are updated.
      #expect(live.position == position)
      #expect(try live.rows(in: 0..<2).map(\.title) == ["a", "b"])
      #expect(try live.rows(in: 0..<1)[0].related(\.author)?.name == "Jane")
      let change = try #require(try live.update())
      #expect(change.difference.rows.count == 1)
      #expect(try live.rows(inSection: 0, 0..<2).map(\.title) == ["0", "a"])
      let first = try #require(try live.ids.sections.first?.rows.first)
      #expect(try live.path(of: first) == RowPath(section: 0, row: 0))
      #expect(try live.rows(in: 1..<2)[0].related(\.author)?.name == "J. A.")
      try writeNow(store) { try $0.delete(first) }
      for try await change in live.changes {
        #expect(change.difference.rows == [.delete(first, from: RowPath(section: 0, row: 0))])
        break
      }
    }
  }

  private func writeNow<Result>(_ store: Store, _ body: (borrowing Transaction) throws -> Result) throws -> Result {
    try store.write(body)
  }
}
