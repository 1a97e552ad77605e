import DaybookEngine
import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookRuntime

/// Single situations, most of them found by fault runs of whole clusters, step by step.
@Suite(.hangLimit) struct ScriptedScheduleTests {
  private func write(_ number: Int, _ id: ObjectID? = nil, sizeInBytes: Int = 10, in simulation: inout Simulation)
    throws
  {
    try simulation.beginWriting(number, id ?? simulation.newID(), sizeInBytes: sizeInBytes)
    try simulation.settle(number)
  }

  /// Sends the same write to another node, which has not read the first one.
  @Test func aWriteThatIsSentToTwoNodesIsOneCommit() throws {
    var simulation = try Simulation(nodeCount: 2)
    let id = simulation.newID()
    try write(0, id, in: &simulation)
    try write(1, id, in: &simulation)
    #expect(simulation.stream.commits.count == 2)
    #expect(simulation.events[.answeredAgain] == 1 && simulation.events[.acknowledged] == 1)
    #expect(simulation.nodes[1].journal.position(ofCommitID: id) == 2)
    try simulation.finish()
  }

  @Test func aMessageWithoutAnAnswerIsNotStoredTwice() throws {
    var simulation = try Simulation(nodeCount: 2)
    try write(0, in: &simulation)
    try simulation.beginWriting(0, simulation.newID(), sizeInBytes: 10)
    try simulation.loseAnswer(0)
    try simulation.settle(0)
    #expect(simulation.stream.commits.count == 3)
    #expect(simulation.nodes[0].journal.head() == 3 && simulation.nodes[0].state.unresolved == nil)
    try simulation.finish()
  }

  @Test func ofTwoNodesThatBeginAStreamOneIsRefused() throws {
    var simulation = try Simulation(nodeCount: 2, beginners: true)
    for number in 0...1 { try simulation.beginFollowing(number) }
    // Both have found the stream empty.
    while simulation.stream.messages.isEmpty {
      for number in [1, 0] where !simulation.isAboutToPublish(number) { _ = try simulation.advance(number) }
      if (0...1).allSatisfy(simulation.isAboutToPublish) { _ = try simulation.advance(0) }
    }
    for number in 0...1 { try simulation.settle(number) }
    #expect(simulation.nodes[0].failure == nil && simulation.nodes[0].journal.place?.position == 1)
    #expect(simulation.nodes[1].failure?.code == .conflict)
    #expect(simulation.nodes[1].journal.place?.position ?? .empty == .empty)
  }

  /// The messages of two writers that write without pause, and are twice as fast, come before the parts of a large commit, until
  /// it is announced.
  @Test func aLargeCommitEndsBesideSmallOnes() throws {
    var announcementCount = 0
    for seed in UInt64(1)...20 {
      var simulation = try Simulation(nodeCount: 3, seed: seed)
      let id = simulation.newID()
      try simulation.beginWriting(0, id, sizeInBytes: 8_000)
      var (attempts, steps) = (0, 0)
      while let write = simulation.nodes[0].write {
        (attempts, steps) = (write.task.attempts, steps + 1)
        try #require(steps < 10_000, "seed \(seed)")
        let number = [0, 1, 1, 2, 2][simulation.random.number(0...4)]
        if try !simulation.advance(number), number > 0 {
          try simulation.beginWriting(number, simulation.newID(), sizeInBytes: 10)
        }
      }
      #expect(attempts < 10, "seed \(seed)")
      #expect(simulation.nodes[0].journal.position(ofCommitID: id) != nil, "seed \(seed)")
      announcementCount += simulation.events[.announced, default: 0]
      try simulation.finish()
    }
    #expect(announcementCount >= 15)
  }

  /// A publisher ends between the parts of its payload; its next attempt has parts of the same number.
  @Test func partsOfAnAttemptThatEndedAreNotJoinedWithOthers() throws {
    var simulation = try Simulation(nodeCount: 2)
    let id = simulation.newID()
    try simulation.beginWriting(0, id, sizeInBytes: 2_000)
    while simulation.stream.messages.count < 3 { _ = try simulation.advance(0) }
    simulation.nodes[0].stop()
    simulation.nodes[0].isStopped = false
    try write(0, id, sizeInBytes: 2_000, in: &simulation)
    #expect(simulation.stream.commits.count == 2)
    try simulation.finish()
  }

  @Test func aNodeThatHasTheLostTailPublishesItAgain() throws {
    var simulation = try Simulation(nodeCount: 2)
    for _ in 0..<2 { try write(0, in: &simulation) }
    simulation.stream.truncate(by: 2)
    try simulation.hear(0, from: 1)
    try simulation.follow(0)
    #expect(simulation.stream.commits.map(\.hash) == simulation.nodes[0].journal.commits.map(\.hash))
    #expect(simulation.events[.refilled, default: 0] > 0)
    try write(1, in: &simulation)
    #expect(simulation.stream.commits.count == 4)
    try simulation.finish()
  }

  @Test func aTailThatAnotherNodeWroteOverIsReported() throws {
    var simulation = try Simulation(nodeCount: 2)
    try write(0, in: &simulation)
    simulation.stream.truncate(by: 1)
    try write(1, in: &simulation)
    try simulation.hear(0, from: 1)
    try simulation.follow(0)
    #expect(simulation.nodes[0].journal.fork?.position == 2)
    // It writes nothing.
    try write(0, in: &simulation)
    #expect(simulation.stream.commits.count == 2)
    try simulation.finish()
  }

  /// A stream loses its end while the connections of its nodes last, and gets the same bytes at the same number again behind
  /// another message: a doubled message arrives late. The next message does not follow.
  @Test func aMessageThatDoesNotFollowShowsThatTheEndWasLost() throws {
    var simulation = try Simulation(nodeCount: 3)
    for _ in 0..<2 { try write(0, in: &simulation) }
    try simulation.follow(1)
    let last = try #require(simulation.stream.messages.last)
    simulation.stream.truncate(by: 2)
    try write(2, in: &simulation)
    _ = simulation.stream.publish(last, after: 2)
    try write(2, in: &simulation)
    #expect(simulation.stream.messages.count == 4 && simulation.stream.commits.count == 3)
    #expect(simulation.nodes[1].journal.place?.sequence == 3)
    try simulation.follow(1)
    #expect(simulation.nodes[1].journal.fork?.position == 2)
    try simulation.finish()
  }

  /// The same, where no further message comes, and the stream has more commits than the node: only the report of a commit
  /// that the node cannot find shows it.
  @Test func aReportOfACommitThatTheNodeLacksShowsThatTheEndWasLost() throws {
    var simulation = try Simulation(nodeCount: 3)
    try write(0, sizeInBytes: 1_200, in: &simulation)
    let count = simulation.stream.messages.count
    try simulation.follow(1)
    let last = try #require(simulation.stream.messages.last)
    simulation.stream.truncate(by: count)
    try #require(simulation.stream.messages.count == 1)
    for _ in 2..<count { try write(2, in: &simulation) }
    _ = simulation.stream.publish(last, after: UInt64(count) - 1)
    try simulation.follow(1)
    #expect(simulation.hasEnd(1) && simulation.nodes[1].journal.fork == nil)
    #expect(simulation.nodes[2].journal.head() > simulation.nodes[1].journal.head())
    try simulation.hear(1, from: 2)
    try simulation.follow(1)
    #expect(simulation.nodes[1].journal.fork?.position == 2)
    try simulation.finish()
  }

  /// The parts of a payload that are not complete are lost with the end of the stream, and another message has their number.
  @Test func partsThatWereLostAreReadAgain() throws {
    var simulation = try Simulation(nodeCount: 3)
    try simulation.beginWriting(0, simulation.newID(), sizeInBytes: 2_000)
    while simulation.stream.messages.count < 2 { _ = try simulation.advance(0) }
    simulation.nodes[0].stop()
    try simulation.follow(1)
    #expect(simulation.nodes[1].state.provenEnd?.tip == 2)
    simulation.stream.truncate(by: 1)
    try write(2, in: &simulation)
    try #require(simulation.stream.messages.count == 2)
    try simulation.follow(1)
    #expect(simulation.nodes[1].journal.head() == 1)
    try simulation.hear(1, from: 2)
    try simulation.follow(1)
    #expect(simulation.nodes[1].journal.head() == 2)
    try simulation.finish()
  }
}
