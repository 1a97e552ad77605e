import Daybook
import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct ChangeFeedTests {
  @Test func aSlowReaderGetsOneDifference() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      var feed = store.changes(of: FeedModel.byName, from: 0).makeAsyncIterator()
      for name in ["a", "b", "c"] { try store.insertRecipes(name) }
      let change = try #require(try await feed.next())
      #expect(change.from == 0 && change.to == 4)
      #expect(change.difference.rows.count == 3)
      #expect(feed.position == 4)
    }
  }

  @Test func eachCommitIsADifferenceIfAskedFor() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      var feed = store.changes(of: FeedModel.byName, from: 1, granularity: .everyCommit).makeAsyncIterator()
      try store.writeNow { try $0.rename(id, to: "b") }
      try store.writeNow { try $0.insert("Tag", ["name": "quick"]) }
      try store.writeNow { try $0.rename(id, to: "a") }
      try store.writeNow { try $0.delete(id) }
      var changes: [ResultsChange] = []
      while changes.count < 4 { changes.append(try #require(try await feed.next())) }
      #expect(changes.map(\.from) == [1, 2, 3, 5])
      #expect(changes.map(\.to) == [2, 3, 5, 6])
      #expect(changes.map { $0.difference.rows.count } == [1, 1, 1, 1])
    }
  }

  @Test func moreCommitsThanFitAPageAreEachGiven() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("start")[0]
      for number in 0..<200 { try store.writeNow { try $0.rename(id, to: "\(number)") } }
      var feed = store.changes(of: FeedModel.byName, from: 2, granularity: .everyCommit).makeAsyncIterator()
      for number in 0..<200 {
        let change = try #require(try await feed.next())
        #expect(change.to == Position(UInt64(number) + 3))
        #expect(change.difference.rows == [.update(id, from: [0, 0], to: [0, 0])])
      }
    }
  }

  @Test(arguments: [false, true])
  func eachChangeBeginsWhereTheLastOneEnded(everyCommit isStepwise: Bool) async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      var feed = store.changes(of: FeedModel.byName, from: 2, granularity: isStepwise ? .everyCommit : .coalesced)
        .makeAsyncIterator()
      try store.writeNow { try $0.rename(id, to: "b") }
      let first = try #require(try await feed.next())
      #expect(first.from == 2 && first.to == 3)
      for number in 0..<100 { try store.writeNow { try $0.insert("Tag", ["name": .string("\(number)")]) } }
      #expect(feed.position == 3)
      try store.writeNow { try $0.rename(id, to: "c") }
      let second = try #require(try await feed.next())
      #expect(second.from == 3 && second.to == 104)
    }
  }

  @Test func whatAFeedDoesNotReachIsSkipped() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      var request = FeedModel.byName
      request.filter = try Filter(parsing: #"name == "b""#)
      var feed = store.changes(of: request, from: 2).makeAsyncIterator()
      for name in ["x", "y", "z"] { try store.writeNow { try $0.rename(id, to: name) } }
      try store.writeNow { try $0.rename(id, to: "b") }
      let change = try #require(try await feed.next())
      #expect(change.from == 2 && change.to == 6)
      #expect(change.difference.rows == [.insert(id, to: [0, 0])])
    }
  }

  @Test func goingThereAndBackBetweenTwoReadsIsNothing() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      let results = try store.liveResults(of: FeedModel.byName)
      try store.writeNow { try $0.rename(id, to: "b") }
      try store.writeNow { try $0.rename(id, to: "a") }
      #expect(try results.update() == nil)
      #expect(results.position == 4)
    }
  }

  @Test func aRelatedObjectIsFollowed() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let type = try store.writeNow { try $0.insert("RecipeType", ["name": "Dessert"]) }
      let ids = try store.insertRecipes("a", "b", type: type)
      let results = try store.liveResults(of: FeedModel.byType)
      try store.writeNow { try $0.rename(type, to: "Pudding") }
      let change = try #require(try results.update())
      #expect(change.difference.sections.count == 2)
      #expect(Set(change.difference.rows.map(\.id)) == Set(ids))
      #expect(change.causes == [ids[0]: [4], ids[1]: [4]])
    }
  }

  @Test func aDerivedValueIsFollowed() throws {
    try withTemporaryStore(FeedModel.model) { store in
      // Rows that tie are in the order of their ids, which are random within a millisecond.
      let ids = try store.insertRecipes("a", "b").sorted()
      let request = Request(entity: "Recipe", sort: [SortTerm(path: ["tagCount"], .descending)])
      let results = try store.liveResults(of: request)
      try store.writeNow { tx in
        let tag = try tx.insert("Tag", ["name": "quick"])
        try tx.relate(ids[1], "tags", to: tag)
      }
      let change = try results.update()
      #expect(change?.difference.rows == [.move(ids[1], from: [0, 1], to: [0, 0])])
    }
  }

  @Test func aModelThatChangesWhatIsReachedResetsTheFeed() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a")
      let results = try store.liveResults(of: FeedModel.byName)
      var model = FeedModel.model
      model.entities[0].attributes.append(Attribute(name: "note", type: .string, isOptional: true))
      try store.apply(model)
      #expect(try results.update()?.isReset == true)
      try store.insertRecipes("b")
      #expect(try results.update()?.difference.rows.count == 1)
    }
  }

  @Test func aModelThatLeavesItAloneDoesNot() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a")
      let results = try store.liveResults(of: FeedModel.byName)
      var model = FeedModel.model
      model.entities[0].indexes.append(Index([SortTerm(path: ["name"])]))
      try store.apply(model)
      #expect(try results.update() == nil)
      try store.insertRecipes("b")
      #expect(try results.update()?.difference.rows.count == 1)
    }
  }

  @Test func aSpanThatIsTooLargeResetsAFeedAndNotADifference() throws {
    var options = StoreOptions()
    options.viewOfPastLimitInBytes = 512
    try withTemporaryStore(FeedModel.model, options: options) { store in
      let id = try store.insertRecipes("a")[0]
      let results = try store.liveResults(of: FeedModel.byName)
      for number in 0..<100 { try store.insertRecipes("name \(number)") }
      try store.writeNow { try $0.rename(id, to: "b") }
      #expect(throws: StoreError.self) { try results.row(at: [0, 0]) }
      #expect(try results.update()?.isReset == true)
      #expect(try results.count == 101)
      #expect(try store.difference(of: FeedModel.byName, from: 2).difference.rows.count == 101)
    }
  }

  @Test func cancellingEndsAFeed() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      let task = Task {
        var count = 0
        for try await _ in store.changes(of: FeedModel.byName, from: 1) { count += 1 }
        return count
      }
      try await Task.sleep(for: .milliseconds(20))
      task.cancel()
      #expect(try await task.value == 0)
    }
  }

  @Test func closingTheStoreEndsAFeedWithAnError() async throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: FeedModel.model)
    let task = Task {
      for try await _ in store.changes(of: FeedModel.byName, from: 1) {}
    }
    try await Task.sleep(for: .milliseconds(20))
    store.close()
    await #expect(throws: StoreError.self) { try await task.value }
  }

  @Test func aStoreThatNobodyFollowsAnyMoreIsLetGo() async throws {
    let directory = try TemporaryDirectory()
    weak var released: Store?
    do {
      let store = try Store(at: directory.path("store"), model: FeedModel.model)
      released = store
      let results = try store.liveResults(of: FeedModel.byName)
      try store.insertRecipes("a")
      #expect(try results.update() != nil)
    }
    for _ in 0..<500 where released != nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(released == nil)
  }

  @Test func aPositionBeyondTheHeadIsRefused() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      var feed = store.changes(of: FeedModel.byName, from: 5).makeAsyncIterator()
      await #expect(throws: StoreError.self) { try await feed.next() }
    }
  }
}
