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
    if replica.provenEnd == nil { try catchUp(replica, isWriting: true) }
    var attempts = 0
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
        try catchUp(replica, through: refusal.sequence, isWriting: true)
      }
    }
  }

  /// Tells the other nodes of a commit, and waits for them if the options say so.
  private func finishPublishing(_ position: Position, _ replica: Replica) throws {
    try report(replica)
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
