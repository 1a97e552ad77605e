import DaybookEngine
import DaybookModel
import LMDB

/// A node's part in a replicated journal: takes the commits of other nodes from the stream, and publishes its own.
package final class Replicator: Sendable {
  let store: OpenStore
  /// Appends commits of the stream.
  let writer: Writer
  package let replica: Replica

  /// - Parameter hooks: What takes part in each session.
  /// - Returns: `nil` if the store's journal is not replicated, or this process cannot reach its servers.
  init?(of store: OpenStore, hooks: [any SessionHook & Sendable]) {
    guard
      let replica = Replica(store.journalFile, options: store.options.replication, metrics: store.metrics)
    else { return nil }
    self.store = store
    self.replica = replica
    writer = Writer(store) { hooks }
  }

  /// Ends the connection.
  func close() { replica.stream.close() }

  /// Returns a commit that another node reports and this one lacks, or `nil`; each is returned once.
  func reportedPosition() throws -> Position? {
    try replica.reportedPosition(after: store.withJournalOfWriter { try $0.head() })
  }

  /// Returns whether the journal has the commit that another node reports, or `nil` if it has not come so far.
  func agrees(_ report: NodeReport) throws -> Bool? {
    try store.withJournalOfWriter { journal in
      guard try report.position <= journal.head() else { return nil }
      return try report.position == .empty || journal.header(at: report.position).hash == report.hash
    }
  }

  /// Tells the other nodes how far this one has come.
  func report() throws {
    let report = try store.withJournalOfWriter { journal in
      let head = try journal.head()
      return NodeReport(node: replica.node, position: head, hash: try journal.header(at: head).hash)
    }
    replica.stream.report(report)
  }

  /// Sets the gauges of the node's part in the stream.
  func reportMetrics() throws {
    let (head, folded, fork) = try store.withJournal { journal in
      (try journal.head(), try journal.streamPlace()?.sequence ?? 0, try journal.streamFork())
    }
    store.metrics.set("daybook_head", Double(head.number))
    store.metrics.set("daybook_forked", fork == nil ? 0 : 1)
    if let end = replica.provenEnd {
      store.metrics.set("daybook_stream_messages", Double(end.tip))
      store.metrics.set("daybook_stream_lag_messages", Double(end.tip - min(end.tip, folded)))
    }
  }
}
