import DaybookEngine
import DaybookModel
import LMDB

/// The open files of a store but the projections, which can be replaced at any time, and whether they may still be used.
///
/// ``Store`` is the handle that an application holds: releasing the last reference to it closes the store. The threads of
/// a store, and all below the handle, refer to its parts instead, so that none of them keeps it from being closed.
package final class StoreFiles: Sendable {
  package let path: String
  package let id: ObjectID
  package let options: StoreOptions
  package let directory: StoreDirectory
  package let journalEnvironment: Environment
  package let journalTables: JournalTables
  /// The read transactions of all processes, and their ages.
  package let readerWatch: ReaderWatch
  package let metrics: StoreMetrics
  /// The file that names the servers of the journal, if other stores share it.
  package let journalFile: JournalFile?
  /// Whether this process has no library for these servers.
  private let lacksLibrary: Bool
  /// What is read in place of the files at ``path``; nil if these are used.
  private let workingCopy: WorkingCopy?
  private let shared = Locked(Shared())

  private struct Shared {
    var isClosed = false
    var failure: StoreError?
  }

  /// Opens the journal of a store.
  ///
  /// - Throws: `StoreError` and `LMDBError`, as ``Store/init(at:model:options:)``.
  package init(_ directory: StoreDirectory, options: StoreOptions) throws {
    try directory.check(options)
    try options.checkDeclarations()
    path = directory.path
    metrics = StoreMetrics(path: directory.path)
    try directory.checkJournalFile()
    workingCopy = try WorkingCopy(ofReadOnly: directory)
    let directory = workingCopy?.directory ?? directory
    let options = workingCopy == nil ? options : options.forWorkingCopy
    (self.directory, self.options) = (directory, options)
    do {
      // A working copy is only read.
      journalFile = workingCopy == nil ? try JournalFile(in: directory) : nil
      lacksLibrary = journalFile.map { !options.reaches($0.address) } ?? false
      readerWatch = ReaderWatch(directory, options: options)
      journalEnvironment = try directory.openJournal(options, readers: readerWatch)
    } catch {
      workingCopy?.remove()
      throw error
    }
    do {
      journalTables = try directory.openJournalTables(in: journalEnvironment)
      id = try StoreFiles.readIdentity(directory, options, journalEnvironment, journalTables)
    } catch {
      journalEnvironment.close()
      workingCopy?.remove()
      throw error
    }
  }

  /// Returns the store's identity.
  ///
  /// - Throws: `StoreError`: `newerFormat` if a newer version wrote the store; `notAStore`.
  private static func readIdentity(
    _ directory: StoreDirectory, _ options: StoreOptions, _ environment: Environment, _ tables: JournalTables
  ) throws -> ObjectID {
    try environment.withSnapshot { snapshot in
      let journal = LMDBJournal(snapshot: snapshot, tables: tables)
      guard let format = try journal.format(), let identity = try journal.meta(JournalMeta.storeID) else {
        throw StoreError(.notAStore, "\(directory.path) is not a Daybook store: it has no format version.")
      }
      try options.newerVersion.check(format, path: directory.path)
      return try RowKey.objectID(of: identity.rawSpan)
    }
  }

  /// Makes all later operations throw ``StoreError/Code/closed``; operations in progress continue.
  ///
  /// - Returns: Whether this call was the first.
  func beginClosing() -> Bool {
    let wasClosed = shared.withLock { shared in
      defer { shared.isClosed = true }
      return shared.isClosed
    }
    if !wasClosed { journalEnvironment.noteClosing() }
    return !wasClosed
  }

  /// Closes the journal, after the operations in progress.
  func close() {
    journalEnvironment.close()
    workingCopy?.remove()
  }

  /// Whether the store is on a volume that is mounted read-only: it can be read, verified, backed up and compacted, and
  /// each write throws ``StoreError/Code/readOnly``.
  package var isReadOnly: Bool { workingCopy != nil }

  /// - Throws: `StoreError` with the code `readOnly`.
  func checkWritable() throws(StoreError) {
    if lacksLibrary { throw StoreError(unreachableJournalOf: path) }
    guard isReadOnly else { return }
    throw StoreError(
      .readOnly, "The store \(path) is on a volume that is mounted read-only.",
      advice: "Mount it writable, or restore a backup of it elsewhere.")
  }

  /// Whether the store is closed or closing.
  var isClosed: Bool { shared.withLock { $0.isClosed } }

  /// - Throws: `StoreError` if the store is closed, or unusable after a disk failure.
  package func checkOpen() throws(StoreError) {
    if shared.withLock({ $0.isClosed }) {
      throw StoreError(.closed, "The store \(path) was closed.", advice: "Open it again.")
    }
    try checkHealth()
  }

  /// - Throws: `StoreError` with the code `displaced` if the path no longer leads to the journal.
  package func checkPlace() throws(StoreError) {
    do {
      try journalEnvironment.checkPlace()
    } catch {
      throw StoreError(error)
    }
  }

  /// - Throws: `StoreError` if the store is unusable after a disk failure.
  func checkHealth() throws(StoreError) {
    if let failure = shared.withLock({ $0.failure }) {
      throw StoreError(
        .closed, "The store \(path) gave up after a failure: \(failure.message)",
        advice: "Close it, check the disk and the path, open it again, and retry with the same commit id.")
    }
  }

  /// Translates a commit error; makes the store unusable if the outcome is unknown.
  func noteFailure(_ error: LMDBError) -> StoreError {
    guard error.isUnknownOutcome else { return StoreError(error) }
    let failure =
      error.kind == .displaced
      ? StoreError(
        .unknownOutcome,
        "The directory of the store \(path) was removed, moved or replaced while a commit was written, which went with it.",
        advice: "Open the store that is at the path, and retry with the same commit id.")
      : StoreError(
        .unknownOutcome, "The disk failed while a commit was written, which may be there or not: \(error)",
        advice: "Open the store again, and retry with the same commit id.")
    shared.withLock { $0.failure = failure }
    return failure
  }
}

extension StoreFiles {
  /// Calls `body` with a snapshot of the journal, without the projections.
  package func withJournal<Result>(_ body: (LMDBJournal) throws -> Result) throws -> Result {
    try checkOpen()
    return try withJournalOfWriter(body)
  }

  /// Reads the journal for a write or for the follower; a store that is being closed still runs the writes it accepted.
  func withJournalOfWriter<Result>(_ body: (LMDBJournal) throws -> Result) throws -> Result {
    do {
      return try journalEnvironment.withSnapshot { try body(LMDBJournal(snapshot: $0, tables: journalTables)) }
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Writes rows other than commits to the journal's environment.
  ///
  /// - Parameters:
  ///   - isDurable: Whether the rows are on the disk when the call returns, even with relaxed durability.
  ///   - limit: How long to wait for other writers; `nil` for as long as they write.
  package func writeJournal(
    isDurable: Bool = false, waitingAtMost limit: Duration? = nil, _ body: (inout WriteTransaction) throws -> Void
  ) throws {
    try checkOpen()
    try checkWritable()
    do {
      try journalEnvironment.growing {
        var transaction = try journalEnvironment.beginWrite(waitingAtMost: limit)
        try body(&transaction)
        try transaction.commit(isDurable: isDurable)
      }
    } catch let error as LMDBError {
      throw noteFailure(error)
    } catch {
      throw StoreError.translating(error)
    }
  }
}
