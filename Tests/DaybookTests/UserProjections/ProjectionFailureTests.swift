import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Events on which a projection throws.
@Suite(.hangLimit) struct ProjectionFailureTests {
  private struct Bad: Error, CustomStringConvertible {
    let description: String
  }

  /// Returns a projection of recipe names, which throws on some after half of its changes.
  private func names(
    throwingOn bad: Shared<Set<String>>, mode: ProjectionMode = .catchUp, onFailure: ProjectionFailurePolicy,
    version: Int = 1
  ) -> ClosureProjection {
    ClosureProjection(version: version, mode: mode, onFailure: onFailure) { event, context in
      guard case .inserted(let fields, _) = try context.event(event).content,
        case .string(let name)? = fields.first(where: { $0.name == "name" })?.value
      else { return }
      try context.increment(Array(name.utf8), by: 1, in: "names")
      if bad.now.contains(name) { throw Bad(description: "cannot read \(name)") }
      try context.increment([], by: 1, in: "count")
    }
  }

  private func names(in store: Store) throws -> [String] {
    try store.projection("mine").read { reader in
      var names: [String] = []
      try reader.scan(in: "names") { key, value in
        names.append(String(decoding: key, as: UTF8.self))
        return true
      }
      #expect(try reader.integer([], in: "count") == Int64(names.count))
      return names
    }
  }

  @Test(arguments: [ProjectionMode.catchUp, .inline])
  func anEventThatThrowsIsSetAsideWithItsReason(mode: ProjectionMode) throws {
    let bad = Shared<Set<String>>(["b"])
    let options = StoreOptions.knowing(names(throwingOn: bad, mode: mode, onFailure: .quarantine))
    try withTemporaryStore(FeedModel.model, options: options) { store in
      try store.insertRecipes("a", "b", "c")
      try store.insertRecipes("d")
      try store.projection("mine").catchUp()
      #expect(try names(in: store) == ["a", "c", "d"])
      let set = QuarantinedEvent(
        address: EventAddress(position: 2, number: 2), reason: "cannot read b", state: .quarantined)
      #expect(try store.projection("mine").quarantine() == [set])
      #expect(try store.projections().first?.quarantineCount == 1)
      // Retried without a change, it stays in quarantine.
      try store.projection("mine").retry(set.address)
      #expect(try store.projection("mine").quarantine() == [set])
      bad.now = []
      try store.projection("mine").retry(set.address)
      #expect(try store.projection("mine").quarantine().isEmpty)
      #expect(try store.projections().first?.quarantineCount == 0)
      #expect(try names(in: store) == ["a", "b", "c", "d"])
    }
  }

  @Test(arguments: [ProjectionMode.catchUp, .inline])
  func aStoppedProjectionStandsBeforeTheCommit(mode: ProjectionMode) async throws {
    let bad = Shared<Set<String>>(["c"])
    let options = StoreOptions.knowing(names(throwingOn: bad, mode: mode, onFailure: .stop))
    try await withTemporaryStore(FeedModel.model, options: options) { store async throws in
      try store.insertRecipes("a")
      try store.insertRecipes("b", "c")
      // The commit stays, whichever projection throws.
      try store.insertRecipes("d")
      #expect(try store.position == 4)
      let address = EventAddress(position: 3, number: 2)
      let error = #expect(throws: StoreError.self) { try store.projection("mine").catchUp() }
      #expect(error?.code == .projectionStopped)
      #expect(try names(in: store) == ["a"])
      #expect(try store.projection("mine").quarantine().map(\.state) == [.stopped])
      let status = try #require(try store.projections().first)
      #expect(status.checkpoint == 2 && status.lag == 2)
      #expect(status.stop?.address == address && status.stop?.reason == "cannot read c")
      let waiting = await #expect(throws: StoreError.self) { try await store.projection("mine").wait(for: 3) }
      #expect(waiting?.code == .projectionStopped)
      try await store.projection("mine").wait(for: 2)
      bad.now = []
      try store.projection("mine").retry(address)
      #expect(try names(in: store) == ["a", "b", "c", "d"])
      #expect(try store.projection("mine").quarantine().isEmpty)
      #expect(try store.projections().first?.stop == nil)
    }
  }

  @Test(arguments: [ProjectionMode.catchUp, .inline])
  func whatIsSkippedStaysOutInARebuild(mode: ProjectionMode) throws {
    let bad = Shared<Set<String>>(["b", "d"])
    let options = StoreOptions.knowing(names(throwingOn: bad, mode: mode, onFailure: .stop))
    try withTemporaryStore(FeedModel.model, options: options) { store in
      try store.insertRecipes("a", "b", "c")
      try store.insertRecipes("d", "e")
      for address in [EventAddress(position: 2, number: 2), EventAddress(position: 3, number: 1)] {
        #expect(throws: StoreError.self) { try store.projection("mine").catchUp() }
        #expect(try store.projections().first?.stop?.address == address)
        try store.projection("mine").skip(address)
      }
      try store.projection("mine").catchUp()
      #expect(try names(in: store) == ["a", "c", "e"])
      #expect(try store.projection("mine").quarantine().map(\.state) == [.skipped, .skipped])
      bad.now = []
      let before = try store.projection("mine").read { try $0.get([], in: "count") }
      try store.projection("mine").rebuild()
      #expect(try store.projection("mine").read { try $0.get([], in: "count") } == before)
      #expect(try names(in: store) == ["a", "c", "e"])
      // Skipping can be undone.
      try store.projection("mine").retry()
      #expect(try names(in: store) == ["a", "b", "c", "d", "e"])
      #expect(try store.projection("mine").quarantine().isEmpty)
    }
  }

  @Test func aLaterVersionMeetsSkippedEventsAgain() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let bad = Shared<Set<String>>(["b"])
    let store = try Store(
      at: path, model: FeedModel.model, options: .knowing(names(throwingOn: bad, onFailure: .stop)))
    try store.insertRecipes("a", "b")
    #expect(throws: StoreError.self) { try store.projection("mine").catchUp() }
    try store.projection("mine").skip(EventAddress(position: 2, number: 2))
    try store.projection("mine").catchUp()
    #expect(try names(in: store) == ["a"])
    store.close()
    let later = try Store(
      at: path, options: .knowing(names(throwingOn: Shared([]), onFailure: .stop, version: 2)))
    try later.projection("mine").catchUp()
    #expect(try names(in: later) == ["a", "b"])
    try closeAndVerify(later)
  }

  @Test func aStoppedProjectionCanBeRebuiltByMendedCode() throws {
    let bad = Shared<Set<String>>(["b"])
    let options = StoreOptions.knowing(names(throwingOn: bad, onFailure: .stop))
    try withTemporaryStore(FeedModel.model, options: options) { store in
      try store.insertRecipes("a", "b")
      try store.insertRecipes("c")
      for _ in 0..<2 {
        let error = #expect(throws: StoreError.self) { try store.projection("mine").rebuild() }
        #expect(error?.code == .projectionStopped)
      }
      #expect(try names(in: store) == [])
      bad.now = []
      try store.projection("mine").rebuild()
      #expect(try names(in: store) == ["a", "b", "c"])
      #expect(try store.projections().first?.stop == nil)
    }
  }

  @Test func aVersionThatStopsWhileItIsBuiltCanSkip() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let bad = Shared<Set<String>>(["b"])
    let first = try Store(
      at: path, model: FeedModel.model, options: .knowing(names(throwingOn: Shared([]), onFailure: .stop)))
    try first.insertRecipes("a", "b", "c")
    try first.projection("mine").catchUp()
    first.close()
    let second = try Store(at: path, options: .knowing(names(throwingOn: bad, onFailure: .stop, version: 2)))
    let address = EventAddress(position: 2, number: 2)
    #expect(throws: StoreError.self) { try second.projection("mine").catchUp() }
    #expect(try second.projections().first?.version == 1)
    #expect(try second.projections().first?.stop?.address == address)
    #expect(try second.projection("mine").quarantine().map(\.address) == [address])
    try second.projection("mine").skip(address)
    try second.projection("mine").catchUp()
    #expect(try second.projections().first?.version == 2)
    #expect(try names(in: second) == ["a", "c"])
    #expect(try second.projection("mine").quarantine().map(\.state) == [.skipped])
    try closeAndVerify(second)
  }

  @Test func onlyEventsThatWereNotTakenInCanBeSkipped() throws {
    let options = StoreOptions.knowing(names(throwingOn: Shared([]), onFailure: .stop))
    try withTemporaryStore(FeedModel.model, options: options) { store in
      try store.insertRecipes("a")
      let address = EventAddress(position: 2, number: 1)
      #expect(throws: StoreError.self) { try store.projection("mine").skip(address) }
      try store.projection("mine").catchUp()
      for call in [{ try store.projection("mine").skip(address) }, { try store.projection("mine").retry(address) }] {
        let error = #expect(throws: StoreError.self) { try call() }
        #expect(error?.code == .notFound)
      }
      #expect(throws: StoreError.self) { try store.projection("nothing").retry() }
    }
  }

  @Test func whoDoesNotKnowTheProjectionCanDecideToo() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let bad = Shared<Set<String>>(["b", "c"])
    let options = StoreOptions.knowing(names(throwingOn: bad, onFailure: .stop))
    let store = try Store(at: path, model: FeedModel.model, options: options)
    try store.insertRecipes("a")
    try store.insertRecipes("b")
    try store.insertRecipes("c")
    #expect(throws: StoreError.self) { try store.projection("mine").catchUp() }
    store.close()
    let other = try Store(at: path)
    try other.projection("mine").skip(EventAddress(position: 3, number: 1))
    #expect(try other.projections().first?.isKnown == false)
    other.close()
    let again = try Store(at: path, options: options)
    #expect(throws: StoreError.self) { try again.projection("mine").catchUp() }
    #expect(try names(in: again) == ["a"])
    again.close()
    let third = try Store(at: path)
    try third.projection("mine").retry(EventAddress(position: 4, number: 1))
    third.close()
    bad.now = []
    let last = try Store(at: path, options: options)
    try last.projection("mine").catchUp()
    #expect(try names(in: last) == ["a", "c"])
    try closeAndVerify(last)
  }

  @Test func theBeginningOfACommitCanFailToo() throws {
    struct Beginner: Projection {
      let name = "mine"
      let version = 1
      let onFailure = ProjectionFailurePolicy.quarantine
      func begin(_ commit: ProjectedCommit, in context: borrowing ProjectionContext) throws {
        try context.increment([], by: 1, in: "begun")
        if commit.position == 2 { throw Bad(description: "not this one") }
      }
      func apply(_ event: borrowing RawEvent, in context: borrowing ProjectionContext) throws {
        try context.increment([], by: 1, in: "events")
      }
    }
    try withTemporaryStore(FeedModel.model, options: .knowing(Beginner())) { store in
      try store.insertRecipes("a")
      try store.insertRecipes("b")
      try store.projection("mine").catchUp()
      #expect(try store.projection("mine").quarantine().map(\.address) == [EventAddress(position: 2, number: 0)])
      let counts = try store.projection("mine").read {
        [try $0.integer([], in: "begun"), try $0.integer([], in: "events")]
      }
      #expect(counts == [2, 2])
    }
  }
}
