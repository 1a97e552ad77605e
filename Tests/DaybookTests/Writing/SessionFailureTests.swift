import DaybookModel
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// A commit of a session fails for a common reason: none is kept or acknowledged.
///
/// The reason is a map that is too small and cannot grow, because another thread of the process reads continuously.
@Suite(.hangLimit) struct SessionFailureTests {
  private static let model = Model(entities: [
    Entity(
      name: "Note", nameAttribute: "title",
      attributes: [Attribute(name: "title", type: .string), Attribute(name: "body", type: .data, isOptional: true)])
  ])

  private static var tinyMaps: StoreOptions {
    var options = StoreOptions()
    options.journalMapSizeInBytes = 1 << 20
    options.projectionsMapSizeInBytes = 1 << 20
    return options
  }

  private static let large = Value.data([UInt8](repeating: 1, count: 2 << 20))

  /// Returns the error of the store for an operation, or `nil` if it succeeds.
  private func refusal(_ body: () throws -> Void) throws -> StoreError? {
    do {
      try body()
      return nil
    } catch let error as StoreError {
      return error
    }
  }

  @Test func aBatchThatCannotGoOnLeavesNothing() throws {
    try withTemporaryStore(Self.model, options: Self.tinyMaps) { store in
      try store.write { try $0.insert("Note", ["title": "before"]) }
      let rows = try store.projectionRows()
      let ids = (0..<4).map { _ in ObjectID(UUID()) }
      try store.read { _ in
        let error = try refusal {
          try store.batch { batch in
            try batch.commit(CommitInfo(commitID: ids[0])) { try $0.insert("Note", ["title": "a"]) }
            let error = try refusal {
              try batch.commit(CommitInfo(commitID: ids[1])) {
                try $0.insert("Note", ["title": "b", "body": Self.large])
              }
            }
            #expect(error?.code == .busy)
            // Further commits are refused for the same reason, whether new or known.
            for id in [ids[0], ids[2]] {
              let error = try refusal {
                try batch.commit(CommitInfo(commitID: id)) { try $0.insert("Note", ["title": "c"]) }
              }
              #expect(error?.code == .busy)
            }
          }
        }
        #expect(error?.code == .busy)
        #expect("\(String(describing: error))".contains("try again"))
      }
      #expect(try store.position == 2)
      #expect(try store.projectionRows().firstDifference(from: rows) == nil)
      // The commit ids are free, and the maps can grow.
      for id in ids {
        let result = try store.commit(CommitInfo(commitID: id)) {
          try $0.insert("Note", ["title": "again", "body": Self.large])
        }.result
        #expect(result != nil)
      }
      #expect(try store.position == 6)
    }
  }

  @Test func groupedWritersAreAllToldWhenTheirSessionFails() async throws {
    try await withTemporaryStore(Self.model, options: Self.tinyMaps) { store async throws in
      let gate = Gate()
      // A reader that stays, and a writer that holds the lock until the others have queued up.
      gate.start { try store.read { _ in gate.waitUntilOpen("reader") } }
      gate.start { try store.write { _ in gate.waitUntilOpen("writer") } }
      while gate.guestCount < 2 { try await Task.sleep(for: .milliseconds(1)) }
      let sizes = [10, 10, 10, 2 << 20, 10, 10]
      let results = await withTaskGroup(of: Result<ObjectID, any Error>.self) { group in
        for (number, size) in sizes.enumerated() {
          // The first is taken alone, and waits for the lock; the others queue up, and share the next session.
          while !Task.isCancelled, number > 0,
            store.services.queue.acceptedCount == 0 || number == 1 && store.services.queue.waitingCount > 0
          {
            await Task.yield()
          }
          group.addTask {
            do {
              return .success(
                try await store.write { tx in
                  try tx.insert(
                    "Note", ["title": .string("\(number)"), "body": .data([UInt8](repeating: 1, count: size))])
                })
            } catch {
              return .failure(error)
            }
          }
        }
        while !Task.isCancelled, store.services.queue.acceptedCount < sizes.count { await Task.yield() }
        gate.open("writer")
        var results: [Result<ObjectID, any Error>] = []
        for await result in group { results.append(result) }
        return results
      }
      gate.open("reader")
      while gate.guestCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
      let kept = try store.fetch(Request(entity: "Note")).rows.map(\.id)
      let acknowledged = results.compactMap { try? $0.get() }
      #expect(Set(kept) == Set(acknowledged))
      // The large one failed, and all that shared its session.
      #expect(acknowledged.count == 1)
      for case .failure(let error) in results { #expect((error as? StoreError)?.code == .busy, "\(error)") }
      #expect(try store.position.number == UInt64(1 + kept.count))
      try await store.write { try $0.insert("Note", ["title": "after", "body": Self.large]) }
    }
  }

  /// Another writer may commit while the map grows: the closure runs again, and sees that commit.
  @Test func aWriteForWhichTheMapGrowsRunsAgainAtThePresentHead() throws {
    try withTemporaryStore(Self.model, options: Self.tinyMaps) { store in
      for round in 0..<5 {
        let head = try store.position
        let isOver = Mutex(false)
        let other = Thread {
          do { try store.write { try $0.insert("Note", ["title": "other"]) } } catch { Issue.record(error) }
          isOver.withLock { $0 = true }
        }
        var seen: [Position] = []
        let made = try store.batch { batch in
          if seen.isEmpty {
            other.start()
            // Long enough for the other writer to wait for the lock.
            Thread.sleep(forTimeInterval: 0.05)
          }
          seen.append(batch.head)
          let body = Value.data([UInt8](repeating: 1, count: 1 << (20 + round)))
          // What a closure catches does not keep the session from running again.
          return try? batch.commit { try $0.insert("Note", ["title": "mine", "body": body]) }.position
        }
        while !isOver.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.001) }
        #expect(seen.count > 1 && seen[0] == head)
        #expect(made == seen.last?.next)
        #expect(try store.position.number == head.number + 2)
        #expect(try store.verify().isSound)
      }
    }
  }
}

/// A gate where threads wait until it is opened.
///
/// It is for separate threads: blocked tasks would keep all others from running.
private final class Gate: Sendable {
  private let condition = NSCondition()
  private let state = Mutex((guests: 0, opened: Set<String>()))

  /// The number of threads between their arrival and their end.
  var guestCount: Int { state.withLock { $0.guests } }

  func start(_ body: @escaping @Sendable () throws -> Void) {
    Thread {
      do { try body() } catch { Issue.record(error) }
      self.state.withLock { $0.guests -= 1 }
    }.start()
  }

  func waitUntilOpen(_ name: String) {
    condition.lock()
    defer { condition.unlock() }
    state.withLock { $0.guests += 1 }
    while !state.withLock({ $0.opened.contains(name) }) { condition.wait() }
  }

  func open(_ name: String) {
    condition.lock()
    defer { condition.unlock() }
    state.withLock { _ = $0.opened.insert(name) }
    condition.broadcast()
  }
}
