import DaybookEngine
import DaybookModel
import DaybookTestSupport

@testable import DaybookRuntime

/// Several nodes of one stream in one thread: each step does one thing that may happen next, drawn from a seed.
///
/// Requests and answers may be lost, doubled, delayed and exchanged; nodes are stopped, started from an older backup and cut
/// off; the stream loses its end. After each step the journals are compared with the stream.
struct Simulation {
  /// A request of a node on its way, and its answer.
  private struct Request {
    let number: Int
    let node: Int
    let action: NodeState.Action
    var answer: NodeState.Input?
  }

  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// The faults that a schedule may have.
  struct Faults {
    var losesMessages = true
    var stops = true
    var restoresBackups = false
    var truncates = false

    static let none = Faults(losesMessages: false, stops: false)
  }

  /// What happened in a schedule.
  enum Event: Hashable, CaseIterable {
    case acknowledged, overtaken, announced, sentInParts, leftUnknown, resolved, skipped, startedOver, refilled, forked
    case answeredAgain
  }

  var nodes: [SimulatedNode]
  /// How often each event happened.
  var events: [Event: Int] = [:]
  var stream: SimulatedStream
  var random: SeededRandom
  let faults: Faults
  private var requests: [Request] = []
  private var requestCount = 0
  var now: ContinuousClock.Instant
  private var idCount: UInt64 = 0
  /// The journal of a node that has read the first message.
  private var beginning = PlainJournal()
  /// The commits whose writes have returned.
  var acknowledged: [(position: Position, hash: Digest)] = []
  /// Whether a node was started from an older backup.
  private(set) var hasLostDisk = false
  /// Whether nothing is lost or doubled any more.
  private var isHealing = false

  private static let epoch = ContinuousClock.now

  /// The share of writes, in percent, that repeat the commit id of an earlier one, as a client does that has had no
  /// answer.
  private static let repeatedWrites = 10

  /// - Parameter beginners: Whether each node has a store of its own and publishes the first commit, instead of one stream
  ///   that all of them follow.
  init(nodeCount: Int, seed: UInt64 = 0, faults: Faults = .none, beginners: Bool = false) throws {
    let store = ObjectID(high: 1, low: 1)
    random = SeededRandom(seed: seed)
    self.faults = faults
    stream = SimulatedStream(of: store)
    nodes = (0..<nodeCount).map { number in
      SimulatedNode(
        ObjectID(high: 2, low: UInt64(number)), of: beginners ? ObjectID(high: 1, low: UInt64(number + 1)) : store)
    }
    now = Simulation.epoch
    guard !beginners else {
      for number in nodes.indices {
        try nodes[number].journal.append(nodes[number].journal.next(newID(), sizeInBytes: 10))
      }
      return
    }
    // The first node has made the stream.
    let first = nodes[0].journal.next(newID(), sizeInBytes: 10)
    _ = stream.publish(StreamContent.identity(store, payload: try StreamPayload.bytes(of: [first])).bytes, after: 0)
    for number in nodes.indices {
      try nodes[number].journal.append(first)
      nodes[number].journal.move(to: stream.place)
    }
    beginning = nodes[0].journal
  }

  /// Adds a node that has read the first message alone.
  mutating func join() {
    var node = SimulatedNode(ObjectID(high: 2, low: UInt64(nodes.count)), of: stream.store)
    node.journal = beginning
    nodes.append(node)
  }

  mutating func newID() -> ObjectID {
    idCount += 1
    return ObjectID(high: 9, low: idCount)
  }

  /// Returns the commit id of a write: a new one, or at times one that was used before.
  private mutating func idOfWrite() -> ObjectID {
    guard idCount > 0, random.isTrue(percent: Simulation.repeatedWrites) else { return newID() }
    return ObjectID(high: 9, low: UInt64(random.number(1...Int(idCount))))
  }

  /// Does one thing that may happen next.
  ///
  /// - Throws: ``Fault`` if something is wrong after it.
  mutating func step() throws {
    let number = random.number(0...(nodes.count - 1))
    switch random.number(0...99) {
    case 0..<55 where !requests.isEmpty: try moveRequest(random.number(0...(requests.count - 1)))
    case 55..<70: try wake(number)
    case 70..<82:
      let size = random.isTrue(percent: 15) ? random.number(600...1_200) : random.number(5...60)
      try beginWriting(number, idOfWrite(), sizeInBytes: size)
    case 82..<90: try beginFollowing(number)
    case 90..<93: try hear(number, from: random.number(0...(nodes.count - 1)))
    case 93..<96 where faults.stops: change(number)
    case 96 where faults.truncates: stream.truncate(by: random.number(1...3))
    case 97 where faults.losesMessages: nodes[number].isCutOff.toggle()
    case 98 where faults.restoresBackups: restore(number)
    case 99: nodes[number].backup = nodes[number].journal
    default: now += .milliseconds(random.number(1...40))
    }
  }

  /// Executes a request, or delivers its answer, or loses one of both.
  private mutating func moveRequest(_ index: Int) throws {
    var request = requests[index]
    let isLost = !isHealing && faults.losesMessages && (nodes[request.node].isCutOff || random.isTrue(percent: 5))
    guard let answer = request.answer else {
      if isLost {
        requests.remove(at: index)
        return try deliver(nil, to: request, mayBeExecuted: false)
      }
      request.answer = execute(request.action)
      // A message that was sent again by the network arrives once more, later.
      if !isHealing, faults.losesMessages, random.isTrue(percent: 4) {
        requests.append(Request(number: -1, node: request.node, action: request.action))
      }
      requests[index] = request
      return
    }
    requests.remove(at: index)
    try deliver(isLost ? nil : answer, to: request, mayBeExecuted: true)
  }

  private mutating func execute(_ action: NodeState.Action) -> NodeState.Input? {
    switch action {
    case .requestState: .streamState(stream.state)
    case .requestMessage(let number, _): .message(stream.message(at: number))
    case .requestMessages(let first, let count): .messages(stream.messages(from: first, count: count))
    case .publish(let bytes, let sequence, _): .published(stream.publish(bytes, after: sequence))
    case .wait, .noteSkip, .noteRestart, .noteRefill: nil
    }
  }

  /// Gives a process its answer; `nil` if none came in time.
  private mutating func deliver(_ answer: NodeState.Input?, to request: Request, mayBeExecuted: Bool) throws {
    guard nodes[request.node].awaited == request.number else { return }
    nodes[request.node].awaited = nil
    if answer == nil { now += .milliseconds(50) }
    switch (answer, request.action) {
    case (let answer?, _): try resume(request.node, with: answer)
    case (nil, .publish):
      // A request that its node has seen leave may still arrive.
      if !mayBeExecuted { requests.append(Request(number: -1, node: request.node, action: request.action)) }
      try resume(request.node, with: .published(.unknown("no answer")))
    case (nil, .requestMessage(_, isRepeated: false)): try resume(request.node, with: .message(nil))
    case (nil, _): abandon(request.node)
    }
  }

  /// Ends what a process does with an error.
  mutating func abandon(_ number: Int) {
    if let attempt = nodes[number].write?.task.reservation?.attempt { nodes[number].state.endReservation(attempt) }
    (nodes[number].activity, nodes[number].write, nodes[number].wakeTime) = (.idle, nil, nil)
    nodes[number].awaited = nil
  }

  mutating func wake(_ number: Int) throws {
    guard let time = nodes[number].wakeTime else { return }
    now = max(now, time)
    nodes[number].wakeTime = nil
    try resume(number, with: .timer)
  }

  /// Another node's report arrives.
  mutating func hear(_ number: Int, from other: Int) throws {
    guard other != number, !nodes[number].isStopped, case .idle = nodes[number].activity else { return }
    let head = nodes[number].journal.head()
    let report = try nodes[other].report
    _ = nodes[number].state.reportedPosition(in: [report], after: head)
    try nodes[number].state.reconsider(
      stream.state, hasEnd: hasEnd(number), [report], nodes[number].journal)
  }

  func hasEnd(_ number: Int) -> Bool {
    nodes[number].state.provenEnd?.has { stream.message(at: $0).map { Digest(hashing: $0.rawSpan) } } ?? true
  }

  /// Stops a process, or starts it again.
  private mutating func change(_ number: Int) {
    if nodes[number].isStopped { nodes[number].isStopped = false } else { nodes[number].stop() }
  }

  private mutating func restore(_ number: Int) {
    guard let backup = nodes[number].backup else { return }
    nodes[number].stop()
    nodes[number].journal = backup
    nodes[number].isStopped = false
    hasLostDisk = true
  }

  /// Puts a request on its way.
  mutating func send(_ action: NodeState.Action, of number: Int) {
    requestCount += 1
    nodes[number].awaited = requestCount
    requests.append(Request(number: requestCount, node: number, action: action))
  }

  /// Moves the request of a node by one step, or ends its wait.
  ///
  /// - Returns: `false` if the node does nothing.
  mutating func advance(_ number: Int) throws -> Bool {
    if let index = requests.firstIndex(where: { $0.number == nodes[number].awaited }) {
      try moveRequest(index)
    } else if nodes[number].wakeTime != nil {
      try wake(number)
    } else {
      return false
    }
    return true
  }

  /// Whether the next step of a node is that the servers execute its publication.
  func isAboutToPublish(_ number: Int) -> Bool {
    requests.contains { request in
      guard request.number == nodes[number].awaited, request.answer == nil, case .publish = request.action else {
        return false
      }
      return true
    }
  }

  /// Lets a node do what it has begun, until it does nothing.
  mutating func settle(_ number: Int) throws {
    var count = 0
    while try advance(number) {
      count += 1
      guard count < 20_000 else { throw Fault(description: "node \(number) does not end what it does") }
    }
  }

  /// Loses the answer of a request that was executed.
  mutating func loseAnswer(_ number: Int) throws {
    guard let index = requests.firstIndex(where: { $0.number == nodes[number].awaited }) else { return }
    var request = requests.remove(at: index)
    request.answer = execute(request.action)
    try deliver(nil, to: request, mayBeExecuted: true)
  }

  /// Ends all faults and all requests of processes; messages that the network sends once more are still on their way.
  mutating func heal() {
    isHealing = true
    for number in nodes.indices {
      nodes[number].isCutOff = false
      if case .idle = nodes[number].activity {} else { nodes[number].stop() }
      nodes[number].isStopped = false
    }
    requests.removeAll { $0.number >= 0 }
  }
}
