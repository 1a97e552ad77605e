import Daybook
import Dispatch

/// Imports a git history into a store, one commit for each git commit.
///
///     let store = try Store(at: path, model: GitModel.model)
///     let importer = try GitImporter(store)
///     let export = try GitRepository(path: ".").export(after: importer.lastRevision)
///     let summary = try importer.run(export)
///
/// It continues where the last import ended: ``lastRevision`` is the commit that the source has to continue, and a
/// source without new commits writes nothing. After each commit the store's folders and files equal the output of `git
/// ls-tree -r` for it.
///
/// Commits are written in batches, each durable at once (see ``BatchLimits``). Reading runs ahead on its own thread,
/// and the store's write lock is released whenever the source has no commit ready for a while.
package struct GitImporter {
  /// The limits of one batch, which is the most that a crash can lose.
  ///
  /// After a crash the import continues before the lost batch.
  package struct BatchLimits: Sendable {
    package var commits = 1_000
    /// An approximate limit on the journal's size alone.
    package var sizeInBytes = 32 << 20
    package var duration = Duration.seconds(2)
    /// How long a batch waits for the next commit before it ends.
    package var patience = DispatchTimeInterval.milliseconds(20)

    package init() {}
  }

  /// The result of an import.
  package struct Summary: Hashable, Sendable {
    /// The number of commits added.
    package let commitCount: Int
    /// The last position of the store.
    package let position: Position
    /// The last revision of the store, or `nil` if it has none.
    package let lastRevision: GitHash?
  }

  private let store: Store
  private let history: StoredHistory
  private let limits: BatchLimits

  /// Reads the history that the store already contains.
  ///
  /// - Throws: `StoreError`, with the code `badValue` if other writes left an invalid tree.
  /// - Complexity: O(*n*) for *n* folders, files and authors.
  package init(_ store: Store, limits: BatchLimits = BatchLimits()) throws {
    self.store = store
    self.limits = limits
    history = try StoredHistory(reading: store)
  }

  /// The last git commit in the store, or `nil` if it has none.
  package var lastRevision: GitHash? { history.lastRevision }

  /// Writes the commits of a source.
  ///
  /// - Parameters:
  ///   - source: The commits that follow ``lastRevision``, or all commits if it is `nil`.
  ///   - progress: Called after each commit with the number of commits so far.
  ///   - finish: Called at the end of each commit, within its transaction.
  /// - Throws: The errors of the source: `FastExportError`, `GitError`; `StoreError`, with the faulty git commit, or
  ///   with the code `busy` if another process wrote to the store. The commits before the error stay.
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

/// An import in progress.
private struct ImportRun {
  let store: Store
  let limits: GitImporter.BatchLimits
  let progress: ((Int) -> Void)?
  let finish: ((GitCommit, borrowing Transaction) throws -> Void)?

  private var writer: CommitWriter
  private var position: Position
  private var lastRevision: GitHash?
  private var commitCount = 0
  /// An end or an error that a batch received; it is handled when the batch is durable.
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

  /// Returns the next commit or the end, or `nil` if none arrived in time.
  mutating func next(_ queue: CommitQueue, waiting timeout: DispatchTime) throws -> CommitQueue.Item? {
    let item = held ?? queue.take(waiting: timeout)
    held = nil
    if case .failure(let error)? = item { throw error }
    return item
  }

  /// Writes a commit and the following ones that fit a batch; they are durable when it returns.
  ///
  /// - Throws: The error of the first commit that could not be written; those before it are durable.
  mutating func writeBatch(_ first: PreparedCommit, _ queue: CommitQueue) throws {
    var failure: (any Error)?
    var taken = [first]
    let (writer, position, revision, count) = (writer, position, lastRevision, commitCount)
    // The closure may run again: from the first commit, with the initial state.
    try store.writer.write { session in
      (self.writer, self.position, lastRevision, commitCount) = (writer, position, revision, count)
      failure = nil
      try checkHead(session)
      do {
        try write(&taken, queue, in: session)
      } catch  where session.isOver(after: error) {
        throw error
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// - Parameter taken: The commits to write; commits taken from the queue are appended.
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

  /// Throws if another writer changed the tree, of which this import has its own copy.
  private func checkHead(_ session: WriteSession) throws {
    guard session.head != position else { return }
    throw StoreError(
      .busy, "Another writer wrote to the store during the import: the head is \(session.head) instead of \(position).",
      advice: "Run the import again; it continues after the last commit that is there.")
  }
}
