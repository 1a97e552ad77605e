import DaybookEngine
import DaybookModel

extension OpenStore {
  /// Runs a write, and runs it again each time that another node was faster.
  ///
  /// - Parameter write: Writes in a session; returns the last commit that it published, or `nil` if it published none.
  /// - Throws: Any error of `write`; `StoreError`: `conflict` after too many attempts, `unavailable` if the servers do not
  ///   answer, `unknownOutcome`.
  func publishing<Result>(_ write: () throws -> (result: Result, published: Position?)) throws -> Result {
    guard let replica, !journalEnvironment.isWritingOnThisThread else { return try write().result }
    try replica.resolve()
    if replica.provenEnd == nil {
      try catchUp(replica, isWriting: true)
    } else if let position = try reportedPosition(replica) {
      // The servers would refuse what is written now.
      try catchUp(replica, until: .position(position), isWriting: true)
    }
    var attempts = 0
    var isAtEnd = false
    defer { replica.endReservation() }
    while true {
      do {
        let (result, published) = try write()
        if let published { try finishPublishing(published, replica) }
        return result
      } catch let refusal as PublicationRefused {
        attempts += 1
        guard attempts < replica.options.maximumAttempts else {
          replica.metrics.noteConflict()
          throw StoreError(
            .conflict, "Other nodes were faster with each of \(attempts) attempts to write. Nothing was written.",
            advice: "Try again.")
        }
        replica.metrics.noteRetry()
        try catchUp(replica, until: refusal.sequence > 0 ? .message(refusal.sequence) : .end, isWriting: true)
        if refusal.messageCount > 1 { try reserve(replica) }
      } catch let error as StoreError where !isAtEnd && error.dependsOnState {
        isAtEnd = true
        guard try catchUpMoves(replica) else { throw error }
      }
    }
  }

  /// Takes what the stream has, before a write is refused for the state of the node.
  ///
  /// - Returns: Whether there were commits of other nodes. Without a connection the node judges by what it has.
  func catchUpMoves(_ replica: Replica) throws -> Bool {
    let before = try withJournal { try $0.head() }
    do {
      try catchUp(replica, isWriting: true)
    } catch let error as StoreError where error.code == .unavailable {
      return false
    }
    return try withJournal { try $0.head() } > before
  }

  /// Announces a payload of several messages, so that other nodes wait for it.
  ///
  /// A large commit takes longer to run again than a small one, and would never be the first. The announcement is a part
  /// without an end, which every node skips; it is small, and is sent until it is the next message.
  private func reserve(_ replica: Replica) throws {
    let deadline = ContinuousClock.now + replica.options.timeLimit
    let attempt = replica.beginReservation()
    let part = StreamContent.part(StreamPart(attempt: attempt, index: 0, count: 2, bytes: [])).bytes
    while ContinuousClock.now < deadline, let end = replica.provenEnd {
      switch replica.stream.publish(part, after: end.tip, waiting: .seconds(2)) {
      case .acknowledged(let number): return try catchUp(replica, until: .message(number), isWriting: true)
      case .refused: try catchUp(replica, until: .message(end.tip + 1), isWriting: true)
      // Without an answer the write goes on as it would have without an announcement.
      case .unsent, .unknown: return
      }
    }
  }

  /// Tells the other nodes of a commit, and waits for them if the options say so.
  private func finishPublishing(_ position: Position, _ replica: Replica) throws {
    if replica.mustReport() { try report(replica) }
    try replica.awaitReplicas(of: position)
  }

  /// Tells the other nodes how far this one has come.
  func report(_ replica: Replica) throws {
    let report = try withJournal { journal in
      let head = try journal.head()
      return NodeReport(node: replica.node, position: head, hash: try journal.header(at: head).hash)
    }
    replica.stream.report(report)
  }
}
