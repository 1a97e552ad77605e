import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// The followers that a writer wakes itself, before the thread of the feeds has examined its commit.
@Suite(.hangLimit) struct DirectFollowersTests {
  /// Writes something, and returns which of some requests its commits touch.
  private func touched(
    _ requests: [Request<StoredObject>], in store: Store, triggers: (Int) -> Bool = { _ in true },
    by write: () throws -> Void
  ) throws -> [Bool]? {
    let model = try store.read { $0.resolvedModel }
    let start = try store.position
    let lives = requests.map {
      LiveRequest(
        $0.fetch, in: .stored, keeper: store.keeper, from: start, seen: Locked(start), touches: RecentTouches())
    }
    let parts = try requests.enumerated().map { number, request in
      let resolved = try ResolvedRequest(request.fetch, in: model)
      let dependencies = Dependency.recorded(of: resolved, in: model)
      return DirectFollowers.Request(
        live: lives[number], triggers: triggers(number) ? Set(dependencies.map(\.trigger)) : nil)
    }
    guard let direct = DirectFollowers(parts, model: model) else { return nil }
    try write()
    var commits: [PendingCommit] = []
    try store.files.withJournal { journal in
      try journal.forEachCommit(from: start.next, through: nil) {
        commits.append(PendingCommit(header: $0.header, body: [UInt8]($0.body)))
        return true
      }
    }
    let touched = direct.requests(touchedBy: commits)
    return lives.map { live in touched.contains { $0 === live } }
  }

  private let tags = Request(entity: "Tag", sort: [SortTerm(path: ["name"])])

  @Test func aCommitWakesTheRequestsThatItMayTouch() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let byRecipe = try touched([FeedModel.byName, tags], in: store) { try store.insertRecipes("a") }
      #expect(byRecipe == [true, false])
      let byTag = try touched([FeedModel.byName, tags], in: store) {
        try store.writeNow { _ = try $0.insert("Tag", ["name": "b"]) }
      }
      #expect(byTag == [false, true])
    }
  }

  @Test func aRequestIsWokenByTheObjectsThatItReaches() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let type = try store.writeNow { try $0.insert("RecipeType", ["name": "Cake"]) }
      try store.insertRecipes("a", type: type)
      let found = try touched([FeedModel.byType, FeedModel.byName], in: store) {
        try store.writeNow { try $0.rename(type, to: "Pie") }
      }
      #expect(found == [true, false])
    }
  }

  @Test func whatIsNotExaminedWakesAll() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let names = (0..<100).map { "\($0)" }
      let byMany = try touched([FeedModel.byName, tags], in: store) {
        try store.writeNow { tx in for name in names { try tx.insert("Recipe", ["name": .string(name)]) } }
      }
      #expect(byMany == [true, true])
      // A request that no model resolves learns of its error.
      let unresolved = try touched([tags], in: store, triggers: { _ in false }) { try store.insertRecipes("a") }
      #expect(unresolved == [true])
    }
  }

  @Test func manyRequestsAreLeftToTheThread() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let requests = (0...DirectFollowers.maximumCount).map { Request(entity: "Tag", limit: $0) }
      let (tooMany, some) = try (touched(requests, in: store) {}, touched(Array(requests.dropFirst()), in: store) {})
      let none = try touched([], in: store) {}
      #expect(tooMany == nil && some != nil && none == nil)
    }
  }
}
