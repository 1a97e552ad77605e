import DaybookModel
import DaybookTestSupport
import Foundation
import LMDB
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// The requests found by a commit, and the requests that a new model cannot resolve.
@Suite(.hangLimit) struct FollowingTests {
  @Test func aValueThatWasThereOnlyBetweenTwoCommitsIsFound() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      let request = Request(entity: "Recipe", filter: try Filter(parsing: #"name == "b""#))
      let live = LiveRequest(
        request.fetch, in: .stored, keeper: store.keeper, from: 2, seen: Locked(2), touches: RecentTouches())
      var index = LiveIndex()
      _ = try store.read { try index.adding(live, in: $0.resolvedModel) }
      // Another reader may have read the store when it was "b".
      try store.writeNow { try $0.rename(id, to: "b") }
      try store.writeNow { try $0.rename(id, to: "c") }
      let touched = try store.read { try index.touched(since: 2, in: $0)?.requests }
      #expect(touched?.count == 1)
      try store.writeNow { try $0.rename(id, to: "d") }
      #expect(try store.read { try index.touched(since: 4, in: $0) }?.requests.isEmpty == true)
    }
  }

  @Test func aRelatedValueThatWasThereOnlyBetweenTwoCommitsIsFound() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let types = try store.writeNow { tx in
        try ["x", "y"].map { try tx.insert("RecipeType", ["name": .string($0)]) }
      }
      let id = try store.insertRecipes("a", type: types[0])[0]
      let request = Request(entity: "Recipe", filter: try Filter(parsing: #"type.name == "b""#))
      let live = LiveRequest(
        request.fetch, in: .stored, keeper: store.keeper, from: 3, seen: Locked(3), touches: RecentTouches())
      var index = LiveIndex()
      _ = try store.read { try index.adding(live, in: $0.resolvedModel) }
      // After the recipe has moved to the other type, no path leads back to it from the first one.
      try store.writeNow { try $0.rename(types[0], to: "b") }
      try store.writeNow { try $0.rename(types[0], to: "c") }
      try store.writeNow { try $0.relate(id, "type", to: types[1]) }
      #expect(try store.read { try index.touched(since: 3, in: $0) }?.requests.count == 1)
    }
  }

  @Test func aRequestThatTheModelLostLeavesTheOthersAlone() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      var lost: LiveResults<StoredObject>? = try store.liveResults(
        of: Request(entity: "Recipe", sort: [SortTerm(path: ["servings"])]))
      let request = Request(entity: "Recipe", sort: [SortTerm(path: ["name"])], shows: [["name"]])
      let kept = try store.liveResults(of: request)
      var model = FeedModel.model
      model.entities[0].attributes.remove(at: 1)
      try store.apply(model)
      try waitUntilSeen(store)
      #expect(throws: StoreError.self) { try lost?.update() }
      lost = nil
      #expect(try kept.update() == nil)
      try store.writeNow { try $0.rename(id, to: "b") }
      try waitUntilSeen(store)
      #expect(try kept.update()?.difference.rows == [.update(id, from: [0, 0], to: [0, 0])])
    }
  }

  @Test func whereTheThreadCannotStartNothingIsFollowed() throws {
    struct NoDescriptor: Error {}
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a")
      let isPossible = Locked(false)
      let center = CommitNotifier(of: store.keeper) { paths in
        guard isPossible.withLock({ $0 }) else { throw NoDescriptor() }
        return try FileSignal(watching: paths)
      }
      let wakeup = Wakeup()
      #expect(throws: NoDescriptor.self) { try center.follow([FeedModel.byName.fetch], wakeup) }
      #expect(throws: NoDescriptor.self) { try center.followJournal(wakeup) }
      #expect(throws: NoDescriptor.self) { try center.followProjections(wakeup) }
      #expect(center.openRequests.isEmpty && center.isIdle)
      isPossible.withLock { $0 = true }
      let live = try center.follow([FeedModel.byName.fetch], wakeup)[0]
      #expect(center.openRequests == [FeedModel.byName.fetch] && center.isAwake)
      center.unfollow(live, wakeup)
      center.close()
    }
  }

  @Test func oneCanTurnFromARequestThatTheModelLost() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a")
      let results = try store.liveResults(of: Request(entity: "Recipe", sort: [SortTerm(path: ["servings"])]))
      var model = FeedModel.model
      model.entities[0].attributes.remove(at: 1)
      try store.apply(model)
      #expect(throws: StoreError.self) { try results.update() }
      let change = try results.change(to: FeedModel.byName)
      #expect(change.isReset && change.to == 3)
      #expect(try results.names() == [["a"]])
      try store.insertRecipes("b")
      #expect(try results.update()?.difference.rows.count == 1)
    }
  }

  @Test func anIndexThatGoesIsNotCountedAnyMore() throws {
    var model = FeedModel.model
    model.entities[0].indexes.append(Index([SortTerm(path: ["name"])]))
    try withTemporaryStore(model) { store in
      try store.insertRecipes("a", "b", "c")
      let results = try store.liveResults(of: FeedModel.byName)
      try store.apply(FeedModel.model)
      #expect(try results.update() == nil)
      #expect(try results.names() == [["a", "b", "c"]])
      try store.insertRecipes("aa")
      #expect(try results.update()?.difference.rows.count == 1)
      #expect(try results.names() == [["a", "aa", "b", "c"]])
    }
  }

  @Test func whatIsHeldBackHidesNothingBehindIt() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      let results = try store.liveResults(of: FeedModel.byName, granularity: .everyCommit)
      try results.freezeOrder()
      try store.insertRecipes("b")
      try store.writeNow { try $0.rename(id, to: "c") }
      let change = try #require(try results.update())
      #expect(change.from == 2 && change.to == 4)
      #expect(change.difference.rows == [.update(id, from: [0, 0], to: [0, 0])])
      #expect(try results.thawOrder()?.difference.rows.count == 1)
    }
  }

  @Test func aHeldSectionWithoutANameGoesWithItsLastRow() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      let results = try store.liveResults(of: FeedModel.byType)
      try results.freezeOrder()
      try store.writeNow { try $0.delete(id) }
      #expect(try results.update()?.difference.sections == [.delete(index: 0, name: "")])
      #expect(try results.sections.isEmpty)
      #expect(try results.thawOrder() == nil)
    }
  }

  private func waitUntilSeen(_ store: Store) throws {
    let head = try store.position
    for _ in 0..<1_000 where store.notifier.seen < head { Thread.sleep(forTimeInterval: 0.005) }
    try #require(store.notifier.seen == head)
  }

  @Test func aLinkThatIsCutUndoesWhatACommitBeforeChangedBehindIt() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let types = try store.writeNow { tx in
        try ["x", "x", "x"].map { try tx.insert("RecipeType", ["name": .string($0)]) }
      }
      let id = try store.insertRecipes("b", type: types[0])[0]
      var request = Request<StoredObject>(
        entity: "Recipe", filter: try Filter(parsing: #"type.name == "x""#), sort: [SortTerm(path: ["name"])],
        shows: [["name"]])
      request.offset = 1
      let start = try store.position
      let live = try [false, true].map {
        try store.liveResults(of: request, granularity: $0 ? .everyCommit : .coalesced)
      }
      let late = [false, true].map {
        store.changes(of: request, from: FeedCursor(start), granularity: $0 ? .everyCommit : .coalesced).makeSource()
      }
      let early = [false, true].map {
        store.changes(of: request, from: FeedCursor(start), granularity: $0 ? .everyCommit : .coalesced).makeSource()
      }
      let joint = try [false, true].map {
        try store.jointResults(
          of: [.rows(of: request)], from: FeedCursor(start), granularity: $0 ? .everyCommit : .coalesced)
      }
      // The recipe is outside of the window, and of the filter for one commit.
      try store.writeNow { try $0.rename(types[0], to: "y") }
      for results in live { #expect(try results.update() == nil) }
      for source in early { #expect(try source.poll() == nil) }
      for results in joint { #expect(try results.update() == nil) }
      try store.writeNow { tx in
        try tx.relate(id, "type", to: types[1])
        let other = try tx.insert("Recipe", ["name": "a"])
        try tx.relate(other, "type", to: types[2])
      }
      let whole = try store.difference(of: request, from: start, to: try store.position)
      #expect(whole.difference.rows.map(\.id) == [id] && whole.causes.isEmpty)
      for results in live {
        let change = try #require(try results.update())
        #expect(try change == store.difference(of: request, from: change.from, to: change.to))
      }
      for source in early + late { #expect(try source.poll() == whole) }
      for results in joint { #expect(try results.update()?.change(of: request)?.causes == [:]) }
    }
  }
}
