import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Feeds of derived entities while another process writes, and at the end of a store.
@Suite(.hangLimit) struct DerivedProcessTests {
  /// Follows the figures of a chain from before another process writes to it until it has written ten commits.
  private func follow(_ store: Store, _ projection: String, _ start: () throws -> Void) async throws {
    let figures = Request<StoredObject>(entity: ChainProjection.figuresEntity(of: projection))
    var (ids, last, count) = (SectionedIDs<ObjectID>(unsectioned: []), Position.empty, 0)
    for try await change in store.changes(of: figures) {
      #expect(change.from == last && change.to > last && !change.isReset)
      ids = try ids.applying(change.difference)
      last = change.to
      // The rows are of the position of the change.
      let rows = try store.at(last).fetch(figures)
      #expect(rows.ids == ids && rows.rows.map { $0["commits"] } == [.integer(Int64(last.number))])
      if count == 0 { try start() }
      count += 1
      if last >= 12 { break }
    }
    #expect(count > 1)
  }

  /// Makes a store with rows of a projection, and opens it with the projections that this process is to know.
  private func openStore(
    in directory: TemporaryDirectory, with projection: ChainProjection, knowing known: [any Projection]
  ) throws -> Store {
    let path = directory.path("store")
    let made = try Store(at: path, model: CrashRun.model, options: .knowing(projection))
    try made.writeNow { try $0.insert("Tag", ["name": "all"]) }
    try made.projection(projection.name).catchUp()
    made.close()
    var options = StoreOptions()
    options.projections = known
    return try Store(at: path, options: options)
  }

  @Test(arguments: ["inline", "catchUp"])
  func `rows of a projection that this process does not know are followed`(_ name: String) async throws {
    let directory = try TemporaryDirectory()
    let mode = try #require(ProjectionMode(rawValue: name))
    let store = try openStore(in: directory, with: ChainProjection(name, mode: mode), knowing: [])
    let writer = KilledWriter(seed: 1, first: 0)
    try await follow(store, name) {
      try writer.start(store.path, durability: "relaxed", mode: "one", probe: "none", count: 1, projections: name)
    }
    _ = try writer.kill()
    try ChainProjection.check(name, in: store)
    try closeAndVerify(store)
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func `commits of a process that does not know a projection are followed`(_ mode: ProjectionMode) async throws {
    let directory = try TemporaryDirectory()
    let chain = ChainProjection("chain", mode: mode)
    let store = try openStore(in: directory, with: chain, knowing: [chain])
    let writer = KilledWriter(seed: 1, first: 0)
    try await follow(store, "chain") {
      try writer.start(store.path, durability: "relaxed", mode: "one", probe: "none", count: 1)
    }
    _ = try writer.kill()
    try closeAndVerify(store)
  }

  @Test func `a feed of an entity that neither the store nor the process has throws`() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      var feed = store.changes(of: Request(entity: ChainProjection.figuresEntity(of: "chain"))).makeAsyncIterator()
      await #expect { try await feed.next() } throws: { ($0 as? StoreError)?.code == .badRequest }
    }
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func `a feed ends with the store and with its task`(_ mode: ProjectionMode) async throws {
    let options = StoreOptions.knowing(ChainProjection("chain", mode: mode))
    let figures = Request<StoredObject>(entity: ChainProjection.figuresEntity(of: "chain"))
    try await withTemporaryStore(FeedModel.model, options: options) { store in
      try store.projection("chain").catchUp()
      let (changes, seen) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        for try await _ in store.changes(of: figures) { seen.yield() }
      }
      var iterator = changes.makeAsyncIterator()
      await iterator.next()
      task.cancel()
      try await task.value
      var feed = store.changes(of: figures).makeAsyncIterator()
      _ = try await feed.next()
      store.close()
      await #expect { try await feed.next() } throws: { ($0 as? StoreError)?.code == .closed }
    }
  }
}
