import DaybookEngine
import DaybookModel
import Foundation
import LMDB

/// Taking the commits of other nodes from the stream.
///
/// Messages are read and folded without a lock of the journal; their commits are then appended in a write session, which
/// compares the place of the stream first. So a process that was slower than another one of the same node appends nothing
/// twice, and readers and live feeds see the commits like commits of any other process.
extension Replicator {
  /// How long a message is awaited that the servers have named and do not show.
  private static let showingTime = Duration.seconds(1)

  /// Appends the commits of the messages that the journal lacks.
  ///
  /// If the stream has lost commits that the journal has, they are published again.
  ///
  /// - Parameters:
  ///   - goal: How far to read. A stream that must be compared with the journal first is read to its end.
  ///   - isWriting: Whether the caller will publish next: then a payload that is not complete is awaited.
  ///   - limit: How long the servers may take for each answer; `nil` for as long as for a write.
  /// - Throws: `StoreError`: `unavailable`; `conflict` if the journal and the stream differ, or the stream belongs to
  ///   another store; `damaged` for a commit that a store cannot have made; errors of the disk.
  package func catchUp(
    until goal: ReadingGoal = .end, isWriting: Bool = false, within limit: Duration? = nil
  ) throws {
    while true {
      let arrivals = try receive(until: goal, isWriting: isWriting, within: limit)
      if try append(arrivals), arrivals.areAll { return }
    }
  }

  /// Takes what the stream has, before a write is refused for the state of the node.
  ///
  /// Without a connection the node judges by what it has.
  func catchUp(beyond head: Position) throws -> Bool {
    do {
      try catchUp(isWriting: true)
    } catch let error as StoreError where error.code == .unavailable {
      return false
    }
    return try store.withJournalOfWriter { try $0.head() } > head
  }

  /// Returns the commits with which a write begins; appends others that are not for its session.
  ///
  /// - Throws: The errors of ``catchUp(until:isWriting:within:)``.
  func receiveForWriting(until goal: ReadingGoal) throws -> StreamArrivals {
    while true {
      let arrivals = try receive(until: goal, isWriting: true)
      if arrivals.areAll { return arrivals }
      _ = try append(arrivals)
    }
  }

  /// Appends commits in a session of their own.
  ///
  /// - Returns: Whether the journal has them; otherwise another thread or process has moved its place.
  private func append(_ arrivals: StreamArrivals) throws -> Bool {
    if arrivals.isEmpty { return true }
    do {
      try take(arrivals)
    } catch is StreamPlaceMoved {
      return false
    }
    if arrivals.replacesAnyPlace { replica.noteBeginning() }
    return true
  }

  /// Reads messages, and returns the commits that the journal lacks.
  ///
  /// Commits that were returned before, and are not in the journal, are returned again with those that follow them.
  ///
  /// - Throws: The errors of ``catchUp(until:isWriting:within:)``.
  private func receive(
    until goal: ReadingGoal, isWriting: Bool, within limit: Duration? = nil
  ) throws -> StreamArrivals {
    try store.checkWritable()
    return try replica.reading.withLock { reading in
      try checkNotForked()
      reading.begin(limit ?? replica.options.timeLimit)
      var goal = goal
      var patience = ReceivingPatience(min(Replicator.showingTime, replica.options.timeLimit))
      while true {
        if replica.provenEnd == nil || reading.startsOver { goal = .end }
        switch try proveEnd(&reading) {
        case .proven: break
        case .unproven: continue
        case .contradicted(let arrivals): return arrivals
        }
        try reading.align(with: try store.withJournalOfWriter { try $0.streamPlace() }, makeFold)
        let isAtEnd = try readMessages(&reading, until: goal)
        guard !reading.startsOver, let (fold, received) = reading.progress else { continue }
        var arrivals = received
        replica.note(fold, until: reading.latestPart.map { $0 + replica.options.payloadPatience })
        if arrivals.isFull { return arrivals }
        if !isAtEnd {
          arrivals.areAll = true
          return arrivals
        }
        if fold.tip < max(goal.minimum, patience.minimum) {
          switch patience.next() {
          case .wait: Thread.sleep(forTimeInterval: 0.001)
          // The servers refused a message for this place, and show none there: they may have lost some.
          case .doubt:
            patience.minimum = 0
            replica.note(nil)
          case .giveUp:
            throw replica.unavailable("they refuse message \(fold.tip + 1), and show none in its place")
          }
          continue
        }
        let isPending = replica.mustAwait(reading)
        if isPending, isWriting {
          Thread.sleep(forTimeInterval: 0.002)
          continue
        }
        guard !isPending, let missing = try missingCommits(after: fold, arrivals) else {
          arrivals.areAll = true
          return arrivals
        }
        // What the stream has is appended before it is known that it lacks the rest.
        if !arrivals.isEmpty { return arrivals }
        if let refused = try refill(missing, after: fold) { patience.minimum = refused }
      }
    }
  }

  /// - Throws: `StoreError` with the code `conflict` if the journal is known to differ from the stream.
  func checkNotForked() throws {
    if let fork = try store.withJournalOfWriter({ try $0.streamFork() }) { throw fork.error }
  }

  /// Whether the servers have what the journal has folded.
  private enum Proof {
    case proven
    /// Something changed meanwhile.
    case unproven
    /// The stream is folded from its beginning, where the arrivals move the journal's place.
    case contradicted(StreamArrivals)
  }

  /// Compares the stream with the place up to which the journal has folded it, once for each connection, and again when
  /// the stream contradicts the journal.
  ///
  /// If it is another stream, or has lost messages, it is folded from its beginning: commits that the journal has are
  /// compared with it then.
  private func proveEnd(_ reading: inout StreamReading) throws -> Proof {
    if replica.provenEnd != nil, !reading.startsOver { return .proven }
    let connection = replica.stream.connectionCount
    let state = try replica.asking(within: reading.limit) { try replica.stream.state(waiting: $0) }
    // A server of an earlier connection, or none, may have answered.
    guard connection == replica.stream.connectionCount else { return .unproven }
    let place = try store.withJournalOfWriter { try $0.streamPlace() }
    reading.restart()
    reading.knownEnd = state.lastSequence
    let start = StreamPlace(created: state.created)
    guard !reading.startsOver, let place, try replica.has(place, state, within: reading.limit) else {
      store.options.logger?.notice(
        "folding the stream from its beginning", metadata: ["store": "\(store.path)", "stream": "\(replica.address)"])
      // Another process of the node may follow the stream, and has not seen the contradiction.
      return .contradicted(StreamArrivals(after: place, to: start, replacesAnyPlace: reading.startsOver))
    }
    // From the beginning no message contradicts another one.
    if place.sequence == 0 { reading.contradictionsEnd = .max }
    replica.note(
      Replica.End(
        connection: connection, place: place, tip: place.sequence,
        messageSizeInBytes: state.maximumMessageSizeInBytes))
    return .proven
  }

  /// Finds out whether the servers still have what they had, and whether the other nodes have the same commits.
  ///
  /// Servers that are restarted one after the other can lose messages though this node's connection lasts, and a node that
  /// publishes nothing would not learn of it. If there is a doubt, the next ``catchUp(until:isWriting:within:)`` compares the
  /// whole stream with the journal.
  ///
  /// - Throws: The errors of ``catchUp(until:isWriting:within:)``.
  func reconsider() throws {
    try replica.reading.withLock { reading in
      guard let end = replica.provenEnd else { return }
      let limit = replica.followingLimit
      let state = try replica.asking(within: limit) { try replica.stream.state(waiting: $0) }
      if try state.lastSequence < end.tip || !replica.has(end.place, state, within: limit) { replica.note(nil) }
      reading.knownEnd = state.lastSequence
      for report in replica.stream.reports where report.node != replica.node {
        guard reading.comparedReports[report.node] != report, let isSame = try agrees(report) else { continue }
        reading.comparedReports[report.node] = report
        if !isSame { reading.startsOver = true }
      }
    }
  }

  /// Reads messages until the goal is reached, or so many that their commits are to be appended.
  ///
  /// - Returns: Whether the stream has no further message.
  private func readMessages(
    _ reading: inout StreamReading, until goal: ReadingGoal
  ) throws -> Bool {
    while !reading.hasEnough(for: goal) {
      let limit = reading.limit
      let message = try reading.next(until: goal) { first, count in
        try replica.asking(within: limit) { try replica.stream.messages(from: first, count: count, waiting: $0) }
      }
      guard let message else {
        if reading.contradictionsEnd == .max { reading.contradictionsEnd = reading.progress?.fold.tip ?? 0 }
        return true
      }
      try fold(message, &reading)
      if reading.startsOver { return false }
    }
    return false
  }

  private func fold(_ message: StreamMessage, _ reading: inout StreamReading) throws {
    guard var (fold, arrivals) = reading.progress else { return }
    // One owner of the values, so that they are not copied.
    reading.progress = nil
    let step = try store.withJournalOfWriter { journal in
      try fold.fold(message) { try journal.position(ofCommitID: $0) }
    }
    var taken: [PendingCommit] = []
    switch step {
    case .taken(let commits): taken = commits
    case .part: reading.latestPart = .now
    case .skipped(let reason) where reason.contradictsPlace && message.sequence > reading.contradictionsEnd:
      reading.startsOver = true
      return
    case .skipped(let reason): noteSkip(message.sequence, reason)
    }
    arrivals.add(taken, sizeInBytes: message.bytes.count, to: fold.place)
    reading.noteCommits(taken.count)
    reading.progress = (fold, arrivals)
  }

  private func noteSkip(_ sequence: UInt64, _ reason: StreamFold.Reason) {
    store.options.logger?.warning(
      "skipping a message of the stream",
      metadata: ["store": "\(store.path)", "message": "\(sequence)", "reason": "\(reason.rawValue)"])
    replica.metrics.noteSkippedMessage()
  }

  private func makeFold(at place: StreamPlace) throws -> StreamFold {
    guard place.position > .empty else {
      return StreamFold(at: place, of: store.id, hash: .zero, recordedAt: Timestamp(microseconds: .min))
    }
    let last = try store.withJournalOfWriter { try $0.header(at: place.position) }
    return StreamFold(at: place, of: store.id, hash: last.hash, recordedAt: last.header.recordedAt)
  }

  /// Appends commits of the stream, and moves the place, in a session of their own.
  ///
  /// - Throws: ``StreamPlaceMoved`` if the place is not where they begin; `StoreError` with the code `conflict` if the
  ///   journal has another commit at a position, which is recorded.
  func take(_ arrivals: StreamArrivals) throws {
    let appending = StreamAppending(arrivals)
    try writer.run(adding: appending) { _ in }
    guard let fork = appending.fork else { return }
    store.options.logger?.critical(
      "the journal and the stream differ", metadata: ["store": "\(store.path)", "fork": "\(fork)"])
    throw fork.error
  }

  /// Returns commits that the journal has and the stream lacks, or `nil`.
  ///
  /// - Parameter fold: The fold of all messages of the stream.
  private func missingCommits(
    after fold: StreamFold, _ arrivals: StreamArrivals
  ) throws -> [PendingCommit]? {
    try store.withJournalOfWriter { journal in
      // Another process of the node may have appended since.
      guard try journal.streamPlace() == arrivals.start, try journal.head() > fold.place.position else { return nil }
      return try journal.pendingCommits(after: fold.place.position, sizeInBytes: replica.messageSizeInBytes)
    }
  }

  /// Publishes commits that the stream lacks.
  ///
  /// - Returns: The message in whose place the servers refused one, or `nil`.
  private func refill(_ missing: [PendingCommit], after fold: StreamFold) throws -> UInt64? {
    store.options.logger?.notice(
      "the stream lacks commits, which are published again",
      metadata: ["store": "\(store.path)", "from": "\(fold.place.position.next)"])
    for (index, message) in try replica.refillMessages(missing, of: store.id, after: fold.place.position).enumerated() {
      let last = fold.tip + UInt64(index)
      switch try replica.send(message, after: last) {
      case .acknowledged: continue
      case .refused: return last + 1
      case .unsent(let reason), .unknown(let reason): throw replica.unavailable(reason)
      }
    }
    return nil
  }
}

/// How long, and how often, a message is awaited that the servers have named and do not show.
private struct ReceivingPatience {
  enum Step { case wait, doubt, giveUp }

  /// The message that must be there, or 0.
  var minimum: UInt64 = 0
  private let limit: Duration
  private var deadline: ContinuousClock.Instant
  private var isDoubted = false

  init(_ limit: Duration) {
    self.limit = limit
    deadline = .now + limit
  }

  mutating func next() -> Step {
    if ContinuousClock.now < deadline { return .wait }
    if isDoubted { return .giveUp }
    (isDoubted, deadline) = (true, .now + limit)
    return .doubt
  }
}

private extension LMDBJournal {
  /// Returns the commits after a position, up to a size in bytes, with the large values that they refer to.
  func pendingCommits(after position: Position, sizeInBytes limit: Int) throws -> [PendingCommit] {
    let head = try head()
    guard position < head else { return [] }
    // The first commit is published alone, with the identity of the store.
    let last = position == .empty ? Position.empty.next : head
    var commits: [PendingCommit] = []
    var size = 0
    let values = largeValues
    try forEachCommit(from: position.next, through: last) { commit in
      var pending = try PendingCommit.checked([UInt8](commit.bytes))
      if pending.refersToLargeValues {
        var found: [LargeValue] = []
        try pending.events.forEachLargeValue { found.append($0.reading(from: values)) }
        pending = try PendingCommit.checked([UInt8](commit.bytes), largeValues: found)
      }
      commits.append(pending)
      size += pending.sizeInBytes
      return size < limit
    }
    return commits
  }
}
