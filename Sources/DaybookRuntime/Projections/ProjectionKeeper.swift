import DaybookEngine
import DaybookModel
import DaybookQuery
import LMDB

/// The projections of an open store: which tables are current and whether they are trusted, folding, repair and replacement.
package final class ProjectionKeeper: Sendable {
  package let files: StoreFiles
  /// The last commit that this process made, or `nil` before the first one.
  ///
  /// If it is still the head, the next write need not read it. A commit that is in the journal does not change.
  let journalEnd = Locked<JournalEnd?>(nil)
  /// The terms of the last commits that this process made, for the index of the journal.
  let commitIndexDraft = Locked(CommitIndexDraft())
  let volumeRun: VolumeRun
  package let models = ModelHistory()
  package let snapshotStore: SnapshotStore
  /// The rows of projections that keep no history, by name, with the history that was read.
  let histories = Locked<[String: FoldedRows]>([:])
  /// The plans of the last requests.
  let plans = PlanCache()
  /// The inverse layers of the last commits, for all live requests.
  let inverseLayers = InverseLayers()
  package let projectionsOpening: ProjectionsOpening
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
    /// Whether this process may have changed the projections.
    var hasWritten = false
    weak var observer: (any StoreObserver)?
    weak var owner: (any AnyObject & Sendable)?
  }

  /// Opens the projections, and discards those that cannot be trusted; closes the files if it fails.
  ///
  /// The projections may be behind the journal afterwards; see ``foldMissingCommits()``.
  ///
  /// - Throws: `StoreError` and `LMDBError`, as ``Store/init(at:model:options:)``.
  package init(of files: StoreFiles) throws {
    self.files = files
    do {
      projectionsOpening = ProjectionsOpening(files)
      snapshotStore = SnapshotStore(of: files.directory, storeID: files.id, logger: files.options.logger)
      openProjections = Locked(try projectionsOpening.open(with: snapshotStore))
      volumeRun = projectionsOpening.volumeRun
      files.readerWatch.check(try files.journalEnvironment.readers())
    } catch {
      files.close()
      throw error
    }
  }

  /// Whether this process may have changed the projections since it opened the store.
  var hasWritten: Bool { shared.withLock { $0.hasWritten } }

  /// Takes note that this process is about to change the projections.
  func noteWriting() {
    if !hasWritten { shared.withLock { $0.hasWritten = true } }
  }

  /// The object that is notified of changes of the projections that no commit made; it is not kept alive by this
  /// reference.
  var observer: (any StoreObserver)? {
    get { shared.withLock { $0.observer } }
    set { shared.withLock { $0.observer = newValue } }
  }

  /// The object that users know as the store.
  ///
  /// It keeps the projections, and not the reverse: releasing it is what closes the store.
  package var owner: (any AnyObject & Sendable)? {
    get { shared.withLock { $0.owner } }
    set { shared.withLock { $0.owner = newValue } }
  }

  /// Makes all later operations throw ``StoreError/Code/closed``; operations in progress continue.
  ///
  /// - Returns: Whether this call was the first.
  package func beginClosing() -> Bool {
    guard files.beginClosing() else { return false }
    projectionsEnvironment.noteClosing()
    return true
  }

  /// Whether this thread writes to the store, and so must not wait for the end of operations in progress.
  package var isWritingOnThisThread: Bool {
    projectionsEnvironment.isWritingOnThisThread || files.journalEnvironment.isWritingOnThisThread
  }

  /// Flushes the projections and closes all files, after the operations in progress.
  func close() {
    snapshotStore.close()
    histories.withLock { $0.removeAll() }
    markClean()
    projectionsEnvironment.close()
    files.close()
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
    let environment = error.path == projectionsEnvironment.path ? projectionsEnvironment : files.journalEnvironment
    try environment.makeRoom()
  }
}

/// An object that is notified of changes of an open store that no session made, and knows all of its parts.
protocol StoreObserver: AnyObject, Sendable {
  /// Called after the projections were built, or the rows of user projections changed.
  func projectionsDidChange()
  /// Called in the transaction in which rebuilt rows of a projection replace its rows, before its end.
  ///
  /// - Parameter states: Returns the rows of a scope before and after; `nil` if they are not of one position.
  func rowsWillBeReplaced(of projection: String, _ states: (RequestScope) throws -> ReplacedStates?) throws
  /// Called after the projections were replaced by new ones, which are up to date.
  ///
  /// - Throws: The errors of building the rows of user projections again.
  func projectionsWereReplaced() throws
}
