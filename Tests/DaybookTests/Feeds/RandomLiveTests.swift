import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

@Suite(.hangLimit) struct RandomLiveTests {
  /// The number of batches; `DAYBOOK_BATCHES` overrides it.
  private let batchCount = Rounds.of(3_000, "DAYBOOK_BATCHES")

  @Test func whatIsFollowedIsWhatTheReferenceSays() throws {
    try Seeds.run(max(1, batchCount * 8 / 10 / 120)) { seed in
      try LiveRun(seed: seed).run()
    }
  }

  @Test func whatIsFollowedAcrossChangesOfTheModelIsWhatTheReferenceSays() throws {
    try Seeds.run(max(1, batchCount * 2 / 10 / 120)) { seed in
      var settings = LiveRun.Settings()
      settings.changesModel = true
      try LiveRun(seed: seed, settings: settings).run()
    }
  }
}
