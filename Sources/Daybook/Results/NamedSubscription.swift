import DaybookEngine
import DaybookModel
import DaybookRuntime

/// A consumer of the journal whose position is kept in the store.
///
///     let mailer = try store.subscription("mailer")
///     for try await commit in try mailer.commits() {
///       try send(commit)
///       try mailer.acknowledge(commit.position)
///     }
///
/// A commit is delivered again until it is acknowledged: after a crash the consumer resumes after the last commit that
/// it acknowledged, so each commit is delivered at least once. Acknowledging is a durable write to the journal's
/// environment and waits for the disk: if commits are frequent, acknowledge several at once.
///
/// Backups keep subscriptions; an export does not.
public struct NamedSubscription: Sendable {
  /// The name of the subscription in the store.
  public let name: String
  private let store: Store

  /// The maximum size of a name, in bytes of UTF-8.
  package static let maximumNameSizeInBytes = 255

  init(_ name: String, of store: Store) throws(StoreError) {
    guard !name.isEmpty, name.utf8.count <= NamedSubscription.maximumNameSizeInBytes else {
      throw StoreError(
        .badValue, "A subscription's name has \(name.utf8.count) bytes.",
        advice: "Give one of 1 to \(NamedSubscription.maximumNameSizeInBytes) bytes.")
    }
    self.name = name
    self.store = store
  }

  /// Returns the last commit that was acknowledged, or 0 before the first acknowledgement.
  ///
  /// - Throws: `StoreError`.
  public func position() throws -> Position {
    try store.files.withJournal { try $0.position(ofSubscription: name) }
  }

  /// Returns a live feed of the commits after the last acknowledged commit.
  ///
  /// - Throws: `StoreError`.
  public func commits() throws -> Feed<Commit> {
    store.commits(from: try position().next)
  }

  /// Records that all commits up to a position were processed.
  ///
  /// A position before the last acknowledged one is accepted too: the next ``commits()`` delivers the commits after it
  /// again.
  ///
  /// When this returns, the position is on disk.
  ///
  /// - Throws: `StoreError` with the code `notFound` for a position beyond the head.
  public func acknowledge(_ position: Position) throws {
    try store.read { try $0.requirePosition(position) }
    var value: [UInt8] = []
    value.appendFixed(position.number)
    try store.files.writeJournal { transaction in
      let key = Array(name.utf8)
      try transaction.put(key, JournalMeta.sealed(value, for: key), in: store.files.journalTables.subscriptions)
    }
  }

  /// Removes the subscription. A later subscription of this name starts from the beginning.
  ///
  /// - Throws: `StoreError`.
  public func remove() throws {
    try store.files.writeJournal { transaction in
      _ = try transaction.delete(Array(name.utf8).rawSpan, in: store.files.journalTables.subscriptions)
    }
  }
}
