import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct RandomFeedTests {
  /// The number of batches; `DAYBOOK_BATCHES` overrides it.
  private let batchCount = Rounds.of(3_000, "DAYBOOK_BATCHES")

  @Test(arguments: Seeds.shards) func differencesAreWhatTheReferenceSays(shard: Int) throws {
    try Seeds.run(max(1, batchCount * 8 / 10 / 60), shard: shard) { seed in
      try FeedRun(seed: seed).run()
    }
  }

  @Test(arguments: Seeds.shards)
  func differencesAcrossChangesOfTheModelAreWhatTheReferenceSays(shard: Int) throws {
    try Seeds.run(max(1, batchCount * 2 / 10 / 60), shard: shard) { seed in
      var settings = FeedRun.Settings()
      settings.changesModel = true
      try FeedRun(seed: seed, settings: settings).run()
    }
  }
}
