import Daybook
import Dispatch

/// Imports a git history into a store, one commit for each of git's.
///
///     let store = try Store(at: path, model: GitModel.model)
///     let importer = try GitImporter(store)
///     let export = try GitRepository(path: ".").export(after: importer.lastRevision)
///     let summary = try importer.run(export)
///
/// It goes on where the last import ended: ``lastRevision`` is what the source has to continue, and a source without
/// new commits writes nothing. After each commit the store's folders and files are what `git ls-tree -r` says of it.
///
/// Commits are put into the store in batches, each durable at once (see ``BatchLimits``). Reading runs ahead on a thread
/// of its own, and the store's write lock is given back whenever the source has nothing for a while.
package struct GitImporter {
  /// How much may go into one batch, which is what a crash may lose at most; the import then continues before it.
  package struct BatchLimits: Sendable {
    package var commits = 1_000
    /// About, and of the journal alone.
    package var sizeInBytes = 32 << 20
    package var duration = Duration.seconds(2)
    /// How long a batch waits for the next commit before it ends.
    package var patience = DispatchTimeInterval.milliseconds(20)

    package init() {}
  }

  /// What an import did.
  package struct Summary: Hashable, Sendable {
    /// How many commits it added.
    package let commitCount: Int
    /// The last position of the store.
    package let position: Position
    /// The last revision of the store; nil if it has none.
    package let lastRevision: GitHash?
  }

  private let store: Store
  private let history: StoredHistory
  private let limits: BatchLimits

  /// Finds out what the store holds already.
  ///
  /// - Throws: `StoreError`, with the code `badValue` if somebody changed the tree so that it is none.
  /// - Complexity: O(*n*) for *n* folders, files and authors.
  package init(_ store: Store, limits: BatchLimits = BatchLimits()) throws {
    self.store = store
    self.limits = limits
    history = try StoredHistory(reading: store)
  }

  /// The last commit of git that the store holds; nil if it holds none.
  package var lastRevision: GitHash? { history.lastRevision }

  /// Writes the commits of a source.
  ///
  /// - Parameters:
  ///   - source: The commits that follow ``lastRevision``, or all if there is none.
  ///   - progress: Called with the number of commits so far, after each.
  ///   - finish: Called at the end of each commit, still inside of it.
  /// - Throws: What the source throws: `FastExportError`, `GitError`; `StoreError`, with the git commit that does not
  ///   fit, or with the code `busy` if somebody else wrote to the store. The commits before the one at fault stand.
  @discardableResult
  package consuming func run(
    _ source: any GitCommitSource, progress: ((Int) -> Void)? = nil,
    finishingEach finish: ((GitCommit, borrowing Transaction) throws -> Void)? = nil
  ) throws -> Summary {
    let queue = CommitQueue()
    CommitReading(source, editor: history.editor, into: queue).start()
    defer { queue.cancel() }
    var run = ImportRun(store: store, history: history, limits: limits, progress: progress, finish: finish)
    while case .commit(let first)? = try run.next(queue, waiting: .distantFuture) {
      try run.writeBatch(first, queue)
    }
    return run.summary
  }
}

/// An import under way.
private struct ImportRun {
  let store: Store
  let limits: GitImporter.BatchLimits
  let progress: ((Int) -> Void)?
  let finish: ((GitCommit, borrowing Transaction) throws -> Void)?

  private var writer: CommitWriter
  private var position: Position
  private var lastRevision: GitHash?
  private var commitCount = 0
  /// An end or an error that a batch met; it is looked at when the batch is durable.
  private var held: CommitQueue.Item?

  init(
    store: Store, history: StoredHistory, limits: GitImporter.BatchLimits, progress: ((Int) -> Void)?,
    finish: ((GitCommit, borrowing Transaction) throws -> Void)?
  ) {
    self.store = store
    self.limits = limits
    self.progress = progress
    self.finish = finish
    writer = CommitWriter(objects: history.objects, authors: history.authors)
    position = history.position
    lastRevision = history.lastRevision
  }

  var summary: GitImporter.Summary {
    GitImporter.Summary(commitCount: commitCount, position: position, lastRevision: lastRevision)
  }

  /// The next commit or the end; nil if none came in time.
  mutating func next(_ queue: CommitQueue, waiting timeout: DispatchTime) throws -> CommitQueue.Item? {
    let item = held ?? queue.take(waiting: timeout)
    held = nil
    if case .failure(let error)? = item { throw error }
    return item
  }

  /// Writes a commit and those that follow, as many as fit a batch. When it returns they are durable.
  ///
  /// - Throws: The error of the first commit that could not be written; those before it are durable.
  mutating func writeBatch(_ first: PreparedCommit, _ queue: CommitQueue) throws {
    var failure: (any Error)?
    var taken = [first]
    let (writer, position, revision, count) = (writer, position, lastRevision, commitCount)
    // It runs again if the projections turn out to be damaged: from the first commit, as if nothing had happened.
    try store.withSession { session in
      (self.writer, self.position, lastRevision, commitCount) = (writer, position, revision, count)
      try checkHead(session)
      do {
        try write(&taken, queue, in: session)
      } catch let error as StoreError where error.damagedPath != nil {
        throw error
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// - Parameter taken: The commits to write; those that are taken from the queue besides are added.
  private mutating func write(
    _ taken: inout [PreparedCommit], _ queue: CommitQueue, in session: WriteSession
  ) throws {
    let deadline = ContinuousClock.now + limits.duration
    var size = 0
    var count = 0
    while true {
      let prepared = taken[count]
      try writer.write(prepared, in: session, then: finish)
      position = session.head
      lastRevision = prepared.commit.hash
      commitCount += 1
      progress?(commitCount)
      count += 1
      size += prepared.sizeInBytes
      if count < taken.count { continue }
      guard held == nil, count < limits.commits, size < limits.sizeInBytes, ContinuousClock.now < deadline else {
        return
      }
      let item = queue.take(waiting: .now() + limits.patience)
      guard case .commit(let next)? = item else {
        held = item
        return
      }
      taken.append(next)
    }
  }

  /// Commits are made of what this import knows of the tree, so nobody else may have changed it.
  private func checkHead(_ session: WriteSession) throws {
    guard session.head != position else { return }
    throw StoreError(
      .busy, "Somebody else wrote to the store during the import: the head is \(session.head) instead of \(position).",
      advice: "Run the import again; it continues after the last commit that is there.")
  }
}
