import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// What the notifier wakes, and when its thread watches the files.
@Suite(.hangLimit) struct CommitNotifierTests {
  @Test func aCommitWakesTheFollowersOfTheJournalAndOfProjections() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let (journal, projections) = (Wakeup(), Wakeup())
      try store.notifier.followJournal(journal)
      try store.notifier.followProjections(projections)
      for name in ["a", "b", "c"] {
        journal.reset()
        projections.reset()
        try store.insertRecipes(name)
        journal.block()
        projections.block()
        let head = try store.position
        #expect(store.notifier.seen == head)
      }
      store.notifier.unfollowJournal(journal)
      store.notifier.unfollowProjections(projections)
      #expect(store.notifier.isIdle)
    }
  }

  @Test func aCommitWakesOnlyTheRequestsThatItMayTouch() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let (recipes, tags, journal) = (Wakeup(), Wakeup(), Wakeup())
      let followed = try store.notifier.follow([FeedModel.byName.fetch], recipes)[0]
      let other = try store.notifier.follow([Request(entity: "Tag").fetch], tags)[0]
      try store.notifier.followJournal(journal)
      try store.insertRecipes("a")
      journal.block()
      #expect(recipes.isSet && !tags.isSet)
      store.notifier.unfollow(followed, recipes)
      store.notifier.unfollow(other, tags)
      store.notifier.unfollowJournal(journal)
      #expect(store.notifier.openRequests.isEmpty)
    }
  }

  @Test func closingWakesAllFollowers() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let (journal, recipes) = (Wakeup(), Wakeup())
      try store.notifier.followJournal(journal)
      _ = try store.notifier.follow([FeedModel.byName.fetch], recipes)
      store.close()
      #expect(journal.isSet && recipes.isSet && !store.notifier.isAwake)
    }
  }

  @Test func aFollowerThatComesAtAnyTimeLearnsOfLaterCommits() async throws {
    let seed = Seeds.one
    var random = SeededRandom(seed: seed)
    var options = StoreOptions()
    options.durability = .relaxed
    try await withTemporaryStore(FeedModel.model, options: options) { store async throws in
      let last = Position(200)
      let followers = (0..<4).map { _ in
        let pauses = (0..<10).map { _ in random.number(0...2_000) }
        return Task {
          for pause in pauses {
            let wakeup = Wakeup()
            try store.notifier.followJournal(wakeup)
            defer { store.notifier.unfollowJournal(wakeup) }
            // Returns early, so that the thread ends and starts between two followers.
            let from = try store.position
            _ = try await wakeup.next { () -> Bool? in
              wakeup.reset()
              return try store.position > from || store.position == last ? true : nil
            }
            try await Task.sleep(for: .microseconds(pause))
          }
        }
      }
      while try store.position < last {
        try store.insertRecipes("a")
        if random.isTrue(percent: 30) { try await Task.sleep(for: .microseconds(random.number(0...2_000))) }
      }
      for follower in followers {
        do { try await follower.value } catch { throw SeedFailure(seed: seed, error: error) }
      }
      #expect(store.notifier.isIdle, "seed \(seed)")
    }
  }
}
