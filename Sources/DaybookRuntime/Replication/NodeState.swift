import DaybookEngine
import DaybookModel

/// What one process of a node knows of the stream of its journal.
///
/// A value without a clock, a server, a thread or a file: the tasks of the node (``ReadTask``, ``PublishTask``) decide by it
/// what to do next, and ``Replicator`` does it. Times are given by the caller.
struct NodeState {
  /// What a task receives.
  enum Input {
    /// The task begins.
    case start
    case streamState(StreamState)
    /// The message that was asked for, or `nil` if the stream does not have it.
    case message([UInt8]?)
    case messages(StreamMessages)
    case published(PublishOutcome)
    /// The wait is over.
    case timer
  }

  /// What a task does next. Each but the notes has one input as its answer.
  enum Action: Hashable {
    /// Asks for the state of the stream.
    case requestState
    /// Asks for one message; repeated until it is answered or the time is over, if it must be known.
    case requestMessage(UInt64, isRepeated: Bool)
    case requestMessages(first: UInt64, count: Int)
    case publish([UInt8], after: UInt64, waiting: Duration)
    case wait(Duration)
    /// A message was skipped, by the rules of the fold.
    case noteSkip(UInt64, StreamFold.Reason)
    /// The stream contradicts the journal, and is folded from its beginning.
    case noteRestart
    /// Commits that the stream lacks are published again, from this one.
    case noteRefill(Position)
  }

  /// The end of the messages that were read, and of the parts after it.
  struct End: Hashable {
    /// The connection on which the stream was compared with the journal.
    let connection: Int
    var place: StreamPlace
    /// The last message, which is a part after the place if a payload is not complete.
    var tip: UInt64
    var tipDigest: Digest
    let messageSizeInBytes: Int
    /// The payload that is not complete.
    var pending: Pending?

    /// Returns whether a stream has the last message at the place, and the last part after it.
    ///
    /// - Parameter digest: Returns the SHA-256 of a message, or `nil` if the stream has none of that number.
    func has(_ digest: (UInt64) throws -> Digest?) rethrows -> Bool {
      try place.isPresent(digest) && (tip == place.sequence || digest(tip) == tipDigest)
    }
  }

  /// A payload that is not complete: how many parts of it were read, and how long the next one is awaited.
  struct Pending: Hashable {
    let attempt: ObjectID
    var partCount: Int
    var end: ContinuousClock.Instant
  }

  let node: ObjectID
  let store: ObjectID
  let limits: Limits

  /// The times and numbers that a node's options set.
  struct Limits {
    /// How long a write waits for the servers.
    let timeLimit: Duration
    /// How long the next part of a payload is awaited.
    let incompletePayloadTimeout: Duration
    /// How often a write runs.
    let maximumAttempts: Int
  }

  /// The number of connections made so far.
  var connection = 0
  private(set) var end: End?
  /// The state from which reading continues.
  var reading = StreamReading()
  /// The publication whose outcome is not known.
  var unresolved: Publication?
  /// The attempt with which this process has announced a payload.
  var reservation: ObjectID?
  /// The last position of each node for which the stream was read.
  private var expected: [ObjectID: Position] = [:]

  /// The writes of this process that run, and when the first of them began or the last one ended.
  private var writers: (count: Int, time: ContinuousClock.Instant?) = (0, nil)
  /// When this process last reported a commit of its own.
  private var latestReport: ContinuousClock.Instant?
  /// Whether the servers did not answer the last time.
  var isOut = false

  init(node: ObjectID, store: ObjectID, limits: Limits) {
    (self.node, self.store, self.limits) = (node, store, limits)
  }

  /// The end of the stream, or `nil` if it must be compared with the journal first: after a new connection, and when the
  /// stream lacks a message that it should have.
  var provenEnd: End? { end.flatMap { $0.connection == connection ? $0 : nil } }

  /// The size of a payload that fills a message.
  var messageSizeInBytes: Int { end?.messageSizeInBytes ?? 1 << 20 }

  /// Records that the stream was compared with the journal, or that it must be (`nil`).
  mutating func prove(_ end: End?) { self.end = end }

  /// Records that the stream was read up to a place.
  mutating func record(_ place: StreamPlace) {
    guard let known = end else { return }
    end = End(
      connection: known.connection, place: place, tip: place.sequence, tipDigest: place.digest,
      messageSizeInBytes: known.messageSizeInBytes)
  }

  /// Records what was read of the stream.
  mutating func record(_ fold: StreamFold, at now: ContinuousClock.Instant) {
    let part = reading.latestPart
    let timeout = part.map { $0.time + limits.incompletePayloadTimeout } ?? now
    let pending = fold.openAttempt.map { Pending(attempt: $0, partCount: fold.openPartCount, end: timeout) }
    end?.place = fold.place
    end?.tip = fold.tip
    end?.pending = pending
    end?.tipDigest = fold.isInPayload ? part?.digest ?? .zero : fold.place.digest
  }

  /// Whether an incomplete payload of another write must be awaited before this node publishes.
  func awaitsPayload(at now: ContinuousClock.Instant) -> Bool {
    guard let fold = reading.progress?.fold, fold.isInPayload, let part = reading.latestPart,
      now - part.time < limits.incompletePayloadTimeout
    else { return false }
    return reservation == nil || reservation != fold.openAttempt
  }

  /// Whether the stream has messages that this node has not folded, or may have: they are read before a write.
  var mustReadBeforeWriting: Bool { provenEnd.map { $0.tip != $0.place.sequence } ?? true }

  /// Returns the greatest position after a head that another node reports, or `nil`; each report is returned once.
  ///
  /// A forked node may report commits that the stream never has, so each node is asked about by itself.
  mutating func reportedPosition(in reports: [NodeReport], after head: Position) -> Position? {
    var greatest: Position?
    for report in reports where report.node != node && report.position > head {
      guard report.position > expected[report.node] ?? .empty else { continue }
      expected[report.node] = report.position
      greatest = max(greatest ?? .empty, report.position)
    }
    return greatest
  }

  /// Records that the journal's place is at the beginning of the stream, where all is compared.
  mutating func noteBeginning() {
    reading.startsOver = false
    end = nil
  }

  /// Considers what the servers have now, and what other nodes report: if there is a doubt, the stream is compared with the
  /// journal before it is read again.
  ///
  /// A node proves its place by the last message alone. When a stream has lost its end, the same bytes can get the same
  /// number again behind other messages, which only the reports of other nodes show.
  ///
  /// - Parameter hasEnd: Whether the stream has the messages at the known end; see ``End/has(_:)``.
  mutating func reconsider(
    _ state: StreamState, hasEnd: Bool, _ reports: [NodeReport], _ journal: some NodeJournal
  ) throws {
    if !hasEnd { end = nil }
    reading.knownEnd = state.lastSequence
    // The report of a node that is wrong itself stays, and is compared once.
    for report in reports where report.node != node && reading.doubtedReports[report.node] != report {
      guard try journal.contradicts(report) else { continue }
      reading.doubtedReports[report.node] = report
      reading.startsOver = true
    }
  }

  /// Prepares the publication of commits that follow the journal.
  ///
  /// - Parameter place: The place of the journal in the same transaction.
  /// - Throws: ``PublicationRefused`` if the node must catch up first.
  func publication(
    of commits: [PendingCommit], following place: StreamPlace?, as attempt: ObjectID = .random(),
    at now: ContinuousClock.Instant
  ) throws -> Publication {
    guard let end = provenEnd, let place, place.created == end.place.created else {
      throw PublicationRefused(sequence: 0)
    }
    // Commits that the stream has lost go before.
    guard commits.first?.header.position == place.position.next else { throw PublicationRefused(sequence: 0) }
    // Another process of the node may have read further.
    guard place == end.place else {
      return try Publication(
        commits, at: place, after: place.sequence, attempt: attempt, messageSizeInBytes: end.messageSizeInBytes)
    }
    // This one may have seen parts that are not folded, after the write had begun.
    if let pending = end.pending, now < pending.end, reservation != pending.attempt {
      throw PublicationRefused(sequence: end.tip)
    }
    return try Publication(
      commits, at: place, after: end.tip, skipping: end.pending?.partCount ?? 0, attempt: attempt,
      messageSizeInBytes: end.messageSizeInBytes)
  }
}

/// Writers of this process, which take what other nodes have written themselves.
extension NodeState {
  /// How long a follower leaves the stream to the writers of its process.
  private static let deferringTime = Duration.milliseconds(50)
  /// The least time between two readings of the stream by a follower, unless a node asks, and between two reports of a
  /// writer: commits that are taken together share a flush and a commit of LMDB. A commit after a pause is taken at once.
  static let pace = Duration.milliseconds(10)

  mutating func beginWriting(at now: ContinuousClock.Instant) {
    if writers.count == 0 { writers.time = now }
    writers.count += 1
  }

  mutating func endWriting(at now: ContinuousClock.Instant) { writers = (writers.count - 1, now) }

  /// Whether a follower leaves the stream to a writer, which appends the commits of other nodes with its own.
  func defersFollowing(at now: ContinuousClock.Instant) -> Bool {
    writers.count > 0 && writers.time.map { now - $0 < NodeState.deferringTime } ?? false
  }

  /// Returns whether a commit of this process is reported now; if not, followers look for it after a short time.
  mutating func takesReport(at now: ContinuousClock.Instant) -> Bool {
    if let latestReport, now - latestReport < NodeState.pace { return false }
    latestReport = now
    return true
  }
}

/// Announcements: empty parts of a payload without an end, for which other nodes wait while a write runs.
extension NodeState {
  /// Returns the last message of an announcement if the messages that were read end with it, or `nil`.
  func tip(of attempt: ObjectID) -> UInt64? {
    provenEnd.flatMap { $0.pending?.attempt == attempt ? $0.tip : nil }
  }

  /// Returns the part by which an announcement is renewed, and the message after which it is published; `nil` if it is not
  /// the end of the stream, or has been renewed as often as it may.
  func renewal(of attempt: ObjectID) -> (part: [UInt8], end: End)? {
    guard let end = provenEnd, let pending = end.pending, pending.attempt == attempt,
      pending.partCount < StreamPart.maximumAnnouncement
    else { return nil }
    return (StreamContent.part(.announcement(attempt, index: pending.partCount)).bytes, end)
  }

  /// Records that the stream has the part of a renewal.
  mutating func record(
    renewalOf attempt: ObjectID, with part: [UInt8], after known: End, at now: ContinuousClock.Instant
  ) {
    // Another thread may have read the part already.
    guard let pending = known.pending, end?.connection == known.connection, end?.tip == known.tip else { return }
    let timeout = now + limits.incompletePayloadTimeout
    end?.tip += 1
    end?.tipDigest = Digest(hashing: part.rawSpan)
    end?.pending = Pending(attempt: attempt, partCount: pending.partCount + 1, end: timeout)
  }

  /// Ends an announcement, which other nodes wait for until its time is over.
  mutating func endReservation(_ attempt: ObjectID) {
    if reservation == attempt { reservation = nil }
  }
}
