import DaybookModel
import LMDB

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
  public static let maximumNameSizeInBytes = 255

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
    try store.withJournal { try $0.position(ofSubscription: name) }
  }

  /// Returns a live feed of the commits after the last acknowledged commit.
  ///
  /// - Throws: `StoreError`.
  public func commits() throws -> CommitFeed {
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
    try store.writeJournal { transaction in
      let key = Array(name.utf8)
      try transaction.put(key, JournalMeta.sealed(value, for: key), in: store.journalTables.subscriptions)
    }
  }

  /// Removes the subscription. A later subscription of this name starts from the beginning.
  ///
  /// - Throws: `StoreError`.
  public func remove() throws {
    try store.writeJournal { transaction in
      _ = try transaction.delete(Array(name.utf8).span.bytes, in: store.journalTables.subscriptions)
    }
  }
}

extension Store {
  /// Returns a consumer of the journal whose position is kept in the store.
  ///
  /// The store contains the subscription from its first acknowledgement on.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a name that is empty or too long.
  public func subscription(_ name: String) throws -> NamedSubscription {
    try NamedSubscription(name, of: self)
  }

  /// Returns the names of all subscriptions with their last acknowledged commits.
  ///
  /// - Throws: `StoreError`.
  public func subscriptions() throws -> [(name: String, position: Position)] {
    try withJournal { try $0.subscriptions() }
  }

  /// Calls `body` with a snapshot of the journal, without the projections.
  package func withJournal<Result>(_ body: (LMDBJournal) throws -> Result) throws -> Result {
    try checkOpen()
    do {
      return try journalEnvironment.withSnapshot { try body(LMDBJournal(snapshot: $0, tables: journalTables)) }
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Writes rows other than commits to the journal's environment.
  func writeJournal(_ body: (inout WriteTransaction) throws -> Void) throws {
    try checkOpen()
    try checkWritable()
    do {
      while true {
        var transaction = try journalEnvironment.beginWrite()
        do {
          try body(&transaction)
          return try transaction.commit()
        } catch let error as LMDBError where error.isMapFull {
          try growMap(after: error)
        }
      }
    } catch let error as LMDBError {
      throw noteFailure(error)
    } catch {
      throw StoreError.translating(error)
    }
  }
}

extension LMDBJournal {
  fileprivate func position(ofSubscription name: String) throws -> Position {
    let key = Array(name.utf8)
    guard let value = try snapshot.value(for: key, in: tables.subscriptions) else { return .empty }
    return try LMDBJournal.subscribedPosition([UInt8](value), for: key)
  }

  /// Returns the position in a subscription's row.
  ///
  /// A row written by an earlier version has no seal and is eight bytes shorter.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the row is not as it was written.
  static func subscribedPosition(_ row: [UInt8], for key: [UInt8]) throws -> Position {
    let value = row.count == MemoryLayout<UInt64>.size ? row : JournalMeta.opened(row, for: key)
    guard let value, value.count == MemoryLayout<UInt64>.size else {
      throw StoreError(
        .damaged, "The journal's row of the subscription “\(String(decoding: key, as: UTF8.self))” is damaged.",
        advice: "Acknowledge a position that is known, or remove the subscription.")
    }
    var reader = ByteReader(value.span.bytes)
    return Position(try reader.fixed(UInt64.self))
  }

  fileprivate func subscriptions() throws -> [(name: String, position: Position)] {
    var subscriptions: [(name: String, position: Position)] = []
    var cursor = try snapshot.makeCursor(in: tables.subscriptions)
    var isValid = try cursor.moveToFirst()
    while isValid {
      let key = [UInt8](cursor.key)
      let position = try LMDBJournal.subscribedPosition([UInt8](cursor.value), for: key)
      subscriptions.append((String(decoding: key, as: UTF8.self), position))
      isValid = try cursor.moveToNext()
    }
    return subscriptions
  }
}
