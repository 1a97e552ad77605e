import DaybookModel
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Concurrent writes of asynchronous callers, which share flushes.
@Suite(.hangLimit) struct GroupCommitTests {
  private static let model = Model(entities: [
    Entity(
      name: "Note", nameAttribute: "title", attributes: [Attribute(name: "title", type: .string)], unique: [["title"]])
  ])

  /// Counts the commits of the journal's environment, which are its flushes.
  private final class FlushCounter: Sendable {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }

    var options: StoreOptions {
      var options = StoreOptions()
      options.probe = { [self] probe in
        if probe == .betweenCommits { state.withLock { $0 += 1 } }
      }
      return options
    }
  }

  /// Runs a body while the store's write lock is held, and releases the lock afterwards.
  private func withWritersWaiting<Result: Sendable>(
    _ store: Store, until isReady: @escaping @Sendable () -> Bool, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let isHeld = Signal()
    let mayGo = DispatchSemaphore(value: 0)
    let thread = Thread {
      do {
        try store.write { _ in
          isHeld.raise()
          mayGo.wait()
        }
      } catch { Issue.record(error) }
    }
    thread.start()
    while !isHeld.isRaised { try await Task.sleep(for: .milliseconds(1)) }
    async let result = body()
    while !isReady() { try await Task.sleep(for: .milliseconds(1)) }
    mayGo.signal()
    return try await result
  }

  @Test func concurrentWritersShareFlushes() async throws {
    let counter = FlushCounter()
    try await withTemporaryStore(Self.model, options: counter.options) { store async throws in
      let count = 100
      let before = counter.count
      let ids = try await withWritersWaiting(store, until: { store.services.queue.acceptedCount == count }) {
        try await withThrowingTaskGroup(of: ObjectID.self) { group in
          for number in 0..<count {
            group.addTask { try await store.write { try $0.insert("Note", ["title": .string("\(number)")]) } }
          }
          return try await group.reduce(into: Set<ObjectID>()) { $0.insert($1) }
        }
      }
      // The first write may have been alone; the writer that held the lock changed nothing.
      #expect(counter.count - before <= 2)
      #expect(ids.count == count)
      #expect(try store.position.number == UInt64(count + 1))
    }
  }

  @Test func oneThatThrowsLeavesTheOthers() async throws {
    struct Stop: Error {}
    try await withTemporaryStore(Self.model) { store async throws in
      try await store.write { try $0.insert("Note", ["title": "taken"]) }
      let outcomes = try await withWritersWaiting(store, until: { store.services.queue.acceptedCount == 10 }) {
        await withTaskGroup(of: (Int, (any Error)?).self) { group in
          for number in 0..<9 {
            group.addTask {
              do {
                try await store.write { tx in
                  try tx.insert("Note", ["title": number == 4 ? "taken" : .string("\(number)")])
                  if number == 6 { throw Stop() }
                }
                return (number, nil)
              } catch {
                return (number, error)
              }
            }
          }
          return await group.reduce(into: [:]) { $0[$1.0] = $1.1.map { "\($0)" } ?? "" }
        }
      }
      for (number, text) in outcomes {
        switch number {
        case 4: #expect(text.contains("has the same title"))
        case 6: #expect(text.contains("Stop"))
        default: #expect(text == "")
        }
      }
      let titles = try store.fetch(Request(entity: "Note")).rows.map { "\($0["title"])" }
      #expect(titles.count == 8)
      #expect(try store.position == 9)
    }
  }

  @Test func whoIsCancelledBeforeItsTurnWritesNothing() async throws {
    try await withTemporaryStore(Self.model) { store async throws in
      let (didRun, isCancelled) = (Signal(), Signal())
      let error = try await withWritersWaiting(store, until: { isCancelled.isRaised }) { () -> (any Error)? in
        let first = Task { try await store.write { try $0.insert("Note", ["title": "first"]) } }
        // The first write is taken alone, and waits for the lock.
        while store.services.queue.acceptedCount < 1 { try await Task.sleep(for: .milliseconds(1)) }
        let second = Task { try await store.write { _ in didRun.raise() } }
        while store.services.queue.acceptedCount < 2 { try await Task.sleep(for: .milliseconds(1)) }
        second.cancel()
        isCancelled.raise()
        _ = try await first.value
        do { try await second.value } catch { return error }
        return nil
      }
      #expect(error is CancellationError)
      #expect(!didRun.isRaised)
      #expect(try store.position == 2)
    }
  }

  @Test func aTaskThatIsCancelledAlreadyWritesNothing() async throws {
    try await withTemporaryStore(Self.model) { store async throws in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await store.write { try $0.insert("Note", ["title": "never"]) }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try store.position == 1)
    }
  }

  @Test func closingCompletesWhatWasAcceptedAndRefusesTheRest() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let store = try Store(at: path, model: Self.model)
    let count = 20
    let isClosed: @Sendable () -> Bool = { (try? store.checkOpen()) == nil }  // It throws no other error here.
    let ids = try await withWritersWaiting(store, until: isClosed) {
      try await withThrowingTaskGroup(of: ObjectID.self) { group in
        for number in 0..<count {
          group.addTask { try await store.write { try $0.insert("Note", ["title": .string("\(number)")]) } }
          // The first write is taken alone and waits for the lock; the others are accepted, but not begun.
          while number == 0, store.services.queue.acceptedCount == 0 || store.services.queue.waitingCount > 0 {
            try await Task.sleep(for: .milliseconds(1))
          }
        }
        while store.services.queue.acceptedCount < count { try await Task.sleep(for: .milliseconds(1)) }
        Thread { store.close() }.start()
        return try await group.reduce(into: Set<ObjectID>()) { $0.insert($1) }
      }
    }
    #expect(ids.count == count)
    let error = await #expect(throws: StoreError.self) { try await store.write { try $0.insert("Note") } }
    #expect(error?.code == .closed)
    store.close()
    let again = try Store(at: path)
    #expect(try again.position.number == UInt64(count + 1))
    try closeAndVerify(again)
  }

  #if os(Linux)
  @Test func anIdleStoreUsesNoProcessorTime() async throws {
    try await withTemporaryStore(Self.model) { store async throws in
      let thread = try await store.write { tx in
        try tx.insert("Note", ["title": "a"])
        return pthread_self()
      }
      // The work after a commit ends after some time, even on a busy machine.
      try await Task.sleep(for: .milliseconds(200))
      let before = try Self.processorTime(of: thread)
      try await Task.sleep(for: .seconds(1))
      #expect(try Self.processorTime(of: thread) - before < 1_000_000)
    }
  }

  /// Returns the processor time of a thread in nanoseconds.
  private static func processorTime(of thread: pthread_t) throws -> Int {
    var clock = clockid_t()
    var time = timespec()
    try #require(pthread_getcpuclockid(thread, &clock) == 0)
    try #require(clock_gettime(clock, &time) == 0)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
  #endif

  @Test func aStoreThatNobodyHoldsIsClosed() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    do {
      let store = try Store(at: path, model: Self.model)
      try await store.write { try $0.insert("Note", ["title": "a"]) }
    }
    // The queue's thread may be about to release the store.
    var again: Store?
    for _ in 0..<500 where again == nil {
      do { again = try Store(at: path) } catch let error as StoreError where error.code == .exists {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    let store = try #require(again)
    #expect(try store.position == 2)
    try closeAndVerify(store)
  }
}

private final class Signal: Sendable {
  private let state = Mutex(false)
  var isRaised: Bool { state.withLock { $0 } }
  func raise() { state.withLock { $0 = true } }
}
