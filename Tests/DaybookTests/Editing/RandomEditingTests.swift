import DaybookTestSupport
import Foundation
import Testing

@Suite struct RandomEditingTests {
  /// `DAYBOOK_EDITS` asks for more.
  private var actionCount: Int {
    ProcessInfo.processInfo.environment["DAYBOOK_EDITS"].flatMap { Int($0) } ?? 6_000
  }

  @Test func contextsShowAndSaveWhatTheReferenceSays() throws {
    try Seeds.run(max(1, actionCount / 150)) { seed in
      try EditingRun(seed: seed).run()
    }
  }
}
