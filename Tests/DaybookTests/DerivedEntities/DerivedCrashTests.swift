import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Derived rows of several processes, some of which do not know the projections, and are killed.
@Suite(.hangLimit) struct DerivedCrashTests {
  /// The number of kills; `DAYBOOK_KILLS` overrides it.
  private let killCount = Rounds.given("DAYBOOK_KILLS") ?? 24

  @Test func `rows of writers that are killed between two commits are right or behind`() throws {
    let seed = Seeds.one
    do {
      var run = try DerivedCrashRun(seed: seed)
      while run.killCount < killCount { try run.round() }
      try run.finish()
    } catch {
      throw SeedFailure(seed: seed, error: error)
    }
  }

  /// One process writes without the projections; this one reads.
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
}

/// A store whose writers know one projection of derived entities, two or none, and are killed.
private struct DerivedCrashRun {
  private static let projections = [SizeProjection(.inline), SizeProjection(.catchUp)]

  private let directory: TemporaryDirectory
  private let path: String
  private var random: SeededRandom
  private var next: [UInt64: UInt64] = [1: 0, 2: 0]
  private(set) var killCount = 0

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
    options.projections = DerivedCrashRun.projections
    return options
  }

  mutating func round() throws {
    let probes = WriteProbe.ofCommits + [.beforeProjectionCommit, .afterProjectionCommit]
    let writers = next.keys.sorted().prefix(random.number(1...2)).map { KilledWriter(seed: $0, first: next[$0] ?? 0) }
    for writer in writers {
      let probe = random.isTrue(percent: 70) ? random.pick(probes).rawValue : "none"
      try writer.start(
        path, durability: "relaxed", mode: random.pick(["one", "batch", "rebuild"]), probe: probe,
        count: random.number(1...20),
        projections: random.pick(["none", "sizes-inline", "sizes-catchUp", "sizes-inline+sizes-catchUp"]))
    }
    if random.isTrue(percent: 70) { random.pick(writers).waitForOutput() }
    Thread.sleep(forTimeInterval: Double(random.number(0...40)) / 1_000)
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
        guard let projection = SizeProjection(named: status.name), status.checkpoint > .empty else { continue }
        guard try projection.check(in: store) == status.checkpoint else {
          throw Mismatch("the rows of \(status.name) are not of \(status.checkpoint)")
        }
      }
      store.close()
    }
    let store = try Store(at: path, options: options)
    for projection in DerivedCrashRun.projections {
      try store.projection(projection.name).catchUp()
      let earlier = Position(UInt64(try random.number(1...Int(store.position.number))))
      guard try projection.check(in: store, earlier: earlier) == store.position else {
        throw Mismatch("\(projection.name) is behind")
      }
    }
    store.close()
  }

  /// Checks that rows that are built again change nothing, and that all tables are sound.
  func finish() throws {
    let store = try Store(at: path, options: options)
    for projection in DerivedCrashRun.projections {
      let list = try store.liveResults(of: Request(entity: projection.entities[0].entity.name))
      try store.projection(projection.name).rebuild()
      guard try list.update() == nil else { throw Mismatch("rebuilt rows of \(projection.name) differ") }
      try projection.check(in: store)
    }
    try closeAndVerify(store)
  }
}
