import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct RandomJointTests {
  /// The number of runs; `DAYBOOK_JOINT_RUNS` overrides it.
  private let runCount = Rounds.of(8, "DAYBOOK_JOINT_RUNS")

  @Test func allRequestsOfAStepShowTheStateOfOnePosition() throws {
    try Seeds.run(runCount) { seed in try run(seed, changesModel: false) }
  }

  @Test func allRequestsOfAStepShowTheStateOfOnePositionAcrossChangesOfTheModel() throws {
    try Seeds.run(max(1, runCount / 4)) { seed in try run(seed, changesModel: true) }
  }

  private func run(_ seed: UInt64, changesModel: Bool) throws {
    var random = SeededRandom(seed: ~seed)
    let feed = try FeedRun(seed: seed)
    var followers: [JointFollower] = []
    for _ in 0..<80 {
      if changesModel, random.isTrue(percent: 5) { try feed.changeModel() }
      for _ in 0..<random.number(0...3) { try feed.commit() }
      if followers.count < 4 { followers.append(try JointFollower(of: feed, random: &random)) }
      if random.isTrue(percent: 8) { followers.remove(at: random.number(0...(followers.count - 1))) }
      var kept: [JointFollower] = []
      for follower in followers {
        do {
          if random.isTrue(percent: 60) { try follower.step() }
          kept.append(follower)
        } catch let error as StoreError where error.code == .badRequest {
          guard !follower.isAnswered else { throw error }
          // A later model may have the names again.
          if random.isTrue(percent: 75) { kept.append(follower) }
        }
      }
      followers = kept
    }
    followers = []
    feed.store.close()
  }
}
