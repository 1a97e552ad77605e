import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct RandomEditingTests {
  /// All operations of contexts, compared with the reference.
  ///
  /// They are edits, undo and redo, nested contexts, conflicts, rebasing, saving and cancelling, reading the past,
  /// reverts.
  @Test(arguments: Seeds.shards) func contextsShowAndSaveWhatTheReferenceSays(shard: Int) throws {
    try Seeds.run(max(1, Rounds.of(6_000, "DAYBOOK_EDITS") / 160), shard: shard) { seed in
      try EditingRun(seed: seed).run()
    }
  }

  /// Short sessions in which other writers commit about as often as the context edits.
  @Test(arguments: Seeds.shards) func contextsAreMergedAsTheReferenceSays(shard: Int) throws {
    let settings = EditingRun.Settings(sessionCount: 40, stepCount: 6, revertCount: 1, othersPercent: 35)
    let runCount = max(1, Rounds.of(800, "DAYBOOK_MERGES") / 23)
    var (merges, conflicts) = (0, 0)
    try Seeds.run(runCount, shard: shard) { seed in
      let run = try EditingRun(seed: seed, settings: settings)
      try run.run()
      merges += run.mergeCount
      conflicts += run.conflictCount
    }
    guard Seeds.given == nil, runCount > 4 else { return }
    #expect(merges >= runCount / Seeds.shards.count * 18, "Runs make fewer merges than they are counted for.")
    #expect(conflicts * 3 > merges, "Of \(merges) merges only \(conflicts) had conflicts.")
  }
}
