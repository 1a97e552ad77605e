import DaybookTestSupport
import Foundation
import Testing

@Suite struct RandomEditingTests {
  /// `DAYBOOK_EDITS` asks for more.
  private var actionCount: Int {
    ProcessInfo.processInfo.environment["DAYBOOK_EDITS"].flatMap { Int($0) } ?? 6_000
  }

  /// Edits, undo and redo, nested contexts, conflicts, saving and cancelling, reading the past, reverts.
  @Test(arguments: Seeds.shards) func contextsShowAndSaveWhatTheReferenceSays(shard: Int) throws {
    try Seeds.run(max(1, actionCount / 160), shard: shard) { seed in
      try EditingRun(seed: seed).run()
    }
  }
}
