import DaybookEngine
import DaybookModel
import DaybookQuery
import LMDB

/// What the open files of a store have in common for all parts of it, until the store is closed.
///
/// ``Store`` is the handle that an application holds: releasing the last reference to it closes the store. The threads of
/// a store, and all below the handle, refer to the open store instead, so that none of them keeps it from being closed.
package final class OpenStore: Sendable {
  package let path: String
  package let id: ObjectID
  package let options: StoreOptions

  package let journalEnvironment: Environment
  package let journalTables: JournalTables
  /// The last commit that this process made, or `nil` before the first one.
  ///
  /// If it is still the head, the next write need not read it. A commit that is in the journal does not change.
  let journalEnd = Locked<JournalEnd?>(nil)
  /// The terms of the last commits that this process made, for the index of the journal.
  let commitIndexDraft = Locked(CommitIndexDraft())
  /// The read transactions of all processes, and their ages.
  package let readerWatch: ReaderWatch
  package let metrics: StoreMetrics
  let volumeRun: VolumeRun
  package let models = ModelHistory()
  package let snapshotStore: SnapshotStore
  /// The rows that followed projections changed last.
  package let rowChanges = RowChangeLog()
  /// The plans of the last requests.
  let plans = PlanCache()
  /// The inverse layers of the last commits, for all live requests.
  let inverseLayers = InverseLayers()
  package let projectionsOpening: ProjectionsOpening
  /// The file that names the servers of the journal, if other stores share it.
  package let journalFile: JournalFile?
  /// Whether this process has no library for these servers.
  private let lacksLibrary: Bool
  /// What is read in place of the files at ``path``; nil if these are used.
  private let workingCopy: WorkingCopy?
  private let shared = Locked(Shared())
  private let openProjections: Locked<OpenProjections>
  /// Held by a writer from the commit of the journal to the commit of the projections.
  ///
  /// A reader of this process that finds the projections behind waits for it.
  let finishing = Locked(())
  /// Held while projections are replaced. It is taken before the journal's write lock, never while that is held.
  let replacement = Locked(())

  /// The parts of a journal's last commit on which the next commit depends.
  struct JournalEnd {
    let position: Position
    let hash: Digest
    let recordedAt: Timestamp
  }

  private struct Shared {
    var isClosed = false
    /// Whether this process may have changed the projections.
    var hasWritten = false
    var failure: StoreError?
    weak var observer: (any StoreObserver)?
  }

  /// Opens the files of a store, and discards projections that cannot be trusted.
  ///
  /// The projections may be behind the journal afterwards; see ``foldMissingCommits()``.
  ///
  /// - Throws: `StoreError` and `LMDBError`, as ``Store/init(at:model:options:)``.
  package init(_ directory: StoreDirectory, options: StoreOptions) throws {
    try directory.check(options)
    path = directory.path
    metrics = StoreMetrics(path: directory.path)
    try directory.checkJournalFile()
    workingCopy = try WorkingCopy(ofReadOnly: directory)
    let directory = workingCopy?.directory ?? directory
    let options = workingCopy == nil ? options : options.forWorkingCopy
    self.options = options
    do {
      // A working copy is only read.
      journalFile = workingCopy == nil ? try JournalFile(in: directory) : nil
    } catch {
      workingCopy?.remove()
      throw error
    }
    lacksLibrary = journalFile.map { !CommitStreams.canOpen($0.address) } ?? false
    readerWatch = ReaderWatch(directory, options: options)
    do {
      journalEnvironment = try directory.openJournal(options, readers: readerWatch)
    } catch {
      workingCopy?.remove()
      throw error
    }
    do {
      journalTables = try directory.openJournalTables(in: journalEnvironment)
      projectionsOpening = ProjectionsOpening(
        directory: directory, options: options, environment: journalEnvironment, tables: journalTables)
      id = try projectionsOpening.readIdentity()
      snapshotStore = SnapshotStore(of: directory, storeID: id, logger: options.logger)
      openProjections = Locked(try projectionsOpening.open(with: snapshotStore))
      volumeRun = projectionsOpening.volumeRun
      readerWatch.check(try journalEnvironment.readers())
    } catch {
      journalEnvironment.close()
      workingCopy?.remove()
      throw error
    }
  }

  /// Whether this process may have changed the projections since it opened the store.
  var hasWritten: Bool { shared.withLock { $0.hasWritten } }

  /// Takes note that this process is about to change the projections.
  func noteWriting() {
    if !hasWritten { shared.withLock { $0.hasWritten = true } }
  }

  /// What is told of changes of the projections that no commit made; it is not kept alive by this reference.
  var observer: (any StoreObserver)? {
    get { shared.withLock { $0.observer } }
    set { shared.withLock { $0.observer = newValue } }
  }

  /// Makes all later operations throw ``StoreError/Code/closed``; operations in progress continue.
  ///
  /// - Returns: Whether this call was the first.
  package func beginClosing() -> Bool {
    let wasClosed = shared.withLock { shared in
      defer { shared.isClosed = true }
      return shared.isClosed
    }
    guard !wasClosed else { return false }
    for environment in [projectionsEnvironment, journalEnvironment] { environment.noteClosing() }
    return true
  }

  /// Whether this thread writes to the store, and so must not wait for the end of operations in progress.
  package var isWritingOnThisThread: Bool {
    projectionsEnvironment.isWritingOnThisThread || journalEnvironment.isWritingOnThisThread
  }

  /// Flushes the projections and closes the files, after the operations in progress.
  func closeFiles() {
    snapshotStore.close()
    markClean()
    projectionsEnvironment.close()
    journalEnvironment.close()
    workingCopy?.remove()
  }

  /// Whether the store is on a volume that is mounted read-only: it can be read, verified, backed up and compacted, and
  /// each write throws ``StoreError/Code/readOnly``.
  package var isReadOnly: Bool { workingCopy != nil }

  /// - Throws: `StoreError` with the code `readOnly`.
  func checkWritable() throws(StoreError) {
    if lacksLibrary { throw CommitStreams.missing(path) }
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

  /// The projections in use. They may be replaced at any time, so an operation reads this once.
  package var currentProjections: OpenProjections {
    get { openProjections.withLock { $0 } }
    set { openProjections.withLock { $0 = newValue } }
  }

  package var projectionsEnvironment: Environment { currentProjections.environment }

  /// Runs an operation, and again after each time that a map was full, which grows.
  ///
  /// - Throws: Any other error of `body`; the errors of growing.
  func growing<Result>(_ body: () throws -> Result) throws -> Result {
    while true {
      do {
        return try body()
      } catch let error as LMDBError where error.isMapFull {
        try growMap(after: error)
      }
    }
  }

  /// Makes room in the map that an error names.
  ///
  /// The map of the other environment is unchanged, because address space is limited.
  func growMap(after error: LMDBError) throws {
    let environment = error.path == projectionsEnvironment.path ? projectionsEnvironment : journalEnvironment
    try environment.makeRoom()
  }
}

/// What is told of changes of an open store that no session made, and knows all of its parts.
protocol StoreObserver: AnyObject, Sendable {
  /// Called after the projections were built, or the rows of user projections changed.
  func projectionsDidChange()
  /// Called after the projections were replaced by new ones, which are up to date.
  ///
  /// - Throws: The errors of building the rows of user projections again.
  func projectionsWereReplaced() throws
  /// Sets the gauges of all parts of the store; called from time to time after commits.
  func reportMetrics() throws
}
