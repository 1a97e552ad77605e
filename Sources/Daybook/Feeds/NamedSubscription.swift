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
/// A commit is given again until it is acknowledged: after a crash the consumer goes on behind the last commit that it
/// acknowledged, so it sees each at least once. Acknowledging is a durable write of the journal's environment and waits
/// for the disk: where commits come fast, acknowledge every so many.
///
/// Backups keep subscriptions; an export does not.
public struct NamedSubscription: Sendable {
  /// By which the subscription is known in the store.
  public let name: String
  private let store: Store

  /// How long a name may be, in bytes of UTF-8.
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

  /// The last commit that was acknowledged; 0 before the first.
  ///
  /// - Throws: `StoreError`.
  public func position() throws -> Position {
    try store.withJournal { try $0.position(ofSubscription: name) }
  }

  /// The commits behind the one that was acknowledged last, live.
  ///
  /// - Throws: `StoreError`.
  public func commits() throws -> CommitFeed {
    store.commits(from: try position().next)
  }

  /// Notes that all commits up to a position were dealt with. An earlier position than the last one is taken too: the
  /// commits behind it are given again by the next ``commits()``.
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

  /// Forgets the subscription. Its name may be used again, from the beginning.
  ///
  /// - Throws: `StoreError`.
  public func remove() throws {
    try store.writeJournal { transaction in
      _ = try transaction.delete(Array(name.utf8).span.bytes, in: store.journalTables.subscriptions)
    }
  }
}

extension Store {
  /// A consumer of the journal whose position is kept in the store; it is there from its first acknowledgement on.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a name that is empty or too long.
  public func subscription(_ name: String) throws -> NamedSubscription {
    try NamedSubscription(name, of: self)
  }

  /// The names of all subscriptions with the commits that they acknowledged last.
  ///
  /// - Throws: `StoreError`.
  public func subscriptions() throws -> [(name: String, position: Position)] {
    try withJournal { try $0.subscriptions() }
  }

  /// Reads the journal alone.
  func withJournal<Result>(_ body: (LMDBJournal) throws -> Result) throws -> Result {
    try checkOpen()
    do {
      return try journalEnvironment.withSnapshot { try body(LMDBJournal(snapshot: $0, tables: journalTables)) }
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Writes to the journal's environment beside the commits.
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

  /// The position in a subscription's row.
  ///
  /// A row that an earlier version wrote has no seal: it is eight bytes shorter.
  ///
  /// - Throws: `StoreError` with the code `damaged` if it is not what was written.
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
