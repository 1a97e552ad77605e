import DaybookEngine
import DaybookModel
import DaybookTestSupport
import LMDB
import Synchronization
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Projections that turn out to be damaged once more while they are replaced.
@Suite(.hangLimit) struct HealingTests {
  /// Reports damage of the new projections after each of the first replacements.
  private final class DoubtfulObserver: StoreObserver {
    private let store: ProjectionKeeper
    private let services: BackgroundServices
    private let remaining: Mutex<Int>
    let replacementCount = Mutex(0)

    init(of store: Store, doubting count: Int) {
      self.store = store.keeper
      services = store.services
      remaining = Mutex(count)
    }

    func projectionsDidChange() { services.projectionsDidChange() }

    func rowsWillBeReplaced(
      of projection: String, _ states: (RequestScope) throws -> ReplacedStates?
    ) throws {
      try services.rowsWillBeReplaced(of: projection, states)
    }

    func projectionsWereReplaced() throws {
      replacementCount.withLock { $0 += 1 }
      let isDoubtful = remaining.withLock { remaining in
        remaining -= 1
        return remaining >= 0
      }
      if isDoubtful { throw try store.damage() }
      try services.projectionsWereReplaced()
    }
  }

  @Test(arguments: [0, 1, 3]) func damageOfTheNewProjectionsIsHealedToo(count: Int) throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b")
      let observer = DoubtfulObserver(of: store, doubting: count)
      store.keeper.observer = observer
      var isFirst = true
      let names = try store.keeper.healing {
        if isFirst {
          isFirst = false
          throw try store.keeper.damage()
        }
        return try ids.map { try store.get($0)?["name"] }
      }
      #expect(names == ["a", "b"])
      #expect(observer.replacementCount.withLock { $0 } == count + 1)
      #expect(try store.verify().isSound)
    }
  }

  @Test func damageThatDoesNotEndIsReported() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let observer = DoubtfulObserver(of: store, doubting: .max)
      store.keeper.observer = observer
      #expect(throws: LMDBError.self) {
        try store.keeper.healing { throw try store.keeper.damage() }
      }
      store.keeper.observer = store.services
      let result = try store.verify()
      #expect(result.isSound)
    }
  }
}

private extension ProjectionKeeper {
  /// Returns the error for a damaged row of the present projections.
  func damage() throws -> LMDBError {
    try withProjections { $0.snapshot.damage(.readValue) }
  }
}
