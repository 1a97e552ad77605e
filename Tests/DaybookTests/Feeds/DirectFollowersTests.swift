import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookEngine

/// The followers that a writer wakes itself, before the thread of the feeds has examined its commit.
@Suite struct DirectFollowersTests {
  /// Writes something, and returns which of the followers of some requests its commits wake.
  private func woken(
    _ requests: [FetchRequest], in store: Store, triggers: (Int) -> Bool = { _ in true },
    by write: () throws -> Void
  ) throws -> [Bool]? {
    let model = try store.read { $0.resolvedModel }
    let start = try store.head()
    let wakeups = requests.map { _ in Wakeup() }
    let parts = try requests.enumerated().map { number, request in
      let followers = Followers(from: start)
      followers.add(wakeups[number])
      let resolved = try ResolvedRequest(request, in: model)
      let dependencies = Dependency.recorded(of: resolved, in: model)
      return DirectFollowers.Request(
        followers: followers, triggers: triggers(number) ? Set(dependencies.map(\.trigger)) : nil)
    }
    guard let direct = DirectFollowers(parts, model: model) else { return nil }
    try write()
    var commits: [PendingCommit] = []
    try store.opened.withJournal { journal in
      try journal.forEachCommit(from: start.next, through: nil) {
        commits.append(PendingCommit(header: $0.header, body: [UInt8]($0.body)))
        return true
      }
    }
    direct.wake(after: commits)
    return wakeups.map(\.isSet)
  }

  private let tags = FetchRequest(entity: "Tag", sort: [SortTerm(["name"])])

  @Test func aCommitWakesTheRequestsThatItMayTouch() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let byRecipe = try woken([FeedModel.byName, tags], in: store) { try store.insertRecipes("a") }
      #expect(byRecipe == [true, false])
      let byTag = try woken([FeedModel.byName, tags], in: store) {
        try store.writeNow { _ = try $0.insert("Tag", ["name": "b"]) }
      }
      #expect(byTag == [false, true])
    }
  }

  @Test func aRequestIsWokenByTheObjectsThatItReaches() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let type = try store.writeNow { try $0.insert("RecipeType", ["name": "Cake"]) }
      try store.insertRecipes("a", type: type)
      let woken = try woken([FeedModel.byType, FeedModel.byName], in: store) {
        try store.writeNow { try $0.rename(type, to: "Pie") }
      }
      #expect(woken == [true, false])
    }
  }

  @Test func whatIsNotExaminedWakesAll() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let names = (0..<100).map { "\($0)" }
      let byMany = try woken([FeedModel.byName, tags], in: store) {
        try store.writeNow { tx in for name in names { try tx.insert("Recipe", ["name": .string(name)]) } }
      }
      #expect(byMany == [true, true])
      // A request that no model resolves learns of its error.
      let unresolved = try woken([tags], in: store, triggers: { _ in false }) { try store.insertRecipes("a") }
      #expect(unresolved == [true])
    }
  }

  @Test func manyRequestsAreLeftToTheThread() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let requests = (0...DirectFollowers.maximumCount).map { FetchRequest(entity: "Tag", limit: $0) }
      let (tooMany, some) = try (woken(requests, in: store) {}, woken(Array(requests.dropFirst()), in: store) {})
      let none = try woken([], in: store) {}
      #expect(tooMany == nil && some != nil && none == nil)
    }
  }
}
