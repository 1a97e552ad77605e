import Daybook
import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct CommitFeedTests {
  @Test func itCatchesUpAndThenFollows() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      for number in 0..<300 { try store.insertRecipes("\(number)") }
      var feed = store.commits(from: 0).makeAsyncIterator()
      for position in 1...301 { #expect(try await feed.next()?.position == Position(UInt64(position))) }
      let task = Task {
        var feed = store.commits(from: 302).makeAsyncIterator()
        return try await feed.next()
      }
      try store.insertRecipes("late")
      #expect(try await task.value?.position == 302)
      #expect(try await feed.next()?.events.count == 1)
    }
  }

  @Test func rawCommitsAreWhatTheJournalHolds() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a")
      var raw = store.commits(from: 2).raw.makeAsyncIterator()
      var decoded = store.commits(from: 2).makeAsyncIterator()
      let (bytes, commit) = (try #require(try await raw.next()), try #require(try await decoded.next()))
      #expect(bytes.position == 2)
      #expect(bytes.hash == commit.hash)
      #expect(!bytes.header.isEmpty && !bytes.body.isEmpty)
    }
  }

  @Test func aNamedSubscriptionGoesOnWhereItWasAcknowledged() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    do {
      let store = try Store(at: path, model: FeedModel.model)
      for name in ["a", "b", "c"] { try store.insertRecipes(name) }
      let mailer = try store.subscription("mailer")
      #expect(try mailer.position() == 0)
      try mailer.acknowledge(3)
      #expect(throws: StoreError.self) { try mailer.acknowledge(9) }
      store.close()
    }
    let store = try Store(at: path)
    let mailer = try store.subscription("mailer")
    #expect(try mailer.position() == 3)
    var feed = try mailer.commits().makeAsyncIterator()
    #expect(try await feed.next()?.position == 4)
    #expect(try store.subscriptions().map(\.name) == ["mailer"])
    try mailer.remove()
    #expect(try mailer.position() == 0)
    #expect(try store.subscriptions().isEmpty)
    #expect(throws: StoreError.self) { try store.subscription("") }
    #expect(throws: StoreError.self) { try store.subscription(String(repeating: "x", count: 256)) }
    try closeAndVerify(store)
  }
}
