import Daybook
import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct RandomStoreTests {
  /// The number of operations; `DAYBOOK_OPERATIONS` overrides it.
  private let operationCount = Rounds.of(100_000, "DAYBOOK_OPERATIONS")

  @Test func aStoreDoesWhatTheReferenceDoes() throws {
    let runs = max(1, operationCount * 7 / 10 / 1_500)
    try Seeds.run(runs) { seed in
      var settings = RandomRun.Settings()
      settings.operationCount = 1_500
      try run(seed, settings)
    }
  }

  @Test func aStoreWhoseModelChangesDoesWhatTheReferenceDoes() throws {
    try Seeds.run(max(1, operationCount * 2 / 10 / 1_000)) { seed in
      var settings = RandomRun.Settings()
      settings.changesModel = true
      try run(seed, settings)
    }
  }

  @Test func aLargerStoreDoesWhatTheReferenceDoes() throws {
    try Seeds.run(max(1, operationCount / 10 / 5_000)) { seed in
      var settings = RandomRun.Settings()
      settings.operationCount = 5_000
      settings.objectLimit = 400
      settings.checkPercent = 4
      settings.undoPercent = 4
      settings.rebuildPercent = 1
      try run(seed, settings)
    }
  }

  private func run(_ seed: UInt64, _ settings: RandomRun.Settings) throws {
    let run = try RandomRun(seed: seed, settings: settings)
    try run.run()
    let verification = try withExtendedLifetime(run) { try Store.verify(at: $0.store.path) }
    guard verification.faults.isEmpty, verification.notes.isEmpty else {
      throw Mismatch("\(verification.faults.prefix(5)), \(verification.notes)")
    }
  }
}
