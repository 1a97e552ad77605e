import DaybookModel
import DaybookTestSupport
import Foundation
import LMDB
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Stores that are closed or released while their threads work, and opened again at once.
@Suite(.hangLimit) struct ClosingTests {
  private static let model = Model(entities: [
    Entity(name: "Note", nameAttribute: "title", attributes: [Attribute(name: "title", type: .string)])
  ])

  private let directory: TemporaryDirectory
  private var path: String { directory.path("store") }

  init() throws {
    directory = try TemporaryDirectory()
    try Store(at: directory.path("store"), model: Self.model).close()
  }

  private static func insert(_ title: String, _ tx: borrowing Transaction) throws {
    try tx.insert("Note", ["title": .string(title)])
  }

  private func write(_ round: Int, _ options: StoreOptions) async throws {
    let store = try Store(at: path, options: options)
    let results = try store.liveResults(of: Request(entity: "Note"))
    for number in 0..<4 { try await store.write { try Self.insert("\(round) \(number)", $0) } }
    withExtendedLifetime(results) {}
  }

  @Test func aStoreIsClosedBeforeItsLastReferenceIsGone() async throws {
    let projection = ClosureProjection { _, _ in usleep(300) }
    for round in 0..<60 {
      var options = StoreOptions()
      options.projections = [projection]
      options.snapshotIntervalInEvents = 1
      // The round's objects are released while the store's threads process its last commit.
      try await write(round, options)
    }
    let store = try Store(at: path)
    #expect(try store.fetch(Request(entity: "Note")).rows.count == 240)
    try closeAndVerify(store)
  }

  @Test func aStoreThatIsClosedInsideAWriteIsClosedAfterIt() async throws {
    let store = try Store(at: path)
    let isHeld = Shared(false)
    let hasEnded = Shared(false)
    let mayClose = DispatchSemaphore(value: 0)
    let thread = Thread {
      do {
        try store.write { tx in
          isHeld.now = true
          mayClose.wait()
          store.close()
          #expect(throws: StoreError.self) { try store.position }
          try Self.insert("synchronous", tx)
        }
      } catch { Issue.record(error) }
      hasEnded.now = true
    }
    thread.start()
    while !isHeld.now { try await Task.sleep(for: .milliseconds(1)) }
    let writes = (0..<5).map { number in
      Task { try await store.write { try Self.insert("asynchronous \(number)", $0) } }
    }
    while store.services.queue.acceptedCount < 5 { try await Task.sleep(for: .milliseconds(1)) }
    mayClose.signal()
    let deadline = ContinuousClock.now + .seconds(30)
    while !hasEnded.now, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
    try #require(hasEnded.now)
    for write in writes { try await write.value }
    // Opening waits until the store is closed.
    let second = try Store(at: path)
    #expect(try second.fetch(Request(entity: "Note")).rows.count == 6)
    try closeAndVerify(second)
  }

  @Test func anOpeningWaitsForACloseThatIsUnderWay() throws {
    let path = path
    let isEnding = DispatchSemaphore(value: 0)
    var options = StoreOptions()
    // The close waits for the projection's thread.
    options.projections = [
      ClosureProjection { commit, _ in
        if commit.isModel { return }
        isEnding.signal()
        usleep(200_000)
      }
    ]
    let store = try Store(at: path, options: options)
    try store.write { try Self.insert("first", $0) }
    isEnding.wait()
    let closing = Thread { store.close() }
    closing.start()
    while !store.files.isClosed { usleep(100) }
    try closeAndVerify(try Store(at: path))
  }

  @Test func aMapIsNotGrownInAStoreThatAnotherThreadCloses() throws {
    let store = try Store(at: path)
    store.close()
    let error = LMDBError(.mapFull, .putValue, path: store.files.journalEnvironment.path)
    #expect(throws: LMDBError.self) { try store.keeper.growMap(after: error) }
  }

  @Test func ofTwoProgramsThatCreateAStoreBothOpenIt() throws {
    let path = directory.path("new")
    let hasBegun = Shared(false)
    var options = StoreOptions()
    options.clock = {
      // The other program is faster: it creates the store between the check of the path and the creation here.
      if !hasBegun.now {
        hasBegun.now = true
        do { try Store(at: path, model: ClosingTests.model).close() } catch { Issue.record(error) }
      }
      return Timestamp(microseconds: 1)
    }
    let store = try Store(at: path, model: Self.model, options: options)
    #expect(hasBegun.now)
    try store.write { try Self.insert("first", $0) }
    try closeAndVerify(store)
  }

  @Test func theModelOfTheFasterProgramCounts() throws {
    let path = directory.path("new")
    let hasBegun = Shared(false)
    var options = StoreOptions()
    options.clock = {
      if !hasBegun.now {
        hasBegun.now = true
        do { try Store(at: path, model: CrashRun.model).close() } catch { Issue.record(error) }
      }
      return Timestamp(microseconds: 1)
    }
    let error = #expect(throws: StoreError.self) { try Store(at: path, model: Self.model, options: options) }
    #expect(error?.code == .badModel)
  }
}
