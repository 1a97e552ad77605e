import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Live results that move through the past.
@Suite(.hangLimit) struct ScrubbingTests {
  /// The number of batches; `DAYBOOK_BATCHES` overrides it.
  private let batchCount = Rounds.of(3_000, "DAYBOOK_BATCHES")

  @Test(arguments: [false, true])
  func whereverResultsAreMovedTheyShowWhatWasThere(changingTheModel changesModel: Bool) throws {
    try Seeds.run(max(1, batchCount / 2 / 120)) { seed in
      var random = SeededRandom(seed: ~seed)
      let feed = try FeedRun(seed: seed)
      for _ in 0..<20 { _ = try feed.commit() }
      var followers: [ScrubbingFollower] = []
      for _ in 0..<40 {
        if changesModel, random.isTrue(percent: 8) {
          // Followers whose requests the new model does not support receive an error; here each has its own model.
          try feed.changeModel()
          followers = followers.filter { (try? feed.store.fetch($0.plain.request)) != nil }
        }
        for _ in 0..<random.number(0...2) { _ = try feed.commit() }
        if followers.count < 4 {
          let plain = feed.requests.liveRequest(feed.reference.state)
          followers.append(try ScrubbingFollower(plain, of: feed, random: SeededRandom(seed: random.next())))
        }
        for follower in followers where random.isTrue(percent: 70) {
          do { try follower.step() } catch { throw Mismatch("\(follower.plain)\n\(error)\nat head \(feed.head)") }
        }
      }
      feed.store.close()
    }
  }

  @Test func movingGivesTheDifferencesBothWays() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      let other = try store.insertRecipes("b")[0]
      try store.write { try $0.rename(id, to: "c") }
      let results = try store.liveResults(of: FeedModel.byName)
      let back = try #require(try results.move(to: 2))
      #expect(back.from == 4 && back.to == 2 && results.position == 2 && results.isPinned)
      #expect(back == (try store.difference(of: FeedModel.byName, from: 4, to: 2)))
      #expect(try results.names() == [["a"]])
      #expect(try results.move(to: 2) == nil)
      try store.write { try $0.delete(other) }
      #expect(try results.update() == nil)
      #expect(try results.names() == [["a"]])
      let on = try #require(try results.move(to: 3))
      #expect(on.difference.rows == [.insert(other, to: [0, 1])] && on.causes == [other: [3]])
      let head = try #require(try results.move(to: nil))
      #expect(head.from == 3 && head.to == 5 && !results.isPinned)
      #expect(try results.names() == [["c"]])
      try store.insertRecipes("d")
      #expect(try results.update()?.from == 5)
      for position in [0, 7] as [Position] {
        #expect(throws: StoreError.self) { try results.move(to: position) }
        #expect(try results.names() == [["c", "d"]])
      }
    }
  }

  @Test func aHeldOrderIsHeldWhileItIsMoved() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b")
      try store.write { try $0.rename(ids[0], to: "c") }
      let results = try store.liveResults(of: FeedModel.byName)
      try results.freezeOrder()
      #expect(try results.move(to: 2)?.difference.rows == [.update(ids[0], from: [0, 1], to: [0, 1])])
      #expect(try results.names() == [["b", "a"]])
      #expect(try results.thawOrder()?.difference.rows.count == 1)
      #expect(try results.names() == [["a", "b"]])
    }
  }

  @Test func aModelThatChangesWhatIsReachedIsAReset() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      var model = FeedModel.model
      model.entities[0].attributes.append(Attribute(name: "note", type: .string, isOptional: true))
      try store.apply(model)
      try store.write { try $0.set(id, ["note": "x"]) }
      let results = try store.liveResults(of: FeedModel.byName)
      #expect(try results.move(to: 2)?.isReset == true)
      #expect(try results.names() == [["a"]])
      try store.write { try $0.rename(id, to: "b") }
      #expect(try results.names() == [["a"]])
      #expect(try results.move(to: 3)?.isReset == true)
      #expect(try results.move(to: 4)?.difference.rows == [.update(id, from: [0, 0], to: [0, 0])])
      var request = FeedModel.byName
      request.sort = [SortTerm(path: ["note"])]
      let noted = try store.liveResults(of: request)
      let error = #expect(throws: StoreError.self) { try noted.move(to: 2) }
      #expect(error?.code == .badRequest)
      #expect(try noted.names() == [["b"]] && noted.position == 5)
    }
  }

  @Test func whatIsKeptHasALimit() throws {
    var options = StoreOptions()
    options.viewOfPastLimitInBytes = 4_096
    try withTemporaryStore(FeedModel.model, options: options) { store in
      let id = try store.insertRecipes("a")[0]
      for number in 0..<200 { try store.insertRecipes("\(number)") }
      let results = try store.liveResults(of: FeedModel.byName)
      let error = #expect(throws: StoreError.self) { try results.move(to: 2) }
      #expect(error?.code == .expired)
      #expect(try results.count == 201 && results.position == 202)
      // Repeated short moves in both directions leave no data behind.
      for _ in 0..<100 {
        try results.move(to: 198)
        try results.move(to: 201)
      }
      #expect(try results.count == 200)
      try store.write { try $0.rename(id, to: "z") }
      #expect(try results.move(to: nil)?.difference.rows.count == 2)
    }
  }
}
