import DaybookTestSupport
import Synchronization
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Consumers that follow a store in every way.
///
/// They are a loop over live results, live results that are updated by calls, a loop over each commit's difference, the commits
/// themselves, and a live value.
struct Subscribers {
  private let store: Store
  private let requests: [Request<StoredObject>]
  /// The position at which the loops end.
  private let end = End()
  private let loop: Task<SectionedIDs<ObjectID>, any Error>
  private let steps: Task<SectionedIDs<ObjectID>, any Error>
  private let calls: Task<SectionedIDs<ObjectID>, any Error>
  private let commits: Task<[Position], any Error>
  private let values: Task<Value, any Error>

  /// The position at which all consumers end, once it is known.
  private final class End: Sendable {
    private let position = Mutex<Position?>(nil)
    func set(_ end: Position) { position.withLock { $0 = end } }
    func isReached(_ reached: Position) -> Bool { position.withLock { $0.map { reached >= $0 } ?? false } }
  }

  init(_ store: Store, _ requests: [Request<StoredObject>]) throws {
    (self.store, self.requests) = (store, requests)
    let end = end
    let results = try store.liveResults(of: requests[0])
    let shown = try results.ids
    loop = Task {
      var list = shown
      for try await change in results.changes {
        list = try list.applying(change.difference)
        if end.isReached(change.to) { break }
      }
      return list
    }
    steps = Task {
      var list = SectionedIDs<ObjectID>(sections: [])
      for try await change in store.changes(of: requests[1], from: 0, granularity: .everyCommit) {
        list = try list.applying(change.difference)
        if end.isReached(change.to) { break }
      }
      return list
    }
    let others = try store.liveResults(of: requests[2])
    let before = try others.ids
    calls = Task {
      var list = before
      while true {
        guard let change = try others.update() else {
          try await Task.sleep(for: .milliseconds(1))
          continue
        }
        list = try list.applying(change.difference)
        if end.isReached(change.to) { return list }
      }
    }
    commits = Task {
      var positions: [Position] = []
      for try await commit in store.commits(from: 1) {
        positions.append(commit.position)
        if end.isReached(commit.position) { break }
      }
      return positions
    }
    values = Task {
      var last = Value.null
      for try await value in store.values(of: requests[0].count()) {
        last = value.value
        if end.isReached(value.position) { break }
      }
      return last
    }
  }

  /// Waits until all consumers have reached the end, and compares their results with the store.
  ///
  /// - Parameter head: The last commit, which changes all results that are followed. The consumers may have seen it
  ///   before they know that it is the last, so one more commit of its kind is written.
  func finish(at head: Position) async throws {
    end.set(head.next)
    let type = try #require(try store.fetch(requests[2]).rows.first?.target("type"))
    try store.insertRecipes("the very end", type: type)
    let last = try store.position
    #expect(try await loop.value == store.fetch(requests[0]).ids)
    #expect(try await steps.value == store.fetch(requests[1]).ids)
    #expect(try await commits.value == (1...last.number).map { Position($0) })
    #expect(try await values.value == .integer(Int64(store.fetch(requests[0]).count)))
    #expect(try await calls.value == store.fetch(requests[2]).ids)
  }
}
