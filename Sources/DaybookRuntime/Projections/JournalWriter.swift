import DaybookEngine
import DaybookModel
import LMDB

/// The journal's half of a write session: one LMDB transaction, and the end of the journal in it.
final class JournalWriter {
  private let keeper: ProjectionKeeper
  /// `nil` once the transaction has ended.
  private var transaction: WriteTransaction?
  let reader: LMDBJournal
  /// The format that a reader must know to read all of the store.
  private(set) var format: StoreFormat
  /// The position of the last commit, including the commits of this transaction.
  private(set) var head: Position
  /// The hash of the last commit.
  ///
  /// It is from the journal, as the hash chain must not depend on the projections.
  private(set) var headHash = Digest.zero
  private(set) var lastRecordedAt = Timestamp(microseconds: .min)
  private var didChange: Bool
  /// Whether the commit must be on the disk before the projections change or effects run, even with relaxed durability.
  private var mustBeDurable: Bool

  /// Begins the transaction, and marks projections as about to change.
  ///
  /// - Parameter limit: How long to wait for other writers; `nil` for as long as they write.
  /// - Throws: `ProjectionsReplaced` if the journal does not trust these projections; `StoreError` with the code
  ///   `newerFormat`; `LMDBError`.
  init(_ keeper: ProjectionKeeper, changing projections: OpenProjections, waitingAtMost limit: Duration?) throws {
    self.keeper = keeper
    var format = StoreFormat.first
    var transaction = try JournalWriter.beginWrite(keeper, limit, readingFormat: &format)
    reader = LMDBJournal(snapshot: transaction.snapshot, tables: keeper.files.journalTables)
    let marker = TrustMarker.present(in: reader)
    try keeper.checkCurrent(projections, marker)
    self.format = format
    try keeper.files.options.newerVersion.check(format, path: keeper.files.path)
    head = try reader.head()
    if let end = keeper.journalEnd.withLock({ $0 }), end.position == head {
      (headHash, lastRecordedAt) = (end.hash, end.recordedAt)
    } else if head > .empty {
      let last = try reader.header(at: head)
      (headHash, lastRecordedAt) = (last.hash, last.header.recordedAt)
    }
    mustBeDurable = try keeper.markInUse(projections, marker, in: &transaction)
    didChange = mustBeDurable
    self.transaction = consume transaction
  }

  /// Begins the transaction, with the table of large values open if the store has one.
  ///
  /// A table cannot be opened for other transactions of the process while this thread writes, and verbs read large
  /// values in a transaction of their own.
  ///
  /// - Parameter format: Receives the format of the store, which another process may have raised since it was opened.
  private static func beginWrite(
    _ keeper: ProjectionKeeper, _ limit: Duration?, readingFormat format: inout StoreFormat
  ) throws -> WriteTransaction {
    func readFormat(in snapshot: TransactionSnapshot) throws -> StoreFormat {
      try LMDBJournal(snapshot: snapshot, tables: keeper.files.journalTables).format() ?? .first
    }
    let largeValues = LargeValueTable(keeper.files.journalEnvironment)
    let transaction = try keeper.files.journalEnvironment.beginWrite(waitingAtMost: limit)
    format = try readFormat(in: transaction.snapshot)
    guard format.includes(.largeValues), try !largeValues.isKnown() else { return transaction }
    transaction.abort()
    // A store of a later format may have no table, which then stays unknown; it is tried once.
    _ = try largeValues.openedTable()
    let again = try keeper.files.journalEnvironment.beginWrite(waitingAtMost: limit)
    format = try readFormat(in: again.snapshot)
    return again
  }

  /// Writes a commit, which follows the head, and the large values that the store lacks.
  func append(_ commit: PendingCommit) throws {
    try raiseFormat(to: commit.neededFormat)
    try changing { transaction in
      for value in commit.largeValues { try transaction.append(value) }
      try transaction.append(commit, to: keeper.files.journalTables)
      guard commit.header.isModel else { return }
      var positions = try reader.meta(JournalMeta.models) ?? []
      positions.appendFixed(commit.header.position.number)
      try transaction.putMeta(JournalMeta.models, positions, in: keeper.files.journalTables)
    }
    head = commit.header.position
    headHash = commit.hash
    lastRecordedAt = commit.header.recordedAt
  }

  /// Raises the format of the store, in the same transaction as the data that earlier versions do not know.
  private func raiseFormat(to needed: StoreFormat) throws {
    let raised = format.raised(to: needed)
    guard raised != format else { return }
    try changing { try $0.putMeta(JournalMeta.format, raised.bytes, in: keeper.files.journalTables) }
    format = raised
  }

  /// Writes a row of the journal's table of single values, together with the commits.
  ///
  /// - Parameter isDurable: Whether the transaction must be on the disk when it ends, even with relaxed durability.
  func putMeta(_ key: [UInt8], _ value: [UInt8], isDurable: Bool = false) throws {
    try changing { try $0.putMeta(key, value, in: keeper.files.journalTables) }
    if isDurable { mustBeDurable = true }
  }

  /// Records that the effects of a user projection have begun, together with the commits that cause them.
  func noteEffects(through position: Position, of name: String) throws {
    var ledger = try reader.presentLedger(of: name)
    ledger.effectsThrough = max(ledger.effectsThrough, position)
    try changing { try $0.put(ledger, of: name, in: keeper.files.journalTables) }
    mustBeDurable = true
  }

  /// Lends the transaction. If `body` throws, the transaction can only be aborted, and it is.
  private func changing(_ body: (inout WriteTransaction) throws -> Void) throws {
    guard var transaction = transaction.take() else { preconditionFailure("A session that is over was used.") }
    try body(&transaction)
    self.transaction = consume transaction
    didChange = true
  }

  /// Ends the transaction; its commits are then as durable as the store's options require.
  ///
  /// - Throws: `LMDBError` if the map is full, in which case the transaction must be repeated; `StoreError` for any other
  ///   failure.
  func commit() throws {
    guard didChange else { return abort() }
    do {
      try transaction.take()?.commit(isDurable: mustBeDurable)
      let end = ProjectionKeeper.JournalEnd(position: head, hash: headHash, recordedAt: lastRecordedAt)
      keeper.journalEnd.withLock { $0 = end }
    } catch  where error.isMapFull {
      throw error
    } catch {
      throw keeper.files.noteFailure(error)
    }
  }

  func abort() { transaction = nil }
}
