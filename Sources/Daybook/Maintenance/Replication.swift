import DaybookEngine
import DaybookModel
import DaybookRuntime

/// The part of a store in a replicated journal: this node, and the stream that it follows.
///
///     if let replication = store.replication {
///       try replication.wait()                    // the commits of other nodes up to now
///       print(try replication.status().others)
///     }
public struct Replication: Sendable {
  let store: Store

  /// Returns how far this node and its stream have come.
  ///
  /// The servers and the other nodes are asked, which takes a quarter of a second. If the servers do not answer within the
  /// time limit of the options, that is part of the result.
  ///
  /// - Throws: `StoreError`: `closed`, `readOnly` if the options of the store lack the kind of its servers.
  public func status() throws -> ReplicationStatus {
    let (files, services) = (store.files, store.services)
    guard let file = files.journalFile, let replicator = services.replicator else {
      throw StoreError(unreachableJournalOf: store.path)
    }
    let state = try replicator.presentState()
    let reports = state == nil ? [] : replicator.collectReports()
    let known = try files.withJournal { try $0.streamPlace() }
    let differs = try state.map { state in try known.map { try !replicator.has($0, state) } ?? false } ?? false
    // The next reading compares all commits.
    if differs { replicator.doubtEnd() }
    return try files.withJournal { journal in
      let head = try journal.head()
      let place = try journal.streamPlace()
      return ReplicationStatus(
        address: file.address,
        node: ReplicationStatus.Node(id: file.node, head: head, hash: try journal.header(at: head).hash),
        skippedMessageCount: Int(clamping: place?.skippedCount ?? 0),
        fork: try journal.streamFork().map { ReplicationStatus.Fork($0) },
        stream: state.map { ReplicationStatus.Stream($0, folded: place?.sequence ?? 0, differs) },
        others: reports.map { ReplicationStatus.Node(id: $0.node, head: $0.position, hash: $0.hash) },
        foldedSequence: place?.sequence ?? 0, foldedPosition: place?.position ?? .empty)
    }
  }

  /// Whether this process takes the commits of other nodes, and has taken all of them at least once.
  public var isFollowing: Bool { store.services.follower?.isFollowing ?? false }

  /// The error after which this process takes no more commits of other nodes, or `nil`.
  public var failure: StoreError? { store.services.follower?.failure }

  /// Takes the commits of other nodes that the stream has now, and returns when this node has them.
  ///
  /// - Throws: `StoreError`: `closed`; `unavailable`; `conflict` if the journal and the stream differ; `readOnly` if the
  ///   options of the store lack the kind of its servers; errors of the disk.
  public func wait() throws {
    try store.checkOpen()
    guard let replicator = store.services.replicator else { throw StoreError(unreachableJournalOf: store.path) }
    do {
      try replicator.catchUp()
    } catch {
      throw StoreError.translating(error)
    }
  }
}

private extension ReplicationStatus.Fork {
  init(_ fork: StreamFork) {
    self.init(position: fork.position, ownHash: fork.own, streamHash: fork.stream)
  }
}

private extension ReplicationStatus.Stream {
  init(_ state: StreamState, folded: UInt64, _ differs: Bool) {
    self.init(
      server: state.server, leader: state.leader, serverCount: state.serverCount,
      lag: state.lastSequence > folded ? Int(clamping: state.lastSequence - folded) : 0, differs: differs,
      lastSequence: state.lastSequence)
  }
}

private extension Replicator {
  /// How long the answers of other nodes are awaited.
  static let reportingTime = Duration.milliseconds(250)

  /// Returns the state that the servers report, or `nil` if they do not answer.
  func presentState() throws -> StreamState? {
    do {
      return try asking { try stream.state(waiting: $0) }
    } catch let error as StoreError where error.code == .unavailable {
      return nil
    }
  }

  /// Asks the other nodes, and returns their answers by identity.
  func collectReports() -> [NodeReport] {
    let deadline = ContinuousClock.now + Replicator.reportingTime
    stream.askForReports()
    while ContinuousClock.now < deadline { _ = stream.waitForSignal(atMost: deadline - .now) }
    return stream.reports.filter { $0.node != node }.sorted { $0.node < $1.node }
  }
}
