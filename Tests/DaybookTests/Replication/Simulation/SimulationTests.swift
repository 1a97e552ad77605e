import DaybookTestSupport
import Testing

@testable import DaybookRuntime

/// Whole schedules of several nodes, with the faults of networks, processes, disks and servers.
@Suite(.hangLimit) struct SimulationTests {
  /// The number of schedules; `DAYBOOK_SCHEDULES` overrides it.
  private let runCount = Rounds.of(10_000, "DAYBOOK_SCHEDULES")
  private let stepCount = 200

  private func run(_ nodeCount: Int, _ faults: Simulation.Faults) throws {
    try Seeds.run(runCount) { seed in
      guard let error = failure(nodeCount, seed, faults, stepCount) else { return }
      // The shortest prefix that fails.
      for count in 0..<stepCount {
        guard let earlier = failure(nodeCount, seed, faults, count) else { continue }
        throw Simulation.Fault(description: "\(earlier): \(nodeCount) nodes, \(count) steps")
      }
      throw error
    }
  }

  private func failure(
    _ nodeCount: Int, _ seed: UInt64, _ faults: Simulation.Faults, _ stepCount: Int
  ) -> (any Error)? {
    do {
      var simulation = try Simulation(nodeCount: nodeCount, seed: seed, faults: faults)
      for _ in 0..<stepCount { try simulation.step() }
      try simulation.finish()
      return nil
    } catch {
      return error
    }
  }

  @Test func schedulesReachEverythingThatMayHappen() throws {
    var events: [Simulation.Event: Int] = [:]
    for seed in 1...UInt64(300) {
      var simulation = try Simulation(
        nodeCount: 3, seed: seed, faults: Simulation.Faults(restoresBackups: true, truncates: true))
      for _ in 0..<stepCount { try simulation.step() }
      try simulation.finish()
      events.merge(simulation.events) { $0 + $1 }
    }
    for event in Simulation.Event.allCases { #expect(events[event, default: 0] > 0, "\(event): \(events)") }
  }

  @Test(arguments: [3, 5]) func nodesAgreeThoughMessagesAndProcessesAreLost(nodeCount: Int) throws {
    try run(nodeCount, Simulation.Faults())
  }

  @Test func nodesThatAreStartedFromOlderBackupsAgree() throws {
    try run(3, Simulation.Faults(restoresBackups: true))
  }

  @Test func whatAStreamHasLostIsPublishedAgainOrReported() throws {
    try run(3, Simulation.Faults(truncates: true))
  }

  @Test func allFaultsTogetherLoseNothingUnseen() throws {
    try run(4, Simulation.Faults(restoresBackups: true, truncates: true))
  }
}
