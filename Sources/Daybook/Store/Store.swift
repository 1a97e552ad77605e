import DaybookEngine
import DaybookModel
import Foundation
import LMDB

/// An object store on disk: a journal of all changes, and projections folded from it.
///
///     let store = try Store(at: "recipes.daybook", model: recipes)
///     let cake = try store.write(author: "editor") { tx in
///       try tx.insert("Recipe", ["name": "Cake", "servings": 4])
///     }
///
/// A store is a directory with two LMDB environments: `journal`, which is flushed with every commit and is the only
/// source of truth, and `projections`, which is folded from the journal and rebuilt whenever it cannot be trusted.
/// Large stores also have `snapshots`, copies of the projections at earlier positions. Several processes may have the
/// same store open and write to it; each process may open it once.
///
/// Reads and writes may run on any thread. A write runs on the thread that calls it.
public final class Store: Sendable {
  /// The path of the store's directory.
  public let path: String
  /// The identity of this store; backups and restored copies keep it.
  public let id: ObjectID
  package let options: StoreOptions

  package let journalEnvironment: Environment
  package let journalTables: JournalTables
  let volumeRun: VolumeRun
  let queue: WriteQueue
  let notifier: CommitNotifier
  let projectionWorker: ProjectionWorker
  package let models: ModelHistory
  let snapshotStore: SnapshotStore
  /// The inverse layers of the last commits, for all live requests.
  let inverseLayers: InverseLayers
  let snapshotScheduler: SnapshotScheduler
  package let projectionsOpening: ProjectionsOpening
  /// What is read in place of the files at ``path``; nil if these are used.
  private let workingCopy: WorkingCopy?
  private let shared: Locked<Shared>
  private let openProjections: Locked<OpenProjections>
  /// Held while projections are replaced. It is taken before the journal's write lock, never while that is held.
  let replacement: Locked<Void>
  /// Whether the store is closed when this instance is released. False for a ``companion``.
  private let isOwner: Bool

  private struct Shared {
    var isClosed = false
    var failure: StoreError?
  }

  /// Opens a store, creating it first if it does not exist and a model is given.
  ///
  /// If the projections cannot be trusted (another boot or mount after a crash, a copied directory, a missing or
  /// damaged file), they are rebuilt before this returns, at about a million events a second. Otherwise opening takes
  /// constant time, independent of the journal's length.
  ///
  /// Where the store's volume is mounted read-only, the journal is copied to the directory for temporary files and the
  /// projections are built there, until the store is closed; see ``isReadOnly``.
  ///
  /// - Parameters:
  ///   - path: A directory, which need not exist if a model is given.
  ///   - model: The model of a new store. An existing store must have an equal one; `nil` accepts any.
  ///   - options: The options of the store.
  /// - Throws: `StoreError`: `notFound` if neither a store nor a model exists, `notAStore` for another directory,
  ///   `badModel` for an invalid or a different model, `newerFormat`, `damaged`, `exists` if this process has the store
  ///   open, `busy` if another process has it open and has lost its lock of the files, as by copying them,
  ///   or uses it through another mount than this read-only one, `inputOutput`.
  public convenience init(at path: String, model: Model? = nil, options: StoreOptions = StoreOptions()) throws {
    do {
      var path = path
      while path.count > 1, path.hasSuffix("/") { path.removeLast() }
      if let model, !StoreDirectory(path).exists {
        do {
          try StoreDirectory(path).create(model: model, options: options)
        } catch let error as LMDBError where error.kind == .alreadyExists {
          // Another process has just created the store, so it is opened as an existing one.
        }
      }
      try self.init(opening: StoreDirectory(path), options: options)
      if let model { try requireEqual(model) }
    } catch {
      throw StoreError.translating(error)
    }
  }

  private init(opening directory: StoreDirectory, options: StoreOptions) throws {
    try directory.check(options)
    path = directory.path
    try directory.checkJournalFile()
    workingCopy = try WorkingCopy(ofReadOnly: directory)
    let directory = workingCopy?.directory ?? directory
    let options = workingCopy == nil ? options : options.forWorkingCopy
    self.options = options
    (queue, notifier, projectionWorker) = (WriteQueue(), CommitNotifier(), ProjectionWorker())
    (models, snapshotScheduler, inverseLayers) = (ModelHistory(), SnapshotScheduler(), InverseLayers())
    shared = Locked(Shared())
    replacement = Locked(())
    isOwner = true
    do {
      journalEnvironment = try directory.openJournal(options)
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
    } catch {
      journalEnvironment.close()
      workingCopy?.remove()
      throw error
    }
    do {
      try healing { try bringUpToDate() }
      try healing { try openUserProjections() }
      try projectionWorker.start(self)
    } catch {
      close()
      throw error
    }
  }

  private init(companionOf store: Store) {
    (path, id, options) = (store.path, store.id, store.options)
    (journalEnvironment, journalTables, volumeRun) = (store.journalEnvironment, store.journalTables, store.volumeRun)
    (projectionsOpening, openProjections) = (store.projectionsOpening, store.openProjections)
    workingCopy = store.workingCopy
    (queue, notifier, projectionWorker) = (store.queue, store.notifier, store.projectionWorker)
    (models, snapshotStore, snapshotScheduler) = (store.models, store.snapshotStore, store.snapshotScheduler)
    inverseLayers = store.inverseLayers
    (shared, replacement) = (store.shared, store.replacement)
    isOwner = false
  }

  /// The same open store, for its own threads and the closures that they hold.
  ///
  /// A store is closed when the caller's last reference to it is released. If a thread of the store had a reference
  /// too, even for the length of a call, the store would be closed later, on that thread, and could not be opened again
  /// at once.
  var companion: Store { Store(companionOf: self) }

  deinit {
    if isOwner { close() }
  }

  /// Closes the store after finishing operations in progress.
  ///
  /// Later calls throw ``StoreError/Code/closed``. The projections are flushed, so that they need not be rebuilt after
  /// a restart of the operating system. Closing again does nothing. Releasing the last reference also closes the store,
  /// before the release returns.
  ///
  /// Called inside a write of the store, it returns at once, and the store is closed when that write has ended. Opening
  /// a store waits for a close of it that is in progress in this process.
  public func close() {
    let wasClosed = shared.withLock { shared in
      defer { shared.isClosed = true }
      return shared.isClosed
    }
    guard !wasClosed else { return }
    let environments = [projectionsEnvironment, journalEnvironment]
    for environment in environments { environment.noteClosing() }
    guard environments.contains(where: \.isWritingOnThisThread) else { return finishClosing() }
    // The operations to finish wait for a lock that this thread holds, so another thread waits for them.
    let companion = companion
    let thread = Thread { companion.finishClosing() }
    thread.name = "daybook closing"
    thread.start()
  }

  private func finishClosing() {
    queue.close()
    projectionWorker.close()
    notifier.close()
    snapshotScheduler.close()
    snapshotStore.close()
    markClean()
    projectionsEnvironment.close()
    journalEnvironment.close()
    workingCopy?.remove()
  }

  /// Whether the store is on a volume that is mounted read-only: it can be read, verified, backed up and compacted, and
  /// each write throws ``StoreError/Code/readOnly``.
  public var isReadOnly: Bool { workingCopy != nil }

  /// - Throws: `StoreError` with the code `readOnly`.
  func checkWritable() throws(StoreError) {
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

  /// - Throws: `StoreError` if the store is unusable after a disk failure.
  func checkHealth() throws(StoreError) {
    if let failure = shared.withLock({ $0.failure }) {
      throw StoreError(
        .closed, "The store \(path) gave up after a failure of the disk: \(failure.message)",
        advice: "Close it, check the disk, open it again, and retry with the same commit id.")
    }
  }

  /// Translates a commit error; makes the store unusable if the outcome is unknown.
  func noteFailure(_ error: LMDBError) -> StoreError {
    guard error.isUnknownOutcome else { return StoreError(error) }
    let failure = StoreError(
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

  /// Makes room in the map that an error names.
  ///
  /// Frees the pages that dead readers retain, else doubles the map. The map of the other environment is unchanged,
  /// because address space is limited.
  func growMap(after error: LMDBError) throws {
    let environment = error.path == projectionsEnvironment.path ? projectionsEnvironment : journalEnvironment
    if try environment.checkReaders() > 0 { return }
    try environment.growMap(toAtLeast: environment.information().mapSizeInBytes * 2)
  }

  private func requireEqual(_ model: Model) throws {
    let change: ModelChange
    do {
      change = try read { try $0.resolvedModel.evolved(to: model) }
    } catch let error as ModelError {
      throw StoreError(.badModel, "\(error)")
    }
    guard change.isEmpty else {
      close()
      throw StoreError(
        .badModel, "The store \(path) has another model: \(change.steps.joined(separator: "; ")).",
        advice: "Open it without a model, or apply the new one.")
    }
  }
}
