import DaybookEngine
import DaybookModel
import Foundation
import LMDB

/// A node's part in a replicated journal: does what the tasks of its ``NodeState`` decide.
///
/// The state of the journal itself is in LMDB, where all processes of the node share it. A replicator keeps nothing that
/// another process would need.
package final class Replicator: Sendable {
  let keeper: ProjectionKeeper
  /// Appends commits of the stream.
  let writer: Writer
  package let stream: any CommitStream
  package let address: JournalAddress
  package let node: ObjectID
  var options: ReplicationOptions { keeper.files.options.replication }
  var metrics: StoreMetrics { keeper.files.metrics }
  /// What this process knows of the stream. A transaction is begun before the lock is taken, never while it is held.
  private let state: Locked<NodeState>
  /// Held while messages are read; taken before the journal's write lock, never while that is held.
  let readingTurn = Locked(())
  /// The announcement that is renewed while its write runs. Held while a message of it is published.
  let renewal = Locked<ObjectID?>(nil)

  /// - Parameter hooks: What takes part in each session.
  /// - Returns: `nil` if the store's journal is not replicated, or this process cannot reach its servers.
  init?(of keeper: ProjectionKeeper, hooks: [any SessionHook & Sendable]) {
    guard let file = keeper.files.journalFile, let stream = keeper.files.options.stream(at: file.address) else {
      return nil
    }
    self.keeper = keeper
    self.stream = stream
    (address, node) = (file.address, file.node)
    let options = keeper.files.options.replication
    state = Locked(
      NodeState(
        node: file.node, store: keeper.files.id,
        limits: NodeState.Limits(
          timeLimit: options.timeLimit, incompletePayloadTimeout: options.incompletePayloadTimeout,
          maximumAttempts: options.maximumAttempts)))
    writer = Writer(keeper) { hooks }
  }

  /// Ends the connection.
  func close() { stream.close() }

  /// Reads or changes what is known of the stream.
  func withState<Result>(_ body: (inout NodeState) throws -> Result) rethrows -> Result {
    let connection = stream.connectionCount
    return try state.withLock { node in
      node.connection = connection
      return try body(&node)
    }
  }

  /// Returns a commit that another node reports and this one lacks, or `nil`; each is returned once.
  func reportedPosition() throws -> Position? {
    let (head, reports) = (try keeper.files.withJournalOfWriter { try $0.head() }, stream.reports)
    return withState { $0.reportedPosition(in: reports, after: head) }
  }

  /// Sends the report of this node to the other nodes.
  func report() throws {
    stream.report(try keeper.files.withJournalOfWriter { try $0.report(of: node) })
  }

  /// Sets the gauges of the node's part in the stream.
  func reportMetrics() throws {
    let (head, folded, fork) = try keeper.files.withJournal { journal in
      (try journal.head(), try journal.streamPlace()?.sequence ?? 0, try journal.streamFork())
    }
    metrics.set("daybook_head", Double(head.number))
    metrics.set("daybook_forked", fork == nil ? 0 : 1)
    if let end = withState({ $0.provenEnd }) {
      metrics.set("daybook_stream_messages", Double(end.tip))
      metrics.set("daybook_stream_lag_messages", Double(end.tip - min(end.tip, folded)))
    }
  }

  /// Logs that the clock of this node is behind the commits of another one, whose times are then repeated.
  func checkClock(_ now: Timestamp, after recordedAt: Timestamp) {
    let lag = recordedAt.microseconds.subtractingReportingOverflow(now.microseconds)
    guard !lag.overflow, .microseconds(lag.partialValue) > Replicator.clockTolerance else { return }
    keeper.files.options.logger?.warning(
      "the clock is behind the last commit",
      metadata: ["seconds": "\(lag.partialValue / 1_000_000)", "node": "\(node)"])
  }

  /// How far the clock of a node may be behind the journal before that is logged.
  private static let clockTolerance = Duration.seconds(60)
}

/// Performing the actions of tasks.
extension Replicator {
  /// Publishes messages, and returns when the stream has all of them.
  ///
  /// - Throws: ``PublicationRefused``; `StoreError` with the code `unavailable` if nothing was written,
  ///   `unknownOutcome` if that is not known.
  func publish(_ publication: Publication) throws {
    let start = ContinuousClock.now
    try perform(PublishTask(publication, withState { $0.limits }, at: start))
    metrics.notePublication(ContinuousClock.now - start)
  }

  /// Finds out what became of a publication without an answer; nothing else is written before.
  ///
  /// - Throws: `StoreError` with the code `unavailable` if that is still unknown.
  func resolve() throws {
    let (unresolved, limits) = withState { ($0.unresolved, $0.limits) }
    guard let unresolved else { return }
    do {
      try perform(PublishTask(resolving: unresolved, limits, at: .now))
    } catch is PublicationRefused {
    } catch let error as StoreError where error.code == .unknownOutcome {
      throw unavailable("what became of an earlier write is not known")
    }
    withState { $0.unresolved = nil }
  }

  private func perform(_ task: PublishTask) throws {
    var task = task
    do {
      try perform(within: nil) { input in try withState { try task.handle(input, &$0, at: .now) } }
    } catch let error as PublicationUnknown {
      noteOutage()
      throw StoreError(
        .unknownOutcome,
        "The servers of \(address) did not report whether they have the commit\(error.commitID.map { " \($0)" } ?? ""): \(error.reason).",
        advice: "The store writes again when that is known. Retry with the same commit id.")
    }
  }

  /// Performs the actions of a task until it returns none that has an answer.
  ///
  /// - Parameters:
  ///   - limit: How long the servers may take for each answer; `nil` for as long as for a write.
  ///   - handle: Gives the task an answer, and returns what it does next.
  /// - Throws: The errors of the task; `StoreError` with the code `unavailable`.
  func perform(within limit: Duration?, _ handle: (NodeState.Input) throws -> [NodeState.Action]) throws {
    var input: NodeState.Input? = .start
    do {
      while let known = input {
        input = nil
        for action in try handle(known) { input = try answer(to: action, within: limit) ?? input }
      }
    } catch let error as StreamUnavailable {
      noteOutage()
      throw unavailable(error.reason)
    }
  }

  /// - Returns: The answer to an action; `nil` to a note.
  private func answer(to action: NodeState.Action, within limit: Duration?) throws -> NodeState.Input? {
    switch action {
    case .requestState: return .streamState(try asking(within: limit) { try stream.state(waiting: $0) })
    case .requestMessage(let number, isRepeated: true):
      return .message(try asking(within: limit) { try stream.message(at: number, waiting: $0) })
    case .requestMessage(let number, isRepeated: false):
      return .message((try? stream.message(at: number, waiting: .seconds(1))) ?? nil)
    case .requestMessages(let first, let count):
      return .messages(try asking(within: limit) { try stream.messages(from: first, count: count, waiting: $0) })
    case .publish(let bytes, let sequence, let time):
      return .published(stream.publish(bytes, after: sequence, waiting: time))
    case .wait(let time):
      Thread.sleep(forTimeInterval: time / .seconds(1))
      return .timer
    case .noteSkip(let sequence, let reason):
      keeper.files.options.logger?.warning(
        "skipping a message of the stream",
        metadata: ["store": "\(keeper.files.path)", "message": "\(sequence)", "reason": "\(reason.rawValue)"])
      metrics.noteSkippedMessage()
    case .noteRestart:
      keeper.files.options.logger?.notice(
        "folding the stream from its beginning", metadata: ["store": "\(keeper.files.path)", "stream": "\(address)"])
    case .noteRefill(let position):
      keeper.files.options.logger?.notice(
        "the stream lacks commits, which are published again",
        metadata: ["store": "\(keeper.files.path)", "from": "\(position)"])
    }
    return nil
  }

  func unavailable(_ reason: String) -> StoreError {
    StoreError(
      .unavailable, "The servers of \(address) cannot be reached: \(reason). Nothing was written.",
      advice: "Reading goes on. Write again when the connection is back.")
  }

  /// Counts an outage once, however many requests fail until the servers answer again.
  private func noteOutage() {
    let isNew = withState { node in
      defer { node.isOut = true }
      return !node.isOut
    }
    if isNew { metrics.noteOutage() }
  }

  /// Repeats a request to the stream until it is answered or the time is over.
  ///
  /// - Parameter limit: The time; `nil` for the time of a write.
  /// - Throws: `StoreError`: `unavailable`; `notFound` if there is no such stream.
  package func asking<Result>(within limit: Duration? = nil, _ request: (Duration) throws -> Result) throws -> Result {
    let deadline = ContinuousClock.now + (limit ?? options.timeLimit)
    while true {
      do {
        let result = try request(max(min(deadline - .now, .seconds(2)), .milliseconds(1)))
        withState { $0.isOut = false }
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

  /// How long a follower waits for an answer: it asks again soon, and a writer waits for it to end.
  var followingLimit: Duration { min(.seconds(1), options.timeLimit) }

  /// Waits for something from another node, and then for more of it until a time, or until a node asks.
  func waitForSignal(atMost limit: Duration, gatheringUntil end: ContinuousClock.Instant) -> StreamSignal {
    var news = stream.waitForSignal(atMost: limit)
    while news == .report, ContinuousClock.now < end {
      if stream.waitForSignal(atMost: end - .now) == .question { news = .question }
    }
    return news
  }
}
