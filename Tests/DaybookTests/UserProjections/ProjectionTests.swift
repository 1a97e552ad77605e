import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct ProjectionTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path("store") }

  init() throws { directory = try TemporaryDirectory() }

  private func open(_ options: StoreOptions) throws -> Store {
    try Store(at: path, model: FeedModel.model, options: options)
  }

  private func figures(_ name: String, in store: Store) throws -> ChainProjection.Figures {
    try store.read { try ChainProjection.figures(of: name, $0).figures }
  }

  @Test func anInlineProjectionIsThereWithTheCommit() throws {
    let store = try open(.knowing(ChainProjection("chain", mode: .inline)))
    for number in 0..<5 {
      try store.insertRecipes("\(number)", "more")
      #expect(try ChainProjection.check("chain", in: store) == store.position)
    }
    #expect(try figures("chain", in: store).events == 10)
    try closeAndVerify(store)
  }

  @Test func aWriteThatThrowsLeavesNoRows() throws {
    struct Stop: Error {}
    let store = try open(.knowing(ChainProjection("chain", mode: .inline)))
    try store.insertRecipes("a")
    #expect(throws: Stop.self) {
      try store.write { tx in
        try tx.insert("Recipe", ["name": "b"])
        throw Stop()
      }
    }
    #expect(throws: Stop.self) {
      try store.batch { batch in
        try batch.commit { try $0.insert("Recipe", ["name": "c"]) }
        throw Stop()
      }
    }
    #expect(try ChainProjection.check("chain", in: store) == 2)
    try store.insertRecipes("d")
    #expect(try ChainProjection.check("chain", in: store) == 3)
  }

  /// A reader does not wait for a writer at all, and a caller that waits for a commit waits no longer than its limit.
  @Test func whoWaitsForACommitWaitsForAWriterNoLongerThanItsLimit() async throws {
    var options = StoreOptions.knowing(ChainProjection("chain", mode: .catchUp))
    options.readerLockTimeLimit = .milliseconds(20)
    let store = try open(options)
    try store.insertRecipes("a")
    let other = try OpenWrite(to: store)
    let reading = #expect(throws: StoreError.self) { try figures("chain", in: store) }
    #expect(reading?.code == .notFound)
    let waiting = await #expect(throws: StoreError.self) { try await store.projection("chain").wait(for: 2) }
    #expect(waiting?.code == .busy)
    try other.end()
    try await store.projection("chain").wait(for: 2)
    #expect(try ChainProjection.check("chain", in: store) == 2)
  }

  @Test func aCatchUpProjectionStandsWhereItIsUntilItIsTold() throws {
    let store = try open(.knowing(ChainProjection("chain", mode: .catchUp)))
    try store.projection("chain").catchUp()
    try store.insertRecipes("a")
    #expect(try ChainProjection.check("chain", in: store) == 1)
    #expect(try store.projections().first?.lag == 1)
    try store.projection("chain").catchUp()
    #expect(try ChainProjection.check("chain", in: store) == 2)
    #expect(try store.projections().first?.lag == 0)
  }

  @Test func aThreadFollowsTheCommits() async throws {
    var options = StoreOptions.knowing(ChainProjection("chain", mode: .catchUp))
    options.followsProjections = true
    let store = try open(options)
    for _ in 0..<20 {
      try store.insertRecipes("a")
      let head = try store.position
      try await store.projection("chain").wait(for: head)
      #expect(try ChainProjection.check("chain", in: store) == head)
    }
    store.close()
  }

  @Test func whoWaitsForACommitToComeIsWoken() async throws {
    let store = try open(.knowing(ChainProjection("chain", mode: .inline)))
    let waiting = Task { try await store.projection("chain").wait(for: 3) }
    try store.insertRecipes("a")
    try store.insertRecipes("b")
    try await waiting.value
    let forever = Task { try await store.projection("chain").wait(for: 1_000) }
    forever.cancel()
    await #expect(throws: CancellationError.self) { try await forever.value }
    let closed = Task { try await store.projection("chain").wait(for: 1_000) }
    try await Task.sleep(for: .milliseconds(5))
    store.close()
    let error = await #expect(throws: StoreError.self) { try await closed.value }
    #expect(error?.code == .closed)
  }

  @Test func aProjectionThatNeitherTheStoreNorTheProcessHasIsNotFound() throws {
    let store = try open(.knowing(ChainProjection("chain", mode: .catchUp)))
    #expect(throws: StoreError.self) { try store.projection("unknown") }
    try store.projection("chain").catchUp()
    store.close()
    // Its rows stay, for those that do not know its code too.
    #expect(try open(StoreOptions()).projection("chain").name == "chain")
  }

  @Test func aProjectionThatComesLaterTakesInAllThatThereIs() throws {
    let store = try Store(at: path, model: FeedModel.model)
    for _ in 0..<10 { try store.insertRecipes("a", "b") }
    store.close()
    for mode in [ProjectionMode.inline, .catchUp] {
      let store = try open(.knowing(ChainProjection("chain\(mode)", mode: mode)))
      try store.projection("chain\(mode)").catchUp()
      #expect(try ChainProjection.check("chain\(mode)", in: store) == 11)
      store.close()
    }
  }

  @Test func whatWasWrittenByWhoDoesNotKnowItIsTakenInAtTheNextWriteOrRead() throws {
    let chain = ChainProjection("chain", mode: .inline)
    try open(.knowing(chain)).close()
    for isWritten in [true, false] {
      let other = try Store(at: path)
      for _ in 0..<5 { try other.insertRecipes("a") }
      other.close()
      // Opening applies new commits too, so the test creates the gap itself.
      let store = try open(.knowing(chain))
      try store.keeper.projectionsEnvironment.withSnapshot { snapshot in
        let checkpoint = try store.keeper.currentProjections.record(of: "chain", in: snapshot).live?.checkpoint.position
        let head = try store.position
        #expect(checkpoint == head)
      }
      if isWritten { try store.insertRecipes("b") }
      #expect(try ChainProjection.check("chain", in: store) == store.position)
      store.close()
    }
  }

  @Test func rowsSurviveClosingAndTheLossOfTheEnvironment() throws {
    let chains = [ChainProjection("one", mode: .inline), ChainProjection("two", mode: .catchUp)]
    var options = StoreOptions.knowing()
    options.projections = chains
    let store = try open(options)
    for _ in 0..<5 { try store.insertRecipes("a") }
    for chain in chains { try store.projection(chain.name).catchUp() }
    let before = try chains.map { try figures($0.name, in: store) }
    store.close()
    let again = try open(options)
    #expect(try chains.map { try figures($0.name, in: again) } == before)
    again.close()
    try FileManager.default.removeItem(atPath: "\(path)/projections")
    let anew = try open(options)
    for chain in chains { try anew.projection(chain.name).catchUp() }
    #expect(try chains.map { try figures($0.name, in: anew) } == before)
    try closeAndVerify(anew)
  }

  @Test func aCrashOfTheSystemIsNotedBeforeRowsChange() throws {
    var options = StoreOptions.knowing(ChainProjection("chain", mode: .catchUp))
    options.bootIdentifier = "first"
    let store = try open(options)
    try store.insertRecipes("a")
    store.close()
    // Closed cleanly; catching up alone must remove the mark.
    let again = try open(options)
    try again.projection("chain").catchUp()
    let marker = try again.files.withJournal { TrustMarker.present(in: $0) }
    #expect(marker?.isClean == false)
    again.close()
    let last = try open(options)
    #expect(try last.files.withJournal { TrustMarker.present(in: $0)?.isClean } == true)
  }

  @Test func manyCommitsNeedManySteps() throws {
    var options = StoreOptions.knowing(ChainProjection("chain", mode: .catchUp))
    options.projectionBatchLimit = 3
    let store = try open(options)
    for _ in 0..<20 { try store.insertRecipes("a") }
    var checkpoints: [UInt64] = []
    try store.projection("chain").catchUp { progress in
      checkpoints.append(progress.completed)
      #expect(progress.total == 21)
    }
    #expect(checkpoints == [3, 6, 9, 12, 15, 18, 21])
    try ChainProjection.check("chain", in: store)
  }

  @Test func theMapGrows() throws {
    func large(_ name: String, _ mode: ProjectionMode) -> ClosureProjection {
      ClosureProjection(name, mode: mode) { commit, rows in
        for id in commit.inserted("Recipe") {
          try rows.put(
            ClosureProjection.entity(of: name), key: [.string("\(id)")],
            ["data": .data(Array(repeating: 7, count: 100_000))])
        }
      }
    }
    var options = StoreOptions.knowing(large("mine", .catchUp), large("inline", .inline))
    options.projectionsMapSizeInBytes = 512 << 10
    let store = try open(options)
    for _ in 0..<20 { try store.insertRecipes("a", "b") }
    try store.projection("mine").catchUp()
    for name in ["mine", "inline"] {
      let rows = try store.fetch(Request<StoredObject>(entity: ClosureProjection.entity(of: name))).rows
      #expect(rows.count == 40)
      #expect(rows.allSatisfy { $0["data"] == .data(Array(repeating: 7, count: 100_000)) })
    }
    try closeAndVerify(store)
  }

  @Test func manyWritersShareASessionWithAnInlineProjection() async throws {
    let store = try open(.knowing(ChainProjection("chain", mode: .inline)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask { try await store.write { _ = try $0.insert("Recipe", ["name": .string("\(number)")]) } }
      }
      try await group.waitForAll()
    }
    #expect(try ChainProjection.check("chain", in: store) == 101)
    store.close()
  }

  @Test func aChangeOfTheModelIsACommitToo() throws {
    let store = try open(.knowing(ChainProjection("chain", mode: .inline)))
    try store.insertRecipes("a")
    var model = FeedModel.model
    model.entities[0].attributes.append(Attribute(name: "note", type: .string, isOptional: true))
    try store.apply(model)
    try store.insertRecipes("b")
    #expect(try ChainProjection.check("chain", in: store) == 4)
  }

  @Test func badDeclarationsAreRefused() throws {
    let wrong: [[any Projection]] = [
      [ChainProjection("", mode: .inline)], [ChainProjection("views", mode: .inline)],
      [ChainProjection("a/b", mode: .inline)], [ChainProjection("a", mode: .catchUp, version: 0)],
      [ChainProjection("a", mode: .inline), ChainProjection("a", mode: .catchUp)],
      [ChainProjection(String(repeating: "a", count: 65), mode: .inline)],
    ]
    for projections in wrong {
      var options = StoreOptions()
      options.projections = projections
      let error = #expect(throws: StoreError.self) { try open(options) }
      #expect(error?.code == .badValue)
    }
    let store = try open(StoreOptions())
    for name in ["nothing", "", "views"] {
      #expect(throws: StoreError.self) { try store.projection(name).catchUp() }
      #expect(throws: StoreError.self) { try store.projection(name).rebuild() }
    }
    store.close()
  }
}
