import DaybookTestSupport
import Testing

/// The power fails while a store is created, written, rebuilt, copied and closed.
///
/// Any sectors that were not flushed may be lost; acknowledged commits are not, and the store continues.
@Suite(.hangLimit, .enabled(if: DiskProcess.library != nil, .init(rawValue: DiskProcess.reason)))
struct PowerCutTests {
  /// The number of cuts per store.
  private static let cutsPerStore = 25

  /// The number of cuts; `DAYBOOK_CUTS` overrides it.
  private let cutCount = Rounds.of(150, "DAYBOOK_CUTS")

  private static func broken(_ results: [PowerCutRun.Result]) -> [String] {
    results.compactMap { if case .broken(let reason) = $0 { reason } else { nil } }
  }

  @Test(arguments: Seeds.shards) func nothingIsLostInAPowerCut(shard: Int) throws {
    try Seeds.run((cutCount + Self.cutsPerStore - 1) / Self.cutsPerStore, shard: shard) { seed in
      let broken = Self.broken(try PowerCutRun(seed: seed).cut(Self.cutsPerStore, boot: "second"))
      if let first = broken.first { throw Mismatch("\(broken.count) of \(Self.cutsPerStore): \(first)") }
    }
  }

  @Test func aNodeHasWhatItAcknowledgedThoughAllServersLoseIt() throws {
    try Seeds.run(max(cutCount / 75, 1)) { seed in
      let run = try PowerCutRun(seed: seed, durability: "replicated")
      let broken = Self.broken(try run.cut(Self.cutsPerStore, boot: "second"))
      if let first = broken.first { throw Mismatch("\(broken.count) of \(Self.cutsPerStore): \(first)") }
    }
  }

  @Test func aStoreThatIsNotFlushedAtOnceLosesAtMostWhatItFlushesLast() throws {
    try Seeds.run(1) { seed in
      let run = try PowerCutRun(seed: seed, durability: "relaxed")
      // The writer's batches have four commits, which share one flush.
      let broken = Self.broken(try run.cut(Self.cutsPerStore, boot: "second", loss: 4))
      if let first = broken.first { throw Mismatch(first) }
    }
  }

  @Test func tornProjectionsAreNotTrustedAlthoughTheLastCommitOfTheJournalMayBeLost() throws {
    // The journal's first commit after opening records that the projections are in use. It must not be the lost one.
    try Seeds.run(1) { seed in
      let run = try PowerCutRun(seed: seed, work: "reopen", durability: "relaxed")
      let broken = Self.broken(try run.cutAfterEachCall(boot: "second", loss: 1))
      if let first = broken.first { throw Mismatch("\(broken.count) are broken: \(first)") }
    }
  }

  // If these stores were not torn, the tests above would prove nothing.

  @Test func projectionsThatWereNotFlushedAreTorn() throws {
    // The same run of the operating system trusts them, unless it detects at once that they are torn.
    var results: [PowerCutRun.Result] = []
    try Seeds.run(4) { seed in results += try PowerCutRun(seed: seed).cut(10, boot: "first", isHard: true) }
    try Self.requireTorn(results) { if case .whole(_, keptProjections: true) = $0 { false } else { true } }
  }

  @Test func aJournalOnADiskThatLiesIsTorn() throws {
    try Seeds.run(1) { seed in
      let run = try PowerCutRun(seed: seed)
      let results = try run.cut(10, boot: "second", isHard: true, liesAboutFlushes: true)
      try Self.requireTorn(results) { if case .broken = $0 { true } else { false } }
    }
  }

  /// Requires that at least half of the results are torn.
  private static func requireTorn(_ results: [PowerCutRun.Result], isTorn: (PowerCutRun.Result) -> Bool) throws {
    let count = results.count(where: isTorn)
    if 2 * count < results.count { throw Mismatch("only \(count) of \(results.count) are torn: \(results)") }
  }
}
