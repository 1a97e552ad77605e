import DaybookEngine
import DaybookModel

/// Reads the stream up to a goal: compares it with the journal if that is not done, folds its messages, and publishes
/// commits again that it has lost.
///
/// A value that receives answers and times, and decides what to ask next; see ``NodeState``.
struct ReadTask {
  private enum Phase {
    case ready
    /// The state of the stream is asked for, on a connection.
    case proving(connection: Int)
    /// The message at the journal's place is asked for.
    case comparing(StreamState, StreamPlace, connection: Int)
    case requesting
    case waiting
    case refilling(SendTask, rest: ArraySlice<[UInt8]>)
  }

  private var goal: ReadingGoal
  /// Whether the caller will publish next: then a payload that is not complete is awaited.
  private let isWriting: Bool
  private var limit: RetryLimit
  private var phase = Phase.ready
  /// The commits that the journal lacks, once the task is done.
  private(set) var result: StreamArrivals?

  init(until goal: ReadingGoal, isWriting: Bool, at now: ContinuousClock.Instant, showingTime: Duration) {
    (self.goal, self.isWriting) = (goal, isWriting)
    limit = RetryLimit(showingTime, at: now)
  }

  /// Returns what to do next; nothing once the task has its ``result``.
  ///
  /// - Throws: `StoreError`: `unavailable`; `conflict` if the journal and the stream differ, or the stream belongs to
  ///   another store; errors of the journal.
  mutating func handle(
    _ input: NodeState.Input, _ node: inout NodeState, _ journal: some NodeJournal, at now: ContinuousClock.Instant
  ) throws -> [NodeState.Action] {
    switch (phase, input) {
    case (.refilling(var send, let rest), _):
      return try refill(send.handle(input, at: now), send, rest, &node, journal, at: now)
    case (.proving(let connection), .streamState(let state)):
      // A server of an earlier connection, or none, may have answered.
      guard connection == node.connection else { break }
      return try compare(state, connection, &node, journal, at: now)
    case (.comparing(let state, let place, let connection), .message(let bytes)):
      let isSame = bytes.map { Digest(hashing: $0.rawSpan) == place.digest } ?? false
      return try prove(state, place, isSame: isSame, connection, &node, journal, at: now)
    case (.requesting, .messages(let found)): node.reading.receive(found)
    case (_, .start):
      if let fork = try journal.streamFork() { throw fork.error }
      node.reading.begin()
    default: break
    }
    return try advance(&node, journal, at: now)
  }

  private mutating func advance(
    _ node: inout NodeState, _ journal: some NodeJournal, at now: ContinuousClock.Instant
  ) throws -> [NodeState.Action] {
    var notes: [NodeState.Action] = []
    if node.provenEnd == nil || node.reading.startsOver {
      goal = .end
      phase = .proving(connection: node.connection)
      return [.requestState]
    }
    let store = node.store
    try node.reading.align(with: journal.streamPlace()) { try journal.fold(at: $0, of: store) }
    var isAtEnd = false
    while !isAtEnd, !node.reading.hasEnough(for: goal) {
      switch node.reading.next(until: goal) {
      case .message(let message):
        notes += try fold(message, &node, journal, at: now)
        if node.reading.startsOver { return notes + (try advance(&node, journal, at: now)) }
      case .request(let first, let count):
        phase = .requesting
        return notes + [.requestMessages(first: first, count: count)]
      case .end: isAtEnd = true
      }
    }
    guard let (fold, arrivals) = node.reading.progress else { return notes }
    node.record(fold, at: now)
    if arrivals.isFull || !isAtEnd { return finish(arrivals, areAll: !arrivals.isFull, notes) }
    if fold.tip < max(goal.minimum, limit.minimum) { return notes + (try awaitMessage(after: fold, &node, at: now)) }
    let awaitsPayload = node.awaitsPayload(at: now)
    if awaitsPayload, isWriting { return notes + [wait(.milliseconds(2))] }
    guard !awaitsPayload, let missing = try missingCommits(after: fold, arrivals, node, journal) else {
      return finish(arrivals, areAll: true, notes)
    }
    // What the stream has is appended before it is known that it lacks the rest.
    if !arrivals.isEmpty { return finish(arrivals, areAll: false, notes) }
    notes.append(.noteRefill(fold.place.position.next))
    let messages = try Publication.messages(
      refilling: missing, of: node.store, after: fold.place.position, messageSizeInBytes: node.messageSizeInBytes)
    return notes + (try send(messages[...], after: fold.tip, &node, journal, at: now))
  }

  private mutating func finish(
    _ arrivals: StreamArrivals, areAll: Bool, _ notes: [NodeState.Action]
  ) -> [NodeState.Action] {
    var arrivals = arrivals
    arrivals.areAll = areAll
    result = arrivals
    return notes
  }

  private mutating func wait(_ time: Duration) -> NodeState.Action {
    phase = .waiting
    return .wait(time)
  }

  /// Waits for a message that the servers reported but do not return.
  private mutating func awaitMessage(
    after fold: StreamFold, _ node: inout NodeState, at now: ContinuousClock.Instant
  ) throws -> [NodeState.Action] {
    switch limit.next(at: now) {
    case .wait: break
    // The servers refused a message for this place, and show none there: they may have lost some.
    case .doubt:
      limit.minimum = 0
      node.prove(nil)
    case .giveUp: throw StreamUnavailable("they refuse message \(fold.tip + 1), and show none in its place")
    }
    return [wait(.milliseconds(1))]
  }

  /// Compares the stream with the place up to which the journal has folded it, once for each connection, and again when
  /// the stream contradicts the journal.
  ///
  /// If it is another stream, or has lost messages, it is folded from its beginning: commits that the journal has are
  /// compared with it then.
  private mutating func compare(
    _ state: StreamState, _ connection: Int, _ node: inout NodeState, _ journal: some NodeJournal,
    at now: ContinuousClock.Instant
  ) throws -> [NodeState.Action] {
    let place = try journal.streamPlace()
    node.reading.restart()
    node.reading.knownEnd = state.lastSequence
    guard !node.reading.startsOver, let place, place.created == state.created, place.sequence <= state.lastSequence
    else {
      return startOver(after: place, state, node)
    }
    if place.sequence == 0 { return try prove(state, place, isSame: true, connection, &node, journal, at: now) }
    phase = .comparing(state, place, connection: connection)
    return [.requestMessage(place.sequence, isRepeated: true)]
  }

  private mutating func startOver(
    after place: StreamPlace?, _ state: StreamState, _ node: NodeState
  ) -> [NodeState.Action] {
    // Another process of the node may follow the stream, and has not seen the contradiction.
    result = StreamArrivals(
      after: place, to: StreamPlace(created: state.created), replacesAnyPlace: node.reading.startsOver)
    return [.noteRestart]
  }

  private mutating func prove(
    _ state: StreamState, _ place: StreamPlace, isSame: Bool, _ connection: Int, _ node: inout NodeState,
    _ journal: some NodeJournal, at now: ContinuousClock.Instant
  ) throws -> [NodeState.Action] {
    guard isSame else { return startOver(after: place, state, node) }
    // From the beginning no message contradicts another one.
    if place.sequence == 0 { node.reading.contradictionsEnd = .max }
    node.prove(
      NodeState.End(
        connection: connection, place: place, tip: place.sequence, tipDigest: place.digest,
        messageSizeInBytes: state.maximumMessageSizeInBytes))
    return try advance(&node, journal, at: now)
  }

  private func fold(
    _ message: StreamMessage, _ node: inout NodeState, _ journal: some NodeJournal, at now: ContinuousClock.Instant
  ) throws -> [NodeState.Action] {
    guard var (fold, arrivals) = node.reading.progress else { return [] }
    // One owner of the values, so that they are not copied.
    node.reading.progress = nil
    var (notes, taken): ([NodeState.Action], [PendingCommit]) = ([], [])
    switch try fold.fold(message, knownPosition: journal.position(ofCommitID:)) {
    case .taken(let commits): taken = commits
    case .part: node.reading.latestPart = (now, Digest(hashing: message.bytes.rawSpan))
    case .skipped(let reason)
    where reason.contradictsPlace && message.sequence > node.reading.contradictionsEnd:
      node.reading.startsOver = true
      return []
    case .skipped(let reason): notes.append(.noteSkip(message.sequence, reason))
    }
    arrivals.add(taken, sizeInBytes: message.bytes.count, to: fold.place)
    node.reading.noteCommits(taken.count)
    node.reading.progress = (fold, arrivals)
    return notes
  }

  /// Returns commits that the journal has and the stream lacks, or `nil`.
  ///
  /// - Parameter fold: The fold of all messages of the stream.
  private func missingCommits(
    after fold: StreamFold, _ arrivals: StreamArrivals, _ node: NodeState, _ journal: some NodeJournal
  ) throws -> [PendingCommit]? {
    // Another process of the node may have appended since.
    guard try journal.streamPlace() == arrivals.start, try journal.head() > fold.place.position else { return nil }
    return try journal.pendingCommits(after: fold.place.position, sizeInBytes: node.messageSizeInBytes)
  }

  private mutating func send(
    _ messages: ArraySlice<[UInt8]>, after sequence: UInt64, _ node: inout NodeState, _ journal: some NodeJournal,
    at now: ContinuousClock.Instant
  ) throws -> [NodeState.Action] {
    guard let first = messages.first else { return try advance(&node, journal, at: now) }
    var task = SendTask(first, after: sequence, until: now + node.limits.timeLimit)
    let step = task.handle(.start, at: now)
    return try refill(step, task, messages.dropFirst(), &node, journal, at: now)
  }

  private mutating func refill(
    _ step: SendTask.Step, _ task: SendTask, _ rest: ArraySlice<[UInt8]>, _ node: inout NodeState,
    _ journal: some NodeJournal, at now: ContinuousClock.Instant
  ) throws -> [NodeState.Action] {
    switch step {
    case .action(let action):
      phase = .refilling(task, rest: rest)
      return [action]
    case .done(.acknowledged): return try send(rest, after: task.sequence + 1, &node, journal, at: now)
    case .done(.refused):
      limit.minimum = task.sequence + 1
      return try advance(&node, journal, at: now)
    case .done(.unsent(let reason)), .done(.unknown(let reason)): throw StreamUnavailable(reason)
    }
  }
}

/// How long, and how often, a message is awaited that the servers reported but do not return.
struct RetryLimit {
  enum Step { case wait, doubt, giveUp }

  /// The message that must be there, or 0.
  var minimum: UInt64 = 0
  private let time: Duration
  private var deadline: ContinuousClock.Instant
  private var isDoubted = false

  init(_ time: Duration, at now: ContinuousClock.Instant) { (self.time, deadline) = (time, now + time) }

  mutating func next(at now: ContinuousClock.Instant) -> Step {
    if now < deadline { return .wait }
    if isDoubted { return .giveUp }
    (isDoubted, deadline) = (true, now + time)
    return .doubt
  }
}
