import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Effects outside the store must not happen twice.
@Suite(.hangLimit) struct ProjectionEffectTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path("store") }
  private let sent = Shared<[Position]>([])

  init() throws { directory = try TemporaryDirectory() }

  /// Returns a projection that sends a mail for each commit, and counts events.
  private func mailer(_ mode: ProjectionMode, version: Int = 1) -> ClosureProjection {
    let sent = sent
    return ClosureProjection("mailer", version: version, mode: mode) { commit, rows in
      let position = commit.position
      commit.afterCommit { sent.change { $0.append(position) } }
      try rows.add(commit.eventCount, to: "count", of: "mailer")
    }
  }

  @Test(arguments: [ProjectionMode.catchUp, .inline]) func eachEffectHappensOnce(mode: ProjectionMode) throws {
    let before = try Store(at: path, model: FeedModel.model)
    try before.insertRecipes("before")
    before.close()
    let options = StoreOptions.knowing(mailer(mode))
    var store = try Store(at: path, options: options)
    try store.projection("mailer").catchUp()
    // Commits before the projection was added are no news.
    #expect(sent.now == [])
    try store.insertRecipes("a")
    try store.projection("mailer").catchUp()
    #expect(sent.now == [3])
    try store.projection("mailer").rebuild()
    #expect(sent.now == [3])
    store.close()
    try FileManager.default.removeItem(atPath: "\(path)/projections")
    store = try Store(at: path, options: options)
    try store.insertRecipes("b")
    try store.projection("mailer").catchUp()
    #expect(sent.now == [3, 4])
    #expect(try store.numbers(of: "mailer") == ["count": 3])
    store.close()
    let later = try Store(at: path, options: .knowing(mailer(mode, version: 2)))
    try later.projection("mailer").catchUp()
    #expect(sent.now == [3, 4])
    try later.insertRecipes("c")
    try later.projection("mailer").catchUp()
    #expect(sent.now == [3, 4, 5])
    try closeAndVerify(later)
  }

  @Test func whatOthersWroteHasItsEffectsLate() throws {
    try Store(at: path, model: FeedModel.model, options: .knowing(mailer(.inline))).close()
    let other = try Store(at: path)
    try other.insertRecipes("a")
    try other.insertRecipes("b")
    other.close()
    let store = try Store(at: path, options: .knowing(mailer(.inline)))
    #expect(sent.now == [2, 3])
    try store.insertRecipes("c")
    #expect(sent.now == [2, 3, 4])
  }

  @Test func nothingLeavesForACommitThatIsNotMade() throws {
    struct Stop: Error {}
    let store = try Store(at: path, model: FeedModel.model, options: .knowing(mailer(.inline)))
    #expect(throws: Stop.self) {
      try store.batch { batch in
        try batch.commit { try $0.insert("Recipe", ["name": "a"]) }
        throw Stop()
      }
    }
    #expect(sent.now == [])
    try store.insertRecipes("b")
    #expect(sent.now == [2])
  }

  @Test func aCommitThatThrowsHasNoEffect() throws {
    struct Bad: Error {}
    let sent = sent
    let projection = ClosureProjection("mailer", mode: .inline, onFailure: .quarantine) { commit, _ in
      let position = commit.position
      commit.afterCommit { sent.change { $0.append(position) } }
      if position == 3 { throw Bad() }
    }
    let store = try Store(at: path, model: FeedModel.model, options: .knowing(projection))
    for name in ["a", "b", "c"] { try store.insertRecipes(name) }
    #expect(sent.now == [2, 4])
  }

  /// A retry builds the rows again, which has no effects: the other commits have had theirs.
  @Test(arguments: [ProjectionMode.catchUp, .inline])
  func aCommitThatIsRetriedAfterOthersHasNoEffect(mode: ProjectionMode) throws {
    struct Bad: Error {}
    let (sent, isBad) = (sent, Shared(true))
    let projection = ClosureProjection("mailer", mode: mode, onFailure: .quarantine) { commit, rows in
      let position = commit.position
      commit.afterCommit { sent.change { $0.append(position) } }
      if position == 3, isBad.now { throw Bad() }
      try rows.add(commit.eventCount, to: "count", of: "mailer")
    }
    let store = try Store(at: path, model: FeedModel.model, options: .knowing(projection))
    for name in ["a", "b", "c"] { try store.insertRecipes(name) }
    try store.projection("mailer").catchUp()
    isBad.now = false
    try store.projection("mailer").retry()
    #expect(try store.numbers(of: "mailer") == ["count": 3])
    #expect(sent.now == [2, 4])
    try closeAndVerify(store)
  }

  @Test(arguments: [ProjectionMode.catchUp, .inline])
  func aCommitThatStoppedTheProjectionHasAllItsEffectsWhenItIsTakenIn(mode: ProjectionMode) throws {
    struct Bad: Error {}
    let (sent, news, isBad) = (Shared<[String]>([]), Shared<Int>(0), Shared(true))
    let projection = ClosureProjection("mailer", mode: mode, onFailure: .stop) { commit, _ in
      for name in try commit.insertedNames() {
        if !commit.isReplaying { news.change { $0 += 1 } }
        commit.afterCommit { sent.change { $0.append(name) } }
        if name == "d", isBad.now { throw Bad() }
      }
    }
    let store = try Store(at: path, model: FeedModel.model, options: .knowing(projection))
    try store.insertRecipes("a")
    try store.insertRecipes("b", "c", "d", "e")
    if mode == .inline {
      _ = try store.position
    } else {
      #expect(throws: StoreError.self) { try store.projection("mailer").catchUp() }
    }
    #expect(sent.now == ["a"])
    isBad.now = false
    try store.projection("mailer").retry(3)
    try store.projection("mailer").catchUp()
    #expect(sent.now == ["a", "b", "c", "d", "e"])
    // The three that were dropped with the commit were reported as new a second time.
    #expect(news.now == 1 + 3 + 4)
    try store.projection("mailer").rebuild()
    #expect(sent.now.count == 5 && news.now == 8)
    try closeAndVerify(store)
  }

  @Test func anEffectMayWriteToTheStore() throws {
    let box = Shared<Store?>(nil)
    let projection = ClosureProjection("writer", mode: .inline) { commit, _ in
      if !commit.inserted("Recipe").isEmpty {
        commit.afterCommit { _ = try? box.now?.write { try $0.insert("Tag", ["name": "x"]) } }
      }
    }
    let store = try Store(at: path, model: FeedModel.model, options: .knowing(projection))
    box.now = store
    try store.insertRecipes("a")
    #expect(try store.fetch(Request(entity: "Tag")).rows.count == 1)
    box.now = nil
  }

  @Test func aVersionThatAsksForMoreIsNotToldOfWhatWasTakenIn() throws {
    let quiet = ClosureProjection("asker") { commit, rows in try rows.add(to: "count", of: "asker") }
    let store = try Store(at: path, model: FeedModel.model, options: .knowing(quiet))
    try store.insertRecipes("a")
    try store.projection("asker").catchUp()
    try store.insertRecipes("b")
    store.close()
    let news = Shared<[Position]>([])
    let asker = ClosureProjection("asker", version: 2) { commit, _ in
      let position = commit.position
      if !commit.isReplaying { news.change { $0.append(position) } }
    }
    let later = try Store(at: path, options: .knowing(asker))
    try later.projection("asker").catchUp()
    #expect(news.now == [3])
  }

  @Test func whoAsksIsToldOnlyOnceThatACommitIsNew() throws {
    let news = Shared<[Position]>([])
    let projection = ClosureProjection("asker", mode: .catchUp) { commit, _ in
      let position = commit.position
      if !commit.isReplaying { news.change { $0.append(position) } }
    }
    let store = try Store(at: path, model: FeedModel.model, options: .knowing(projection))
    for name in ["a", "b"] { try store.insertRecipes(name) }
    try store.projection("asker").catchUp()
    #expect(news.now == [2, 3])
    try store.projection("asker").rebuild()
    store.close()
    try FileManager.default.removeItem(atPath: "\(path)/projections")
    let again = try Store(at: path, options: .knowing(projection))
    try again.projection("asker").catchUp()
    #expect(news.now == [2, 3])
  }
}
