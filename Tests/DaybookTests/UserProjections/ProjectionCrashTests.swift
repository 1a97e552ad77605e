import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Rows of several processes, some of which do not know the projections, and are killed at random and selected moments.
@Suite(.hangLimit) struct ProjectionCrashTests {
  /// The number of kills; `DAYBOOK_KILLS` overrides it.
  private let killCount = Rounds.given("DAYBOOK_KILLS") ?? 60

  @Test func `projections of killed writers go on without a gap or a repeat`() throws {
    let seed = Seeds.one
    do {
      var run = try ProjectionCrashRun(seed: seed)
      // A busy machine starts writers late, so that none may be killed within a rebuild; then there are more rounds, and
      // longer ones.
      while run.killCount < killCount || run.unfinishedCount == 0 && run.killCount < 10 * killCount { try run.round() }
      try run.finish()
      #expect(run.unfinishedCount > 0, "No writer was killed within a rebuild.")
    } catch {
      throw SeedFailure(seed: seed, error: error)
    }
  }

  /// One process writes without the projections; this one follows it with them, reads them continuously and writes too.
  @Test func `what another process writes is applied by one that follows`() async throws {
    let directory = try TemporaryDirectory()
    var options = StoreOptions()
    options.projections = ProjectionCrashRun.chains
    let store = try Store(at: directory.path("store"), model: CrashRun.model, options: options)
    try store.writeNow { try $0.insert("Tag", ["name": "all"]) }
    let writer = KilledWriter(seed: 1, first: 0)
    try writer.start(store.path, durability: "relaxed", mode: "one", probe: "none", count: 1)
    // The writer has begun.
    try await store.projection("catchUp").wait(for: 12)
    #expect(try ChainProjection.check("catchUp", in: store) >= 12)
    for number in 0..<30 {
      try ChainProjection.check("inline", in: store)
      try ChainProjection.check("catchUp", in: store)
      if number % 3 == 0 { try store.writeNow { try $0.insert("Tag", ["name": .string("\(number)")]) } }
      try await Task.sleep(for: .milliseconds(2))
    }
    _ = try writer.kill()
    let head = try store.position
    for chain in ProjectionCrashRun.chains {
      try await store.projection(chain.name).wait(for: head)
      #expect(try ChainProjection.check(chain.name, in: store) == head)
    }
    try closeAndVerify(store)
  }

  /// One process writes without the projections; this one reads, and has no thread that follows.
  @Test func `commits of a process that does not know a projection are applied by a reader that does`() async throws {
    let directory = try TemporaryDirectory()
    let (inline, catchUp) = (SizeProjection(.inline), SizeProjection(.catchUp))
    let store = try Store(
      at: directory.path("store"), model: CrashRun.model, options: .knowing(inline, catchUp))
    try await store.write { try $0.insert("Tag", ["name": "all"]) }
    try store.projection(catchUp.name).catchUp()
    let checkpoint = try store.position
    let writer = KilledWriter(seed: 1, first: 0)
    try writer.start(store.path, durability: "relaxed", mode: "one", probe: "none", count: 1)
    writer.waitForOutput()
    for _ in 0..<20 {
      // Where the other process holds the lock, the rows have an earlier position.
      try inline.check(in: store)
      #expect(try catchUp.check(in: store) == checkpoint)
      try await Task.sleep(for: .milliseconds(2))
    }
    let written = try writer.kill()
    #expect(!written.isEmpty)
    let head = try store.position
    #expect(try inline.check(in: store) == head)
    #expect(try catchUp.check(in: store) == checkpoint)
    try store.projection(catchUp.name).catchUp()
    #expect(try catchUp.check(in: store) == head)
    try closeAndVerify(store)
  }

  /// A waiting process is woken when another process's thread has applied the commit.
  @Test func `a process that does not know a projection is woken by the process that does`() async throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: CrashRun.model)
    try store.writeNow { try $0.insert("Tag", ["name": "all"]) }
    let writer = KilledWriter(seed: 1, first: 0)
    try writer.start(store.path, durability: "relaxed", mode: "one", probe: "none", count: 1, projections: "catchUp")
    // The other process has to open the store with the projection first.
    var projection: StoreProjection?
    for _ in 0..<10_000 where projection == nil {
      projection = try? store.projection("catchUp")
      if projection == nil { try await Task.sleep(for: .milliseconds(1)) }
    }
    try await #require(projection).wait(for: 10)
    _ = try writer.kill()
    #expect(try ChainProjection.check("catchUp", in: store) >= 10)
    try closeAndVerify(store)
  }
}

/// A store whose writers know some projections or none, and are killed.
private struct ProjectionCrashRun {
  static let chains = [ProjectionMode.inline, .catchUp].map { ChainProjection($0.rawValue, mode: $0) }
  private static let sizes = [SizeProjection(.inline), SizeProjection(.catchUp)]
  private static let projections: [any Projection] = chains + sizes

  private let directory: TemporaryDirectory
  private let path: String
  private var random: SeededRandom
  private var next: [UInt64: UInt64] = [1: 0, 2: 0]
  private(set) var killCount = 0
  /// The number of unfinished rebuilds that were found.
  private(set) var unfinishedCount = 0

  init(seed: UInt64) throws {
    directory = try TemporaryDirectory()
    path = directory.path("store")
    random = SeededRandom(seed: seed)
    let store = try Store(at: path, model: CrashRun.model)
    try store.write { try $0.insert("Tag", ["name": "all"]) }
    store.close()
  }

  private var options: StoreOptions {
    var options = StoreOptions.knowing()
    options.projections = ProjectionCrashRun.projections
    return options
  }

  mutating func round() throws {
    let probes = WriteProbe.ofCommits + [.beforeProjectionCommit, .afterProjectionCommit]
    let writers = next.keys.sorted().prefix(random.number(1...2)).map { KilledWriter(seed: $0, first: next[$0] ?? 0) }
    for writer in writers {
      let probe = random.isTrue(percent: 60) ? random.pick(probes).rawValue : "none"
      try writer.start(
        path, durability: "relaxed", mode: random.pick(["one", "batch", "rebuild", "rebuild"]), probe: probe,
        count: random.number(1...30),
        projections: random.pick([
          "none", "inline", "catchUp+inline", "inline+catchUp", "sizes-inline", "sizes-catchUp",
          "sizes-inline+sizes-catchUp", "inline+sizes-catchUp", "sizes-inline+catchUp",
        ]))
    }
    if random.isTrue(percent: 50) { random.pick(writers).waitForOutput() }
    Thread.sleep(forTimeInterval: Double(random.number(0...120) * (1 + killCount / 60)) / 1_000)
    for writer in writers {
      for (number, _) in try writer.kill() { next[writer.seed] = max(next[writer.seed] ?? 0, number + 1) }
      killCount += 1
    }
    try check()
  }

  /// Checks that the rows left by the processes belong to one position, and lead to the head.
  private mutating func check() throws {
    if random.isTrue(percent: 50) {
      // Opened without knowledge of the projections.
      let store = try Store(at: path)
      for status in try store.projections() {
        if status.rebuild != nil { unfinishedCount += 1 }
        if status.checkpoint == .empty { continue }
        guard try ProjectionCrashRun.check(status.name, in: store) == status.checkpoint else {
          throw Mismatch("the rows of \(status.name) are not of \(status.checkpoint)")
        }
      }
      store.close()
    }
    let store = try Store(at: path, options: options)
    for projection in ProjectionCrashRun.projections {
      try store.projection(projection.name).catchUp()
      let earlier = Position(UInt64(try random.number(1...Int(store.position.number))))
      guard try ProjectionCrashRun.check(projection.name, in: store, earlier: earlier) == store.position else {
        throw Mismatch("\(projection.name) is behind")
      }
    }
    store.close()
  }

  /// Compares the rows of a projection, which the process need not know, with the store.
  ///
  /// - Returns: Their position.
  @discardableResult
  private static func check(_ name: String, in store: Store, earlier: Position? = nil) throws -> Position {
    if let projection = SizeProjection(named: name) { return try projection.check(in: store, earlier: earlier) }
    return try ChainProjection.check(name, in: store)
  }

  /// Checks that rows that are built again change nothing, even after an interrupted rebuild, and that all tables are
  /// sound.
  func finish() throws {
    let store = try Store(at: path, options: options)
    for projection in ProjectionCrashRun.projections {
      let lists = try projection.entities.map { try store.liveResults(of: Request(entity: $0.entity.name)) }
      try store.projection(projection.name).rebuild()
      for list in lists where try list.update() != nil { throw Mismatch("rebuilt rows of \(projection.name) differ") }
      try ProjectionCrashRun.check(projection.name, in: store)
    }
    try closeAndVerify(store)
  }
}
