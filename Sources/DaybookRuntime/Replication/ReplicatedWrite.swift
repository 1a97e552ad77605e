import DaybookEngine
import DaybookModel
import LMDB

/// The hook that publishes one write of a node, and takes the commits of other nodes before it.
///
/// Each session begins with the commits of the stream that the journal lacks. When the rows of its own commits are written,
/// they are published behind the last message of the stream; if another node was faster, the write runs again after its
/// commits.
final class ReplicatedWrite: SessionHook {
  private let replicator: Replicator
  private var task: WriteTask
  /// Whether the stream was read to its end after an error that the state of the node may have caused.
  private var isAtEnd = false
  private var renewal: AnnouncementRenewal?
  /// The commits of other nodes with which the session begins, until the journal has them.
  private var arrivals: StreamArrivals?
  /// The last commit that the session's closure knew.
  private var head = Position.empty
  /// What was published in the present session, or in an earlier one that could not store it.
  private var published: (publication: Publication, commits: [PendingCommit])?

  /// - Throws: `StoreError` with the code `unavailable` if the outcome of an earlier write is not known.
  init(_ replicator: Replicator) throws {
    self.replicator = replicator
    replicator.withState { $0.beginWriting(at: .now) }
    do {
      try replicator.resolve()
      // Another node may be in the middle of a payload.
      let mustRead = replicator.withState { $0.mustReadBeforeWriting }
      task = WriteTask(until: try mustRead ? .end : replicator.reportedPosition().map { .position($0) })
    } catch {
      replicator.withState { $0.endWriting(at: .now) }
      throw error
    }
  }

  func willBegin() throws {
    if let goal = task.goal { arrivals = try replicator.receiveForWriting(until: goal) }
    task.goal = nil
    renewal = task.reservation.map { AnnouncementRenewal(of: $0.attempt, replicator) }
  }

  func didBegin(_ session: WriteSession) throws {
    replicator.checkClock(replicator.keeper.files.options.clock(), after: session.lastRecordedAt)
    if let published {
      // Another thread or process of the node may have taken them from the stream meanwhile.
      let commits = (arrivals?.commits ?? []) + published.commits
      if let fork = try session.append(fromStream: commits) { throw fork.error }
    } else if let arrivals, !arrivals.isEmpty {
      // Without arrivals the journal's place may be any.
      let appending = StreamAppending(arrivals)
      try appending.didBegin(session)
      if let fork = appending.fork { throw fork.error }
    }
    head = session.head
  }

  var hasAppendedWrite: Bool { published != nil }

  func isFilled(by session: WriteSession) -> Bool {
    session.ownCommits.reduce(0) { $0 + $1.sizeInBytes } >= replicator.withState { $0.messageSizeInBytes }
  }

  /// Writes the place in the stream after the session's commits, and publishes its own.
  ///
  /// The row is written before the publication, so that after it only the end of the transaction can fail.
  ///
  /// - Throws: ``PublicationRefused``; `StoreError`: `conflict` for a fork, `unavailable`, `unknownOutcome`.
  func willCommit(_ session: WriteSession) throws {
    if let published {
      if !session.commits.isEmpty { try session.putMeta(StreamPlace.key, published.publication.end.bytes) }
      return
    }
    let own = Array(session.ownCommits)
    guard !own.isEmpty else {
      if let arrivals, !arrivals.isEmpty { try session.putMeta(StreamPlace.key, arrivals.end.bytes) }
      return
    }
    if let fork = try session.journalReader.streamFork() { throw fork.error }
    let place = arrivals.flatMap { $0.isEmpty ? nil : $0.end }
    let known = try place ?? session.journalReader.streamPlace()
    let publication = try replicator.withState { try $0.publication(of: own, following: known, at: .now) }
    if let renewal, let tip = renewal.end() { publication.move(behind: tip) }
    try session.putMeta(StreamPlace.key, publication.end.bytes)
    try replicator.publish(publication)
    published = (publication, own)
  }

  func didCommit(_ session: WriteSession) {
    endRenewal()
    arrivals = nil
    guard let publication = published?.publication else { return }
    replicator.withState { $0.record(publication.end) }
  }

  func didFail() { endRenewal() }

  private func endRenewal() {
    _ = renewal?.end()
    renewal = nil
  }

  func isOvertaken(after error: any Error) throws -> Bool {
    // What is in the stream is not published again.
    if published != nil { return false }
    if error is StreamPlaceMoved {
      // Another thread or process of the node has appended all of them, or some.
      task.goal = (arrivals?.end.position).map { .position($0) }
      arrivals = nil
      return true
    }
    if let refusal = error as? PublicationRefused { return try isOvertaken(after: refusal) }
    keepArrivals()
    guard !isAtEnd, let error = error as? StoreError, error.dependsOnState else { return false }
    isAtEnd = true
    return try replicator.catchUp(beyond: head)
  }

  private func isOvertaken(after refusal: PublicationRefused) throws -> Bool {
    switch replicator.withState({ task.decide(after: refusal, &$0, announcingAs: .random()) }) {
    case .giveUp:
      keepArrivals()
      replicator.metrics.noteConflict()
      throw StoreError(
        .conflict, "Other nodes were faster with each of \(task.attempts) attempts to write. Nothing was written.",
        advice: "Try again.")
    case .read: break
    case .announce(let attempt): task.announced(in: try announce(attempt, after: task.goal ?? .end))
    }
    arrivals = nil
    replicator.metrics.noteRetry()
    return true
  }

  /// Appends the commits of other nodes that a write has seen and did not append: its error may speak of them.
  private func keepArrivals() {
    guard let arrivals = arrivals.take(), !arrivals.isEmpty else { return }
    do {
      try replicator.take(arrivals)
    } catch {
      // They stay in the stream, and the next write or the follower meets the same error.
      replicator.keeper.files.options.logger?.warning(
        "commits of other nodes were not appended", metadata: ["error": "\(error)"])
    }
  }

  /// Announces a payload, so that other nodes wait for it.
  ///
  /// A large commit takes longer to run again than a small one, and would never be the first; nor would a node that is
  /// farther from the servers than one that writes without pause. The announcement is a part without an end, which every
  /// node skips; it is small, and is sent until it is the next message.
  ///
  /// - Parameters:
  ///   - attempt: The number of the announcement.
  ///   - goal: How far the stream is read first.
  /// - Returns: The message that has the announcement, or `nil` if it was not made.
  private func announce(_ attempt: ObjectID, after goal: ReadingGoal) throws -> UInt64? {
    let deadline = ContinuousClock.now + replicator.options.timeLimit
    let part = StreamContent.part(.announcement(attempt, index: 0)).bytes
    var goal = goal
    while ContinuousClock.now < deadline {
      _ = try replicator.receiveForWriting(until: goal)
      guard let end = replicator.withState({ $0.provenEnd }) else { return nil }
      // Another thread may have moved the journal after the announcement was made.
      if let tip = replicator.withState({ $0.tip(of: attempt) }) { return tip }
      switch replicator.stream.publish(part, after: end.tip, waiting: .seconds(2)) {
      case .acknowledged(let number): return number
      case .refused: goal = .message(end.tip + 1)
      // Without an answer the write continues as it would have without an announcement.
      case .unsent, .unknown: return nil
      }
    }
    return nil
  }

  /// Ends the announcement. If nothing was published after it, other nodes are notified that they need not wait.
  private func endReservation() {
    guard let reservation = task.reservation else { return }
    let tip = replicator.withState { $0.tip(of: reservation.attempt) }
    if published == nil, let sequence = tip ?? reservation.sequence {
      // If there is another message, it is refused.
      let part = StreamPart.withdrawal(of: reservation.attempt)
      _ = replicator.stream.publish(StreamContent.part(part).bytes, after: sequence, waiting: .seconds(1))
    }
    replicator.withState { $0.endReservation(reservation.attempt) }
  }

  /// Reports the commit to the other nodes, and waits for them if the options require it.
  ///
  /// - Throws: `StoreError` with the code `unknownOutcome` if the commits are in the stream, and could not be stored here
  ///   or are not known to be stored elsewhere.
  func didEnd(after error: (any Error)?) throws {
    endReservation()
    replicator.withState { $0.endWriting(at: .now) }
    guard let publication = published?.publication else { return }
    if let error { throw StoreError(unstored: publication, after: error) }
    let position = publication.end.position
    // The commit is made, whether or not the report reaches others at once.
    let mustWait = if case .replicas = replicator.options.acknowledgement { true } else { false }
    if mustWait || replicator.withState({ $0.takesReport(at: .now) }) { try? replicator.report() }
    guard case .replicas(let count) = replicator.options.acknowledgement else { return }
    do {
      try awaitReplicas(of: position, count)
    } catch let error as StoreError where error.code != .unknownOutcome {
      throw StoreError(
        .unknownOutcome,
        "Commit \(position) is in the stream and on this node, and whether other nodes have it is not known: \(error.message)",
        advice: "It becomes theirs when they follow the stream. Retry with the same commit id.")
    }
  }

  /// Waits until nodes have a commit on their disks.
  ///
  /// - Throws: `StoreError` with the code `unknownOutcome` if too few of them confirm it in time; the errors of
  ///   ``Replicator/catchUp(until:isWriting:within:)``.
  private func awaitReplicas(of position: Position, _ count: Int) throws {
    // They take the commit at once then.
    replicator.stream.askForReports()
    let deadline = ContinuousClock.now + replicator.options.timeLimit
    var tried: Set<NodeReport> = []
    while true {
      let confirmed = 1 + (try replicator.stream.reports.count { try confirms($0, position, &tried) })
      if confirmed >= count { return }
      guard ContinuousClock.now < deadline else {
        throw StoreError(
          .unknownOutcome,
          "Commit \(position) is in the stream and on this node, and only \(confirmed) of \(count) nodes report that they have it.",
          advice: "It becomes theirs when they follow the stream. Retry with the same commit id.")
      }
      // A question that the follower of this process does not receive is answered here.
      if replicator.stream.waitForSignal(atMost: .milliseconds(10)) == .question { try replicator.report() }
    }
  }

  /// Whether another node has a commit of this one: it reports that commit, or a later one that follows from it.
  private func confirms(_ report: NodeReport, _ position: Position, _ tried: inout Set<NodeReport>) throws -> Bool {
    guard report.node != replicator.node, report.position >= position else { return false }
    if let isSame = try agrees(with: report) { return isSame }
    // A later commit than this node has. A node that lost its connection now waits on.
    guard tried.insert(report).inserted else { return false }
    try? replicator.catchUp(until: .position(report.position))
    return try agrees(with: report) ?? false
  }

  private func agrees(with report: NodeReport) throws -> Bool? {
    try replicator.keeper.files.withJournalOfWriter { try $0.agrees(with: report) }
  }
}

private extension StoreError {
  /// The error of a write whose commits are in the stream, and could not be stored here.
  init(unstored publication: Publication, after error: any Error) {
    let reason = (StoreError.translating(error) as? StoreError)?.message ?? "\(error)"
    self.init(
      .unknownOutcome,
      "Commit \(publication.end.position)\(publication.commitID.map { " with the id \($0)" } ?? "") is in the stream, and could not be stored here: \(reason)",
      advice: "The node takes it from the stream when it can write again. Retry with the same commit id.")
  }
}
