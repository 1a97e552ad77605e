import DaybookEngine
import DaybookModel
import LMDB

extension OpenStore {
  /// One attempt to write.
  struct WriteAttempt {
    /// The commits of other nodes with which the session begins.
    var arrivals: StreamArrivals?
    /// The last commit that the write knew.
    var head = Position.empty
    /// The last commit that was published, or `nil` if none was.
    var published: Position?
  }

  /// Runs a write, and runs it again each time that another node was faster.
  ///
  /// - Parameter write: Writes in a session.
  /// - Throws: Any error of `write`; `StoreError`: `conflict` after too many attempts, `unavailable` if the servers do not
  ///   answer, `unknownOutcome`.
  func publishing<Result>(_ write: (inout WriteAttempt) throws -> Result) throws -> Result {
    var attempt = WriteAttempt()
    guard let replica, !journalEnvironment.isWritingOnThisThread else { return try write(&attempt) }
    let result = try replica.writing {
      try replica.resolve()
      return try publishing(&attempt, replica, write)
    }
    if let published = attempt.published { try finishPublishing(published, replica) }
    return result
  }

  private func publishing<Result>(
    _ attempt: inout WriteAttempt, _ replica: Replica, _ write: (inout WriteAttempt) throws -> Result
  ) throws -> Result {
    var goal = try firstGoal(replica)
    var (attempts, isAtEnd) = (0, false)
    var reservation: (attempt: ObjectID, sequence: UInt64?)?
    defer { if let reservation { end(reservation, isUsed: attempt.published != nil, replica) } }
    while true {
      attempt = WriteAttempt()
      attempt.arrivals = try goal.map { try receiveForWriting(replica, until: $0) }
      goal = nil
      do {
        guard let reservation else { return try write(&attempt) }
        return try replica.renewing(reservation.attempt) { try write(&attempt) }
      } catch is StreamPlaceMoved {
        // Another thread or process of the node has appended all of them, or some.
        goal = (attempt.arrivals?.end.position).map { .position($0) }
      } catch let refusal as PublicationRefused {
        attempts += 1
        guard attempts < replica.options.maximumAttempts else {
          settle(attempt)
          replica.metrics.noteConflict()
          throw StoreError(
            .conflict, "Other nodes were faster with each of \(attempts) attempts to write. Nothing was written.",
            advice: "Try again.")
        }
        replica.metrics.noteRetry()
        goal = refusal.sequence > 0 ? .message(refusal.sequence) : .end
        guard refusal.messageCount > 1 || attempts >= Replica.patientAttempts else { continue }
        // Another thread's announcement is of use to this write too.
        guard let announced = replica.beginReservation(reservation?.attempt) else { continue }
        reservation = (announced, reservation?.sequence)
        if let sequence = try announce(announced, replica, after: goal ?? .end) {
          reservation?.sequence = sequence
          goal = .message(sequence)
        } else {
          goal = .end
        }
      } catch {
        settle(attempt)
        guard !isAtEnd, let error = error as? StoreError, error.dependsOnState else { throw error }
        isAtEnd = true
        guard try catchUpMoves(replica, from: attempt.head) else { throw error }
      }
    }
  }

  /// How far the stream is read before a write that would be refused otherwise; `nil` if it need not be read.
  private func firstGoal(_ replica: Replica) throws -> ReadingGoal? {
    // Another node may be in the middle of a payload.
    if replica.mustReadBeforeWriting { return .end }
    guard let position = try reportedPosition(replica) else { return nil }
    return .position(position)
  }

  /// Appends the commits of other nodes that a write has seen and did not append: its error may speak of them.
  private func settle(_ attempt: WriteAttempt) {
    guard let arrivals = attempt.arrivals, !arrivals.isEmpty else { return }
    do {
      try take(arrivals)
    } catch {
      // They stay in the stream, and the next write or the follower meets the same error.
      options.logger?.warning("commits of other nodes were not appended", metadata: ["error": "\(error)"])
    }
  }

  /// Returns a commit that another node reports and this one lacks, or `nil`; each is returned once.
  func reportedPosition(_ replica: Replica) throws -> Position? {
    try replica.reportedPosition(after: withJournalOfWriter { try $0.head() })
  }

  /// Takes what the stream has, before a write is refused for the state of the node.
  ///
  /// - Parameter head: The last commit that the write knew.
  /// - Returns: Whether there are later commits. Without a connection the node judges by what it has.
  func catchUpMoves(_ replica: Replica, from head: Position) throws -> Bool {
    do {
      try catchUp(replica, isWriting: true)
    } catch let error as StoreError where error.code == .unavailable {
      return false
    }
    return try withJournalOfWriter { try $0.head() } > head
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
  private func announce(_ attempt: ObjectID, _ replica: Replica, after goal: ReadingGoal) throws -> UInt64? {
    let deadline = ContinuousClock.now + replica.options.timeLimit
    let part = StreamContent.part(.announcement(attempt, index: 0)).bytes
    var goal = goal
    while ContinuousClock.now < deadline {
      _ = try receiveForWriting(replica, until: goal)
      guard let end = replica.provenEnd else { return nil }
      // Another thread may have moved the journal after the announcement was made.
      if let tip = replica.tip(of: attempt) { return tip }
      switch replica.stream.publish(part, after: end.tip, waiting: .seconds(2)) {
      case .acknowledged(let number): return number
      case .refused: goal = .message(end.tip + 1)
      // Without an answer the write continues as it would have without an announcement.
      case .unsent, .unknown: return nil
      }
    }
    return nil
  }

  /// Ends an announcement. If nothing was published after it, other nodes are told that they need not wait.
  private func end(_ reservation: (attempt: ObjectID, sequence: UInt64?), isUsed: Bool, _ replica: Replica) {
    if !isUsed, let sequence = replica.tip(of: reservation.attempt) ?? reservation.sequence {
      // If there is another message, it is refused.
      let part = StreamPart.withdrawal(of: reservation.attempt)
      _ = replica.stream.publish(StreamContent.part(part).bytes, after: sequence, waiting: .seconds(1))
    }
    replica.endReservation(reservation.attempt)
  }

  /// Tells the other nodes of a commit, and waits for them if the options say so.
  private func finishPublishing(_ position: Position, _ replica: Replica) throws {
    // The commit is made, whether or not others hear of it at once.
    if replica.mustReport() { try? report(replica) }
    guard case .replicas(let count) = replica.options.acknowledgement else { return }
    do {
      try awaitReplicas(of: position, count, replica)
    } catch let error as StoreError where error.code != .unknownOutcome {
      throw StoreError(
        .unknownOutcome,
        "Commit \(position) is in the stream and on this node, and whether other nodes have it is not known: \(error.message)",
        advice: "It becomes theirs when they follow the stream. Retry with the same commit id.")
    }
  }

  /// Waits until nodes have a commit on their disks.
  ///
  /// - Throws: `StoreError` with the code `unknownOutcome` if too few of them say so in time; the errors of
  ///   ``catchUp(_:until:isWriting:within:)``.
  private func awaitReplicas(of position: Position, _ count: Int, _ replica: Replica) throws {
    // They take the commit at once then.
    replica.stream.askForReports()
    let deadline = ContinuousClock.now + replica.options.timeLimit
    var tried: Set<NodeReport> = []
    while true {
      let confirmed = 1 + (try replica.stream.reports.count { try confirms($0, position, &tried, replica) })
      if confirmed >= count { return }
      guard ContinuousClock.now < deadline else {
        throw StoreError(
          .unknownOutcome,
          "Commit \(position) is in the stream and on this node, and only \(confirmed) of \(count) nodes say that they have it.",
          advice: "It becomes theirs when they follow the stream. Retry with the same commit id.")
      }
      // A question that the follower of this process does not hear is answered here.
      if replica.stream.waitForNews(atMost: .milliseconds(10)) == .question { try report(replica) }
    }
  }

  /// Whether another node has a commit of this one: it reports that commit, or a later one that follows from it.
  private func confirms(
    _ report: NodeReport, _ position: Position, _ tried: inout Set<NodeReport>, _ replica: Replica
  ) throws -> Bool {
    guard report.node != replica.node, report.position >= position else { return false }
    if let isSame = try agrees(report) { return isSame }
    // A later commit than this node has. A node that lost its connection now waits on.
    guard tried.insert(report).inserted else { return false }
    try? catchUp(replica, until: .position(report.position))
    return try agrees(report) ?? false
  }

  /// Tells the other nodes how far this one has come.
  func report(_ replica: Replica) throws {
    let report = try withJournalOfWriter { journal in
      let head = try journal.head()
      return NodeReport(node: replica.node, position: head, hash: try journal.header(at: head).hash)
    }
    replica.stream.report(report)
  }
}
