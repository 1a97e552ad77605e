import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Commits on which a projection throws.
@Suite(.hangLimit) struct ProjectionFailureTests {
  private struct Bad: Error, CustomStringConvertible {
    let description: String
  }

  /// Returns a projection of recipe names, which throws on some after half of its changes.
  private func names(
    throwingOn bad: Shared<Set<String>>, mode: ProjectionMode = .catchUp, onFailure: ProjectionFailurePolicy,
    version: Int = 1
  ) -> ClosureProjection {
    ClosureProjection(version: version, mode: mode, onFailure: onFailure) { commit, rows in
      for name in try commit.insertedNames() {
        try rows.add(to: name)
        if bad.now.contains(name) { throw Bad(description: "cannot read \(name)") }
        try rows.add(to: "count")
      }
    }
  }

  private func names(in store: Store) throws -> [String] {
    var numbers = try store.numbers()
    #expect(numbers.removeValue(forKey: "count") ?? 0 == numbers.count)
    #expect(numbers.values.allSatisfy { $0 == 1 })
    return numbers.keys.sorted()
  }

  @Test(arguments: [ProjectionMode.catchUp, .inline])
  func aCommitThatThrowsIsSetAsideWithItsReason(mode: ProjectionMode) throws {
    let bad = Shared<Set<String>>(["c"])
    let options = StoreOptions.knowing(names(throwingOn: bad, mode: mode, onFailure: .quarantine))
    try withTemporaryStore(FeedModel.model, options: options) { store in
      try store.insertRecipes("a")
      try store.insertRecipes("b", "c")
      try store.insertRecipes("d")
      try store.projection("mine").catchUp()
      #expect(try names(in: store) == ["a", "d"])
      let set = QuarantinedCommit(position: 3, reason: "cannot read c", state: .quarantined)
      #expect(try store.projection("mine").quarantine() == [set])
      #expect(try store.projections().first?.quarantineCount == 1)
      // Retried without a change, it stays in quarantine.
      try store.projection("mine").retry(set.position)
      #expect(try store.projection("mine").quarantine() == [set])
      #expect(try names(in: store) == ["a", "d"])
      bad.now = []
      try store.projection("mine").retry(set.position)
      #expect(try store.projection("mine").quarantine().isEmpty)
      #expect(try store.projections().first?.quarantineCount == 0)
      #expect(try names(in: store) == ["a", "b", "c", "d"])
    }
  }

  /// A retry builds all rows again, each commit in its order: nothing is applied late.
  @Test(arguments: [ProjectionMode.catchUp, .inline])
  func aCommitThatIsRetriedIsAppliedInItsPlace(mode: ProjectionMode) throws {
    let (isBad, applied) = (Shared(true), Shared<[Position]>([]))
    let projection = ClosureProjection(mode: mode, onFailure: .quarantine) { commit, rows in
      let position = commit.position
      applied.change { $0.append(position) }
      if position == 3, isBad.now { throw Bad(description: "not yet") }
      for name in try commit.insertedNames() {
        try rows.put("mineRow", key: ["last"], ["data": .data(Array(name.utf8))])
      }
    }
    try withTemporaryStore(FeedModel.model, options: .knowing(projection)) { store in
      for name in ["a", "b", "c"] { try store.insertRecipes(name) }
      try store.projection("mine").catchUp()
      isBad.now = false
      applied.now = []
      try store.projection("mine").retry()
      #expect(applied.now == [1, 2, 3, 4])
      let last = Request<StoredObject>(entity: "mineRow")
      #expect(try store.fetch(last).rows.map { $0["data"] } == [.data(Array("c".utf8))])
      #expect(try store.at(3).fetch(last).rows.map { $0["data"] } == [.data(Array("b".utf8))])
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
      let error = #expect(throws: StoreError.self) { try store.projection("mine").catchUp() }
      #expect(error?.code == .projectionStopped)
      #expect(try names(in: store) == ["a"])
      #expect(try store.projection("mine").quarantine().map(\.state) == [.stopped])
      let status = try #require(try store.projections().first)
      #expect(status.checkpoint == 2 && status.lag == 2)
      #expect(status.stop?.position == 3 && status.stop?.reason == "cannot read c")
      let waiting = await #expect(throws: StoreError.self) { try await store.projection("mine").wait(for: 3) }
      #expect(waiting?.code == .projectionStopped)
      try await store.projection("mine").wait(for: 2)
      bad.now = []
      try store.projection("mine").retry(3)
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
      try store.insertRecipes("a")
      try store.insertRecipes("b", "c")
      try store.insertRecipes("d")
      try store.insertRecipes("e")
      for commit in [Position(3), 4] {
        #expect(throws: StoreError.self) { try store.projection("mine").catchUp() }
        #expect(try store.projections().first?.stop?.position == commit)
        try store.projection("mine").skip(commit)
      }
      try store.projection("mine").catchUp()
      #expect(try names(in: store) == ["a", "e"])
      #expect(try store.projection("mine").quarantine().map(\.state) == [.skipped, .skipped])
      bad.now = []
      try store.projection("mine").rebuild()
      #expect(try names(in: store) == ["a", "e"])
      #expect(try store.projection("mine").quarantine().map(\.state) == [.skipped, .skipped])
      // Skipping can be undone.
      try store.projection("mine").retry()
      #expect(try names(in: store) == ["a", "b", "c", "d", "e"])
      #expect(try store.projection("mine").quarantine().isEmpty)
    }
  }

  @Test func aLaterVersionMeetsSkippedCommitsAgain() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let bad = Shared<Set<String>>(["b"])
    let store = try Store(
      at: path, model: FeedModel.model, options: .knowing(names(throwingOn: bad, onFailure: .stop)))
    try store.insertRecipes("a")
    try store.insertRecipes("b")
    #expect(throws: StoreError.self) { try store.projection("mine").catchUp() }
    try store.projection("mine").skip(3)
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
    for name in ["a", "b", "c"] { try first.insertRecipes(name) }
    try first.projection("mine").catchUp()
    first.close()
    let second = try Store(at: path, options: .knowing(names(throwingOn: bad, onFailure: .stop, version: 2)))
    #expect(throws: StoreError.self) { try second.projection("mine").catchUp() }
    #expect(try second.projections().first?.version == 1)
    #expect(try second.projections().first?.stop?.position == 3)
    #expect(try second.projection("mine").quarantine().map(\.position) == [3])
    // The rows of the first version stay as they are.
    #expect(try names(in: second) == ["a", "b", "c"])
    try second.projection("mine").skip(3)
    try second.projection("mine").catchUp()
    #expect(try second.projections().first?.version == 2)
    #expect(try names(in: second) == ["a", "c"])
    #expect(try second.projection("mine").quarantine().map(\.state) == [.skipped])
    try closeAndVerify(second)
  }

  @Test func onlyCommitsThatWereNotTakenInCanBeSkipped() throws {
    let options = StoreOptions.knowing(names(throwingOn: Shared([]), onFailure: .stop))
    try withTemporaryStore(FeedModel.model, options: options) { store in
      try store.insertRecipes("a")
      #expect(throws: StoreError.self) { try store.projection("mine").skip(2) }
      try store.projection("mine").catchUp()
      let calls: [() throws -> Void] = [
        { try store.projection("mine").skip(2) }, { try store.projection("mine").retry(2) },
        { try store.projection("mine").skip(9) },
      ]
      for call in calls {
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
    try other.projection("mine").skip(3)
    #expect(try other.projections().map(\.mode) == [nil])
    other.close()
    let again = try Store(at: path, options: options)
    #expect(throws: StoreError.self) { try again.projection("mine").catchUp() }
    #expect(try names(in: again) == ["a"])
    again.close()
    let third = try Store(at: path)
    try third.projection("mine").retry(4)
    third.close()
    bad.now = []
    let last = try Store(at: path, options: options)
    try last.projection("mine").catchUp()
    #expect(try names(in: last) == ["a", "c"])
    try closeAndVerify(last)
  }

  /// The rows after a commit of a model that is left out are those by this model.
  @Test(arguments: [ProjectionMode.catchUp, .inline])
  func aCommitOfAModelCanFailToo(mode: ProjectionMode) throws {
    let projection = ClosureProjection(mode: mode, onFailure: .quarantine) { commit, rows in
      try rows.add(to: "begun")
      if commit.isModel, commit.position > 1 { throw Bad(description: "not this one") }
      for id in commit.inserted("Recipe") {
        if case .string(let note)? = try commit.after.get(id)?["note"] { try rows.add(to: note) }
      }
    }
    try withTemporaryStore(FeedModel.model, options: .knowing(projection)) { store in
      try store.insertRecipes("a")
      var model = FeedModel.model
      model.entities[0].attributes.append(Attribute(name: "note", type: .string, isOptional: true))
      try store.apply(model)
      try store.write { _ = try $0.insert("Recipe", ["name": "b", "note": "rare"]) }
      try store.projection("mine").catchUp()
      #expect(try store.projection("mine").quarantine().map(\.position) == [3])
      #expect(try store.numbers() == ["begun": 3, "rare": 1])
    }
  }
}
