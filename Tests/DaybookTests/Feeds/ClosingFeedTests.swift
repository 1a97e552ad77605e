import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// The end and the restart of feeds and observers.
@Suite(.hangLimit) struct ClosingFeedTests {
  @Test func closingFromSeveralThreadsEndsAllWhoWait() async throws {
    for round in 0..<10 {
      let directory = try TemporaryDirectory()
      let store = try Store(at: directory.path("store"), model: FeedModel.model)
      let results = try store.liveResults(of: FeedModel.byName)
      let waiting: [Task<Void, any Error>] = [
        Task { for try await _ in results.changes {} },
        Task { for try await _ in store.changes(of: FeedModel.byType, from: 1) {} },
        Task { for try await _ in store.changes(of: FeedModel.byName, from: 0, granularity: .everyCommit) {} },
        Task { for try await _ in store.commits(from: 1) {} },
        Task { for try await _ in store.values(of: FeedModel.byName.count()) {} },
      ]
      try store.insertRecipes("a")
      // At different moments of their start.
      if round % 2 == 0 { try await Task.sleep(for: .milliseconds(round * 2)) }
      let workers = Workers()
      for _ in 0..<3 { workers.add { store.close() } }
      try await workers.wait()
      for task in waiting {
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.code == .closed)
      }
      #expect(throws: StoreError.self) { try results.update() }
      #expect(throws: StoreError.self) { try store.liveResults(of: FeedModel.byName) }
    }
  }

  @Test func theStoreIsClosedWhileItsThreadLooksAtACommit() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    try Store(at: path, model: FeedModel.model).close()
    for _ in 0..<40 {
      let store = try Store(at: path)
      let results = try store.liveResults(of: FeedModel.byName)
      try store.insertRecipes("a")
      // The feed thread is processing the commit at this moment.
      withExtendedLifetime(results) {}
    }
    try closeAndVerify(try Store(at: path))
  }

  @Test func theThreadEndsWithTheLastAndComesBackWithTheNext() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      for number in 0..<20 {
        try await follow(store, until: "\(number)")
        // Sometimes the next feed begins before the thread has ended.
        if number % 2 == 0 { try await untilAsleep(store) }
      }
      try await untilAsleep(store)
      #expect(store.notifier.spanCounts.isEmpty)
    }
  }

  /// Follows a feed until one commit has arrived.
  private func follow(_ store: Store, until name: String) async throws {
    let results = try store.liveResults(of: FeedModel.byName)
    #expect(store.notifier.isAwake)
    let task = Task {
      var changes = results.changes.makeAsyncIterator()
      return try await changes.next()
    }
    try store.insertRecipes(name)
    #expect(try await task.value?.difference.rows.count == 1)
  }

  private func untilAsleep(_ store: Store) async throws {
    for _ in 0..<10_000 where store.notifier.isAwake { try await Task.sleep(for: .milliseconds(2)) }
    #expect(!store.notifier.isAwake)
  }

  @Test func aReaderThatWasCancelledCanBeUsedAgain() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      let results = try store.liveResults(of: FeedModel.byName)
      for number in 0..<10 {
        let cancelled = Task {
          var changes = results.changes.makeAsyncIterator()
          return try await changes.next()
        }
        if number % 2 == 0 { try await Task.sleep(for: .milliseconds(2)) }
        cancelled.cancel()
        #expect(try await cancelled.value == nil)
        let task = Task {
          var changes = results.changes.makeAsyncIterator()
          return try await changes.next()
        }
        try store.insertRecipes("\(number)")
        #expect(try await task.value?.difference.rows.count == 1)
      }
    }
  }
}
