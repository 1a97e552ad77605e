import DaybookEngine
import DaybookModel
import Foundation
import LMDB

/// The error of commits that another process of the node has appended meanwhile.
private struct StreamPlaceMoved: Error {}

/// How far a stream is read.
enum ReadingGoal: Hashable {
  /// To its present end.
  case end
  /// To the present end, which is this message or a later one.
  case message(UInt64)
  /// To a commit that another node says to have, or to the end.
  case position(Position)

  /// Whether the fold has come so far; its end is then not asked for.
  func isReached(by fold: StreamFold) -> Bool {
    guard !fold.isInPayload else { return false }
    return switch self {
    case .end, .message: false
    case .position(let position): fold.place.position >= position
    }
  }

  /// The message that must be there, or 0.
  var minimum: UInt64 { if case .message(let number) = self { number } else { 0 } }
}

/// Taking the commits of other nodes from the stream.
///
/// Messages are read and folded without a lock of the journal; their commits are then appended in a write session, which
/// compares the place of the stream first. So a process that was slower than another one of the same node appends nothing
/// twice, and readers and live feeds see the commits like commits of any other process.
extension OpenStore {
  /// The most messages, and bytes of messages, whose commits are appended in one session.
  private static let maximumBatch = (count: 512, sizeInBytes: 16 << 20)
  /// The most messages that are requested at once.
  private static let maximumRequestCount: UInt64 = 32
  /// How long a message is awaited that the servers have named and do not show.
  private static let showingTime = Duration.seconds(1)

  /// Appends the commits of the messages that the journal lacks.
  ///
  /// If the stream has lost commits that the journal has, they are published again.
  ///
  /// - Parameters:
  ///   - goal: How far to read. A stream that must be compared with the journal first is read to its end.
  ///   - isWriting: Whether the caller will publish next: then a payload that is not complete is awaited.
  /// - Throws: `StoreError`: `unavailable`; `conflict` if the journal and the stream differ, or the stream belongs to
  ///   another store; `damaged` for a commit that a store cannot have made; errors of the disk.
  func catchUp(_ replica: Replica, until goal: ReadingGoal = .end, isWriting: Bool = false) throws {
    try checkWritable()
    let minimum = goal.minimum
    let deadline = ContinuousClock.now + min(OpenStore.showingTime, replica.options.timeLimit)
    try replica.reading.withLock { reading in
      try checkNotForked()
      var isDoubted = false
      var goal = goal
      while true {
        if replica.provenEnd == nil || reading.startsOver { goal = .end }
        guard try proveEnd(&reading, replica) else { continue }
        if try foldMessages(&reading, replica, until: goal) > 0 {
          if let fold = reading.fold, !reading.startsOver, goal.isReached(by: fold) { return }
          continue
        }
        guard let fold = reading.fold else { continue }
        if fold.tip < minimum, ContinuousClock.now < deadline {
          Thread.sleep(forTimeInterval: 0.001)
          continue
        }
        if fold.tip < minimum, !isDoubted {
          // The servers refused a message for this place, and show none there: they may have lost some.
          isDoubted = true
          replica.note(nil)
          continue
        }
        let isPending = replica.mustAwait(reading)
        if isPending, isWriting {
          Thread.sleep(forTimeInterval: 0.002)
          continue
        }
        if isPending { return }
        guard try refill(fold, replica) else { return }
      }
    }
  }

  /// - Throws: `StoreError` with the code `conflict` if the journal is known to differ from the stream.
  func checkNotForked() throws {
    if let fork = try withJournal({ try $0.streamFork() }) { throw fork.error }
  }

  /// Compares the stream with the place up to which the journal has folded it, once for each connection, and again when
  /// the stream contradicts the journal.
  ///
  /// If it is another stream, or has lost messages, it is folded from its beginning: commits that the journal has are
  /// compared with it then.
  ///
  /// - Returns: Whether the end is known; otherwise something changed meanwhile.
  private func proveEnd(_ reading: inout Replica.Reading, _ replica: Replica) throws -> Bool {
    if replica.provenEnd != nil, !reading.startsOver { return true }
    let connection = replica.stream.connectionCount
    let state = try replica.asking { try replica.stream.state(waiting: $0) }
    // A server of an earlier connection, or none, may have answered.
    guard connection == replica.stream.connectionCount else { return false }
    var place = try withJournal { try $0.streamPlace() }
    let isKnown = try !reading.startsOver && place.map { try replica.has($0, state) } ?? false
    if !isKnown {
      options.logger?.notice(
        "folding the stream from its beginning", metadata: ["store": "\(path)", "stream": "\(replica.address)"])
      let start = StreamPlace(created: state.created)
      do {
        try append([], from: place, to: start)
      } catch is StreamPlaceMoved {
        // Another process of the node may have done the same, or have followed the stream.
        return false
      }
      place = start
      reading.startsOver = false
      reading.contradictionsEnd = state.lastSequence
    }
    reading.restart()
    reading.knownEnd = state.lastSequence
    let known = place ?? StreamPlace(created: state.created)
    replica.note(
      Replica.End(
        connection: connection, place: known, tip: known.sequence, messageSizeInBytes: state.maximumMessageSizeInBytes))
    return true
  }

  /// Finds out whether the servers still have what they had, and whether the other nodes have the same commits.
  ///
  /// Servers that are restarted one after the other can lose messages though this node's connection lasts, and a node that
  /// publishes nothing would not learn of it. If there is a doubt, the next ``catchUp(_:until:isWriting:)`` compares the
  /// whole stream with the journal.
  ///
  /// - Throws: The errors of ``catchUp(_:until:isWriting:)``.
  func reconsider(_ replica: Replica) throws {
    try replica.reading.withLock { reading in
      guard let end = replica.provenEnd else { return }
      let state = try replica.asking { try replica.stream.state(waiting: $0) }
      if try state.lastSequence < end.tip || !replica.has(end.place, state) { replica.note(nil) }
      for report in replica.stream.reports where report.node != replica.node {
        guard reading.comparedReports[report.node] != report, let isSame = try agrees(report) else { continue }
        reading.comparedReports[report.node] = report
        if !isSame { reading.startsOver = true }
      }
    }
  }

  /// Returns a commit that another node reports and this one lacks, or `nil`; each is returned once.
  func reportedPosition(_ replica: Replica) throws -> Position? {
    let reported = replica.reportedPosition
    return try replica.reading.withLock { reading in
      guard try reported > reading.expected && reported > withJournal({ try $0.head() }) else { return nil }
      reading.expected = reported
      return reported
    }
  }

  /// Returns whether the journal has the commit that another node reports, or `nil` if it has not come so far.
  private func agrees(_ report: NodeReport) throws -> Bool? {
    try withJournal { journal in
      guard try report.position <= journal.head() else { return nil }
      return try report.position == .empty || journal.header(at: report.position).hash == report.hash
    }
  }

  /// Folds the next messages, and appends their commits.
  ///
  /// - Returns: The number of messages; 0 at the end of the stream.
  private func foldMessages(
    _ reading: inout Replica.Reading, _ replica: Replica, until goal: ReadingGoal
  ) throws -> Int {
    let place = try withJournal { try $0.streamPlace() } ?? StreamPlace(created: 0)
    if reading.fold?.place != place {
      reading.restart()
      reading.fold = try makeFold(at: place)
    }
    guard var fold = reading.fold else { return 0 }
    var commits: [PendingCommit] = []
    var (count, size) = (0, 0)
    var next: ArraySlice<[UInt8]> = []
    while count < OpenStore.maximumBatch.count, size < OpenStore.maximumBatch.sizeInBytes {
      if count > 0, goal.isReached(by: fold) { break }
      let number = fold.tip + 1
      if next.isEmpty { next = try messages(from: number, reading.knownEnd, replica) }
      guard let bytes = next.popFirst() else {
        // The servers have lost it since then.
        reading.knownEnd = min(reading.knownEnd, fold.tip)
        break
      }
      count += 1
      size += bytes.count
      let message = StreamMessage(sequence: number, bytes: bytes)
      switch try withJournal({ journal in try fold.fold(message) { try journal.position(ofCommitID: $0) } }) {
      case .taken(let taken): commits += taken
      case .part: reading.latestPart = .now
      case .skipped(let reason) where reason.contradictsPlace && number > reading.contradictionsEnd:
        reading.startsOver = true
        return count
      case .skipped(let reason): noteSkip(number, reason, replica)
      }
    }
    guard count > 0 else { return 0 }
    // If the commits cannot be appended, the messages are read again.
    reading.fold = nil
    do {
      if fold.place != place { try append(commits, from: place, to: fold.place) }
    } catch is StreamPlaceMoved {
      return count
    }
    fold.forgetIDs()
    reading.fold = fold
    replica.note(fold.place, tip: fold.tip)
    return count
  }

  /// Returns the next messages: several while the stream is known to have them, otherwise at most one.
  private func messages(from number: UInt64, _ knownEnd: UInt64, _ replica: Replica) throws -> ArraySlice<[UInt8]> {
    let count = number < knownEnd ? min(knownEnd - number + 1, OpenStore.maximumRequestCount) : 1
    return try replica.asking { limit in
      guard count > 1 else {
        return try replica.stream.message(at: number, waiting: limit).map { [$0] } ?? []
      }
      return try replica.stream.messages(from: number, count: Int(count), waiting: limit)[...]
    }
  }

  private func noteSkip(_ sequence: UInt64, _ reason: StreamFold.Reason, _ replica: Replica) {
    options.logger?.warning(
      "skipping a message of the stream",
      metadata: ["store": "\(path)", "message": "\(sequence)", "reason": "\(reason.rawValue)"])
    replica.metrics.noteSkippedMessage()
  }

  private func makeFold(at place: StreamPlace) throws -> StreamFold {
    guard place.position > .empty else {
      return StreamFold(at: place, of: id, hash: .zero, recordedAt: Timestamp(microseconds: .min))
    }
    let last = try withJournal { try $0.header(at: place.position) }
    return StreamFold(at: place, of: id, hash: last.hash, recordedAt: last.header.recordedAt)
  }

  /// Appends commits of the stream, and moves the place, in one session.
  ///
  /// Commits that the journal has are compared.
  ///
  /// - Throws: ``StreamPlaceMoved`` if the place is not at `start`; `StoreError` with the code `conflict` if the journal
  ///   has another commit at a position, which is recorded.
  private func append(_ commits: [PendingCommit], from start: StreamPlace?, to end: StreamPlace) throws {
    let fork: StreamFork? = try healing {
      let session = try WriteSession.begin(self)
      guard try session.journalReader.streamPlace() == start else { throw StreamPlaceMoved() }
      for commit in commits {
        guard let fork = try append(commit, in: session) else { continue }
        session.noteFork(fork)
        try session.finish()
        return fork
      }
      session.noteArrival(end)
      try session.finish()
      return nil
    }
    guard let fork else { return }
    options.logger?.critical("the journal and the stream differ", metadata: ["store": "\(path)", "fork": "\(fork)"])
    throw fork.error
  }

  /// Appends a commit of the stream, unless the journal has one at its position.
  ///
  /// - Returns: The difference, if the journal has another commit there.
  private func append(_ commit: PendingCommit, in session: WriteSession) throws -> StreamFork? {
    let position = commit.header.position
    if position <= session.head {
      let own = try session.journalReader.header(at: position).hash
      return own == commit.hash ? nil : StreamFork(position: position, own: own, stream: commit.hash)
    }
    do {
      try session.append(checking: commit, model: try commit.resolvedModel())
    } catch let refusal as CommitRefusal {
      throw StoreError(
        .damaged, "The stream has a commit \(position) that no store can have made: \(refusal.error.message)",
        advice: "Find out who can publish to the stream. This node stops following before that commit.")
    }
    return nil
  }

  /// Publishes commits that the journal has and the stream lacks.
  ///
  /// - Parameter fold: The fold of all messages of the stream.
  /// - Returns: Whether there were such commits: then there are messages to read.
  private func refill(_ fold: StreamFold, _ replica: Replica) throws -> Bool {
    let size = replica.messageSizeInBytes
    let missing: [PendingCommit] = try withJournal { journal in
      guard try journal.streamPlace() == fold.place else { return [] }
      return try journal.pendingCommits(after: fold.place.position, sizeInBytes: size)
    }
    guard let first = missing.first else {
      // Another process of the node may have appended since.
      return try withJournal { try $0.streamPlace() } != fold.place
    }
    options.logger?.notice(
      "the stream lacks commits, which are published again",
      metadata: ["store": "\(path)", "from": "\(first.header.position)"])
    for (index, message) in try replica.refillMessages(missing, of: id, after: fold.place.position).enumerated() {
      switch try replica.send(message, after: fold.tip + UInt64(index)) {
      case .acknowledged: continue
      case .refused: return true
      case .unsent(let reason), .unknown(let reason): throw replica.unavailable(reason)
      }
    }
    return true
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

private extension PendingCommit {
  /// Returns the model in the commit, or `nil` if it has events.
  func resolvedModel() throws -> ResolvedModel? {
    guard header.isModel else { return nil }
    do {
      return try ResolvedModel(body: body.rawSpan, at: header.position)
    } catch {
      throw CommitRefusal(.badModel, "\(error)")
    }
  }
}
