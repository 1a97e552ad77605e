import DaybookEngine
import DaybookModel

@testable import DaybookRuntime

/// What must hold after each step, and at the end of a schedule.
extension Simulation {
  /// How often all nodes read and receive reports before they must agree.
  private static let maximumRounds = 16

  func contains(_ position: Position, _ hash: Digest) -> Bool {
    let index = Int(position.number) - 1
    return index < stream.commits.count && stream.commits[index].hash == hash
  }

  /// Compares a journal with the stream, up to where the node has folded it.
  func check(_ number: Int) throws {
    let journal = nodes[number].journal
    guard stream.truncationCount == 0, let place = journal.place else { return }
    if journal.fork != nil {
      throw Fault(description: "node \(number) reports a fork of a stream that has lost nothing")
    }
    guard place.position > .empty else { return }
    guard place.position <= journal.head(), contains(place.position, journal.commitEnd(at: place.position).hash) else {
      throw Fault(description: "node \(number) has another commit \(place.position) than the stream")
    }
  }

  /// Heals everything, and compares the nodes with each other, and then with the stream and a node that joins.
  mutating func finish() throws {
    heal()
    try rest()
    try compareNodes()
    // Nodes that all have the same lost commits, and the last message of the stream, learn of it from one that has not.
    join()
    try rest()
    try compareWithStream()
  }

  /// Lets all nodes read the stream to its end, and receive each other's reports, until nothing changes.
  private mutating func rest() throws {
    var (known, restCount): ([StreamPlace?], Int) = ([], 0)
    for _ in 0..<Simulation.maximumRounds {
      for number in nodes.indices { try follow(number) }
      // An incomplete payload is not awaited for longer.
      now += .seconds(1)
      for number in nodes.indices {
        for other in nodes.indices { try hear(number, from: other) }
      }
      let places = [stream.place] + nodes.map { $0.journal.fork == nil ? $0.journal.place : nil }
      let isAtRest = places == known && !nodes.contains { $0.journal.fork == nil && $0.state.reading.startsOver }
      (known, restCount) = (places, isAtRest ? restCount + 1 : 0)
      // A node that has read the stream once more waits for its last parts once more.
      if restCount == 2 { return }
    }
    throw Fault(description: "the nodes do not come to rest")
  }

  /// Lets a node read the stream to its end.
  mutating func follow(_ number: Int) throws {
    try beginFollowing(number)
    try settle(number)
  }

  /// The nodes that report a fork, and those that have the same lost commits: it is enough that one of them reports it.
  private var reported: [SimulatedNode] {
    let forks = nodes.compactMap(\.journal.fork)
    return nodes.filter { node in forks.contains { node.journal.has($0.own, at: $0.position) } }
  }

  private func compareNodes() throws {
    let reported = Set(reported.map(\.id))
    if !reported.isEmpty, stream.truncationCount == 0 {
      throw Fault(description: "a node reports a fork of a stream that has lost nothing")
    }
    let others = nodes.filter { !reported.contains($0.id) }
    if Set(others.map(\.journal.commits.last?.hash)).count > 1 {
      throw Fault(description: "nodes end with the commits \(others.map { $0.journal.head() })")
    }
  }

  private func compareWithStream() throws {
    try compareNodes()
    let ids = stream.commits.compactMap(\.header.commitID)
    if Set(ids).count < ids.count { throw Fault(description: "the stream has two commits of one id") }
    // The node that has joined has nothing that it could have lost.
    guard let joined = nodes.last, joined.journal.commits.last?.hash == stream.commits.last?.hash else {
      throw Fault(description: "a node that joins has another end than the stream")
    }
    guard !(hasLostDisk && stream.truncationCount > 0) else { return }
    for (position, hash) in acknowledged where !contains(position, hash) {
      if !reported.contains(where: { $0.journal.has(hash, at: position) }) {
        throw Fault(description: "the acknowledged commit \(position) is lost")
      }
    }
  }
}
