import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Processes that apply commits to projections are killed at random and selected moments.
@Suite(.hangLimit) struct ProjectionCrashTests {
  /// The number of kills; `DAYBOOK_KILLS` overrides it.
  private let killCount = Rounds.given("DAYBOOK_KILLS") ?? 60

  @Test func killedProjectionsGoOnWithoutAGapOrARepeat() throws {
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

  /// One process writes without the projection; this one has it, and reads it continuously.
  @Test func whatAnotherProcessWritesIsTakenIn() async throws {
    let directory = try TemporaryDirectory()
    var options = StoreOptions()
    options.projections = [
      ChainProjection("inline", mode: .inline), ChainProjection("catchUp", mode: .catchUp),
    ]
    let store = try Store(at: directory.path("store"), model: CrashRun.model, options: options)
    try store.writeNow { try $0.insert("Tag", ["name": "all"]) }
    let writer = KilledWriter(seed: 1, first: 0)
    try writer.start(store.path, durability: "relaxed", mode: "one", probe: "none", count: 1)
    // The writer has begun.
    try await store.projection("catchUp").wait(for: 12)
    for number in 0..<30 {
      #expect(try ChainProjection.check("inline", in: store) >= 12)
      try ChainProjection.check("catchUp", in: store)
      if number % 3 == 0 { try store.writeNow { try $0.insert("Tag", ["name": .string("\(number)")]) } }
      try await Task.sleep(for: .milliseconds(2))
    }
    _ = try writer.kill()
    let head = try store.position
    try await store.projection("catchUp").wait(for: head)
    #expect(try ChainProjection.check("inline", in: store) == head)
    #expect(try ChainProjection.check("catchUp", in: store) == head)
    try closeAndVerify(store)
  }

  /// A waiting process is woken when another process's thread has applied the commit.
  @Test func whoDoesNotKnowAProjectionIsWokenByTheProcessThatDoes() async throws {
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

/// A store whose writers have one projection, two or none, and are killed.
private struct ProjectionCrashRun {
  private let directory: TemporaryDirectory
  private let path: String
  private var random: SeededRandom
  private var next: [UInt64: UInt64] = [1: 0, 2: 0]
  private(set) var killCount = 0
  /// The number of unfinished rebuilds that were found.
  private(set) var unfinishedCount = 0

  private static let names = ["inline", "catchUp"]

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
    options.projections = [ChainProjection("inline", mode: .inline), ChainProjection("catchUp", mode: .catchUp)]
    return options
  }

  mutating func round() throws {
    let probes = WriteProbe.ofCommits + [.beforeProjectionCommit, .afterProjectionCommit]
    let writers = next.keys.sorted().prefix(random.number(1...2)).map { KilledWriter(seed: $0, first: next[$0] ?? 0) }
    for writer in writers {
      let probe = random.isTrue(percent: 60) ? random.pick(probes).rawValue : "none"
      try writer.start(
        path, durability: "relaxed", mode: random.pick(["one", "batch", "rebuild", "rebuild"]), probe: probe,
        count: random.number(1...30), projections: random.pick(["none", "inline", "catchUp+inline", "inline+catchUp"]))
    }
    Thread.sleep(forTimeInterval: Double(random.number(30...120) * (1 + killCount / 60)) / 1_000)
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
        try ChainProjection.check(status.name, in: store)
        if status.rebuild != nil { unfinishedCount += 1 }
      }
      store.close()
    }
    let store = try Store(at: path, options: options)
    for name in Self.names {
      try store.projection(name).catchUp()
      guard try ChainProjection.check(name, in: store) == store.position else { throw Mismatch("\(name) is behind") }
    }
    store.close()
  }

  /// Checks that rebuilt rows equal the live ones, even after an interrupted rebuild.
  func finish() throws {
    let store = try Store(at: path, options: options)
    for name in Self.names {
      let live = try store.projection(name).read { try $0.allRows() }
      try store.projection(name).rebuild()
      let rebuilt = try store.projection(name).read { try $0.allRows() }
      guard rebuilt == live else { throw Mismatch("rebuilt rows of \(name) differ") }
    }
    try closeAndVerify(store)
  }
}
