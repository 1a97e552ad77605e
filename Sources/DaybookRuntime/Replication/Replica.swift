import DaybookEngine
import DaybookModel
import Foundation

/// A node's side of a replicated journal: the connection to the stream, and what is known of the stream's end.
///
/// The state of the journal itself is in LMDB, where all processes of the node share it. A replica keeps nothing that
/// another process would need.
package final class Replica: Sendable {
  package let stream: any CommitStream
  package let address: JournalAddress
  package let node: ObjectID
  let options: ReplicationOptions
  let metrics: StoreMetrics

  /// Held while messages are read; taken before the journal's write lock, never while that is held.
  let reading = Locked(StreamReading())
  /// The last position of each node for which the stream was read.
  private let expected = Locked<[ObjectID: Position]>([:])
  /// The writes of this process that run, and when the first of them began or the last one ended.
  private let writers = Locked<(count: Int, time: ContinuousClock.Instant)>((0, .now))

  /// The end of the messages that were read, and of the parts after it.
  package struct End {
    /// The connection on which the stream was compared with the journal.
    let connection: Int
    var place: StreamPlace
    /// The last message, which is a part after the place if a payload is not complete.
    var tip: UInt64
    let messageSizeInBytes: Int
    /// The payload that is not complete, how many parts of it were read, and how long its next part is awaited.
    var pending: (attempt: ObjectID, partCount: Int, end: ContinuousClock.Instant)?
  }

  let end = Locked<End?>(nil)
  /// The publication whose outcome is not known.
  private let unresolved = Locked<Publication?>(nil)
  /// The attempt with which this process has announced a payload.
  let reservation = Locked<ObjectID?>(nil)
  /// The announcement that is renewed while its write runs. Held while a message of it is published.
  let renewal = Locked<ObjectID?>(nil)

  /// The least time between two readings of the stream by a follower, unless a node asks, and between two reports of a
  /// writer: commits that are taken together share a flush and a commit of LMDB. A commit after a pause is taken at once.
  static let pace = Duration.milliseconds(10)
  /// The refusals after which a write is announced, so that other nodes let it pass.
  static let patientAttempts = 4
  /// Whether the servers did not answer the last time.
  private let isOut = Locked(false)
  /// When this process last reported a commit of its own.
  private let latestReport = Locked<ContinuousClock.Instant?>(nil)

  /// Whether a commit of this process is reported now; if not, followers look for it after a short time.
  func mustReport() -> Bool {
    if case .replicas = options.acknowledgement { return true }
    return latestReport.withLock { latest in
      let now = ContinuousClock.now
      if let latest, now - latest < Replica.pace { return false }
      latest = now
      return true
    }
  }

  /// Makes the node's side of the stream that a file names; `nil` without a file, or if this process cannot reach it.
  init?(_ file: JournalFile?, options: ReplicationOptions, metrics: StoreMetrics) {
    guard let file, let stream = CommitStreams.open(file.address) else { return nil }
    self.stream = stream
    (address, node) = (file.address, file.node)
    (self.options, self.metrics) = (options, metrics)
  }

  /// The end of the stream, or `nil` if it must be compared with the journal first: after a new connection, and when the
  /// stream lacks a message that it should have.
  var provenEnd: End? {
    let connection = stream.connectionCount
    return end.withLock { $0 }.flatMap { $0.connection == connection ? $0 : nil }
  }

  package func note(_ end: End?) {
    self.end.withLock { $0 = end }
  }

  /// Notes that the stream was read up to a place.
  func note(_ place: StreamPlace, tip: UInt64) {
    end.withLock { end in
      end?.place = place
      end?.tip = tip
      end?.pending = nil
    }
  }

  /// Notes what was read of the stream, and how long a payload that is not complete is awaited.
  func note(_ fold: StreamFold, until patience: ContinuousClock.Instant?) {
    end.withLock { end in
      end?.place = fold.place
      end?.tip = fold.tip
      end?.pending = fold.openAttempt.map { ($0, fold.openPartCount, patience ?? .now) }
    }
  }

  /// Notes that the journal's place is at the beginning of the stream, where all is compared.
  func noteBeginning() {
    reading.withLock { $0.startsOver = false }
    note(nil)
  }

  /// Whether an unfinished payload must be awaited before this node publishes.
  func mustAwait(_ reading: StreamReading) -> Bool {
    guard reading.isPending(options.payloadPatience) else { return false }
    return reservation.withLock { $0 == nil || $0 != reading.progress?.fold.openAttempt }
  }

  /// The size of a payload that fills a message.
  var messageSizeInBytes: Int { end.withLock { $0?.messageSizeInBytes } ?? 1 << 20 }

  /// Prepares the publication of commits that follow the journal.
  ///
  /// - Parameter place: The place of the journal in the same transaction.
  /// - Throws: ``PublicationRefused`` if the node must catch up first.
  func publication(of commits: [PendingCommit], at place: StreamPlace?) throws -> Publication {
    guard let end = provenEnd, let place, place.created == end.place.created else {
      throw PublicationRefused(sequence: 0)
    }
    // Commits that the stream has lost go before.
    guard commits.first?.header.position == place.position.next else { throw PublicationRefused(sequence: 0) }
    // Another process of the node may have read further.
    guard place == end.place else {
      return try Publication(commits, at: place, after: place.sequence, messageSizeInBytes: end.messageSizeInBytes)
    }
    // This one may have seen parts that are not folded, after the write had begun.
    if let pending = end.pending, ContinuousClock.now < pending.end, reservation.withLock({ $0 != pending.attempt }) {
      throw PublicationRefused(sequence: end.tip)
    }
    return try Publication(
      commits, at: place, after: end.tip, skipping: end.pending?.partCount ?? 0,
      messageSizeInBytes: end.messageSizeInBytes)
  }

  /// Publishes messages, and returns when the stream has all of them.
  ///
  /// - Throws: ``PublicationRefused``; `StoreError` with the code `unavailable` if nothing was written,
  ///   `unknownOutcome` if that is not known.
  func publish(_ publication: Publication) throws {
    let start = ContinuousClock.now
    for index in publication.messages.indices {
      switch try send(publication.messages[index], after: publication.start + UInt64(index)) {
      case .acknowledged: continue
      case .refused:
        throw PublicationRefused(
          sequence: publication.start + UInt64(index) + 1, messageCount: publication.messages.count)
      case .unsent(let reason): throw unavailable(reason)
      case .unknown(let reason):
        // Without its last part a payload is not complete, and the last part was not sent.
        guard index == publication.messages.count - 1 else { throw unavailable(reason) }
        unresolved.withLock { $0 = publication }
        throw StoreError(
          .unknownOutcome,
          "The servers of \(address) did not say whether they have the commit\(publication.commitID.map { " \($0)" } ?? ""): \(reason).",
          advice: "The store writes again when that is known. Retry with the same commit id.")
      }
    }
    metrics.notePublication(ContinuousClock.now - start)
  }

  /// Sends a message again and again until it is acknowledged or refused, or the time is over.
  ///
  /// After an attempt without an answer, nothing that can be read proves that the message is not on its way. Only the
  /// refusal of the same message does, or another message in its place.
  func send(_ message: [UInt8], after sequence: UInt64) throws -> PublishOutcome {
    let deadline = ContinuousClock.now + options.timeLimit
    var failure: (isSent: Bool, reason: String) = (false, "the time limit is 0")
    while ContinuousClock.now < deadline {
      switch stream.publish(message, after: sequence, waiting: min(deadline - .now, .seconds(2))) {
      case .acknowledged(let number) where number == sequence + 1: return .acknowledged(number)
      case .acknowledged(let number): failure = (true, "the message was stored as \(number), not \(sequence + 1)")
      case .refused:
        guard failure.isSent else { return .refused }
        // An earlier attempt of the same message may be the reason.
        if let found = try? stream.message(at: sequence + 1, waiting: .seconds(1)) {
          return found == message ? .acknowledged(sequence + 1) : .refused
        }
      case .unsent(let reason): failure.reason = reason
      case .unknown(let reason): failure = (true, reason)
      }
      Thread.sleep(forTimeInterval: 0.02)
    }
    noteOutage()
    return failure.isSent ? .unknown(failure.reason) : .unsent(failure.reason)
  }

  /// Finds out what became of a publication without an answer; nothing else is written before.
  ///
  /// - Throws: `StoreError` with the code `unavailable` if that is still unknown.
  func resolve() throws {
    guard let publication = unresolved.withLock({ $0 }) else { return }
    let index = publication.messages.count - 1
    switch try send(publication.messages[index], after: publication.start + UInt64(index)) {
    case .acknowledged, .refused: unresolved.withLock { $0 = nil }
    case .unsent(let reason), .unknown(let reason): throw unavailable(reason)
    }
  }

  func unavailable(_ reason: String) -> StoreError {
    StoreError(
      .unavailable, "The servers of \(address) cannot be reached: \(reason). Nothing was written.",
      advice: "Reading goes on. Write again when the connection is back.")
  }

  /// Counts an outage once, however many requests fail until the servers answer again.
  private func noteOutage() {
    let isNew = isOut.withLock { isOut in
      defer { isOut = true }
      return !isOut
    }
    if isNew { metrics.noteOutage() }
  }

  /// How long a follower waits for an answer: it asks again soon, and a writer waits for it to end.
  var followingLimit: Duration { min(.seconds(1), options.timeLimit) }

  /// Repeats a request to the stream until it is answered or the time is over.
  ///
  /// - Parameter limit: The time; `nil` for the time of a write.
  package func asking<Result>(within limit: Duration? = nil, _ request: (Duration) throws -> Result) throws -> Result {
    let deadline = ContinuousClock.now + (limit ?? options.timeLimit)
    while true {
      do {
        let result = try request(max(min(deadline - .now, .seconds(2)), .milliseconds(1)))
        isOut.withLock { $0 = false }
        return result
      } catch let error as StoreError where error.code == .notFound {
        throw StoreError(.notFound, error.message, advice: .recreateStream)
      } catch let error as StreamUnavailable {
        guard ContinuousClock.now < deadline else {
          noteOutage()
          throw unavailable(error.reason)
        }
        Thread.sleep(forTimeInterval: 0.05)
      }
    }
  }

  /// Waits for something from another node, and then for more of it until a time, or until a node asks.
  func waitForNews(atMost limit: Duration, gatheringUntil end: ContinuousClock.Instant) -> StreamNews {
    var news = stream.waitForNews(atMost: limit)
    while news == .report, ContinuousClock.now < end {
      if stream.waitForNews(atMost: end - .now) == .question { news = .question }
    }
    return news
  }

  /// Returns the greatest position after a head that another node reports, or `nil`; each report is returned once.
  ///
  /// A forked node may report commits that the stream never has, so each node is asked about by itself.
  func reportedPosition(after head: Position) -> Position? {
    let reports = stream.reports.filter { $0.node != node && $0.position > head }
    guard !reports.isEmpty else { return nil }
    return expected.withLock { expected in
      var greatest: Position?
      for report in reports where report.position > expected[report.node] ?? .empty {
        expected[report.node] = report.position
        greatest = max(greatest ?? .empty, report.position)
      }
      return greatest
    }
  }
}

/// Writers of this process, which take what other nodes have written themselves.
extension Replica {
  /// How long a follower leaves the stream to the writers of its process.
  private static let deferringTime = Duration.milliseconds(50)

  /// Whether a follower leaves the stream to a writer, which appends the commits of other nodes with its own.
  var defersFollowing: Bool {
    writers.withLock { $0.count > 0 && ContinuousClock.now - $0.time < Replica.deferringTime }
  }

  /// Counts a write of this process that begins.
  func beginWriting() {
    writers.withLock { writers in
      if writers.count == 0 { writers.time = .now }
      writers.count += 1
    }
  }

  /// Counts a write of this process that has ended.
  func endWriting() { writers.withLock { $0 = ($0.count - 1, .now) } }

  /// Whether something is known of other nodes that a write would be refused for: then the stream is read first.
  var mustReadBeforeWriting: Bool { provenEnd.map { $0.tip != $0.place.sequence } ?? true }
}

extension Replica {
  /// Returns whether the stream has the message up to which the journal has folded it.
  ///
  /// - Parameter limit: How long the servers may take; `nil` for as long as for a write.
  package func has(_ place: StreamPlace, _ state: StreamState, within limit: Duration? = nil) throws -> Bool {
    guard place.created == state.created, place.sequence <= state.lastSequence else { return false }
    if place.sequence == 0 { return true }
    let found = try asking(within: limit) { try stream.message(at: place.sequence, waiting: $0) }
    return found.map { Digest(hashing: $0.rawSpan) == place.digest } ?? false
  }

  /// Returns the messages that hold commits which the stream has lost.
  ///
  /// - Parameters:
  ///   - commits: The commits; if they begin with the first one, only that.
  ///   - store: The store, which the first message names.
  ///   - position: The last commit that the stream has.
  func refillMessages(_ commits: [PendingCommit], of store: ObjectID, after position: Position) throws -> [[UInt8]] {
    guard position == .empty else {
      return try Publication(
        commits, at: StreamPlace(created: 0), after: 0, messageSizeInBytes: messageSizeInBytes
      ).messages
    }
    let message = StreamContent.identity(store, payload: try StreamPayload.bytes(of: commits)).bytes
    guard message.count + StreamPart.overheadInBytes <= messageSizeInBytes else {
      throw StoreError(
        .tooLarge, "The first model of the store has more bytes than a message of the stream may have.",
        advice: "Raise max_payload of the servers.")
    }
    return [message]
  }
}
