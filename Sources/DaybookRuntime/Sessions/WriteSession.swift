import DaybookEngine
import DaybookModel
import LMDB
import WorkLimits

/// A pair of LMDB write transactions, with the commits written in them.
///
/// The session follows the write protocol: (a) it catches up if the projections are behind the journal, (b) folds each
/// commit into a layer and checks its constraints, (c) flushes the layer in key order, (d) commits the journal, which
/// makes the commits durable, and (e) commits the projections with their checkpoint. After a crash between (d) and (e),
/// the next session repairs the projections in (a).
///
/// A session belongs to the thread that made it. If it is released before ``finish()``, nothing is written.
package final class WriteSession {
  private let keeper: ProjectionKeeper
  /// The projections that the session writes to.
  private let opened: OpenProjections
  private var journal: JournalWriter
  @exclusivity(unchecked) private var projections: ProjectionsWriter
  /// What takes part in the session.
  private let hooks: [any SessionHook]
  /// The commits of this session.
  private(set) var commits: [PendingCommit] = []
  /// The number of commits with which the session began, before its own.
  private var firstOwnCommit = 0
  /// The last commit that this session found, or has made durable.
  private var committedHead: Position
  /// The large values of the commits of this session, and of the one in progress.
  let largeValues: LargeValueStage
  /// Whether the session fails if its projections cannot be committed.
  private var needsProjections = false
  /// The error after which the session must not be committed.
  ///
  /// It occurred after a part of a commit was written.
  private(set) var failure: (any Error)?

  /// Begins a session.
  ///
  /// After a killed process, the projections are caught up in a separate session: a read by this thread during the
  /// write sees only committed projections, and could not repair projections that are behind.
  ///
  /// - Parameters:
  ///   - hooks: What takes part in the session.
  ///   - limit: How long to wait for other writers; `nil` for as long as they write, or as the caller has time.
  /// - Throws: `LMDBError`: of kind `writerBusy` if others write for longer, `mapFull` if the map is too small for the
  ///   commits that the projections lack.
  static func begin(
    _ keeper: ProjectionKeeper, _ hooks: [any SessionHook] = [], waitingAtMost limit: Duration? = nil
  ) throws -> WriteSession {
    let limit = limit ?? WorkLimit.current?.timeLeft
    // No limit of the caller ends the catching up, which the next session would begin again.
    return try WorkLimit.suspending {
      let session = try WriteSession(keeper, hooks, waitingAtMost: limit)
      guard session.projections.didChange else { return session }
      // If the projections cannot be committed, the next session folds the commits again and may succeed.
      _ = try keeper.commit(session.journal, session.projections)
      return try WriteSession(keeper, hooks, waitingAtMost: limit)
    }
  }

  private init(_ keeper: ProjectionKeeper, _ hooks: [any SessionHook], waitingAtMost limit: Duration?) throws {
    self.keeper = keeper
    self.hooks = hooks
    opened = keeper.currentProjections
    largeValues = LargeValueStage(over: LargeValueTable(keeper.files.journalEnvironment))
    journal = try JournalWriter(keeper, changing: opened, waitingAtMost: limit)
    projections = try ProjectionsWriter(
      keeper, opened, behind: journal, largeValues: largeValues, waitingAtMost: limit)
    committedHead = journal.head
    try projections.beginRuns(behind: journal)
  }

  deinit {
    // The transactions end after this.
    keeper.models.forget(after: committedHead)
  }

  package var model: ResolvedModel { projections.catalog.model }
  package var dependents: Dependents { projections.catalog.dependents }
  /// The commit of the present model.
  var modelPosition: Position { projections.state.modelPosition }
  package var reader: Reader { projections.reader }
  package var journalReader: LMDBJournal { journal.reader }
  /// The commit in progress.
  package var builder: CommitBuilder { projections.builder }
  /// The position of the last commit, including the commits of this session.
  package var head: Position { journal.head }
  var headHash: Digest { journal.headHash }
  var lastRecordedAt: Timestamp { journal.lastRecordedAt }
  /// The format that a reader must know to read all of the store.
  package var format: StoreFormat { journal.format }

  /// Whether an error ends the session: it occurred while a commit was written, or shows that the projections of the
  /// session are damaged or were replaced, or that tables must be opened before it.
  package func isOver(after error: any Error) -> Bool { failure != nil || keeper.isDamage(error, of: opened) }

  /// - Throws: The error that ended the session, if there is one.
  func checkUsable() throws {
    if let failure { throw failure }
  }

  /// - Throws: The errors of ``checkUsable()``; `StoreError` with the code `newerFormat` or
  ///   `readOnly` if the store may only be read.
  func checkWritable() throws {
    try checkUsable()
    try keeper.files.checkWritable()
    try keeper.files.options.newerVersion.checkWritable(format, path: keeper.files.path)
  }

  /// Makes one commit of the verbs in `body`.
  ///
  /// If `body` throws, or a constraint fails, the layer is dropped and the session is unchanged.
  ///
  /// - Parameter mayBeEmpty: Whether a commit without events is written too, as only an undo or a redo may.
  /// - Returns: The result of `body`, and the position of the new commit, or the head if nothing changed.
  package func commit<Result>(
    _ info: CommitInfo, mayBeEmpty: Bool = false, _ body: (borrowing Transaction) throws -> Result
  ) throws -> (result: Result, position: Position) {
    var result: Result?
    let position = try makeCommit(info, mayBeEmpty: mayBeEmpty) { result = try body($0) }
    guard let result else { preconditionFailure("A commit that succeeds has called its closure.") }
    return (result, position)
  }

  /// Makes one commit; it is the same code for the results of all closures.
  ///
  /// - Returns: The position of the new commit, or the head if nothing changed.
  private func makeCommit(
    _ info: CommitInfo, mayBeEmpty: Bool, _ body: (borrowing Transaction) throws -> Void
  ) throws -> Position {
    let info = info.completed()
    prepareBuilder()
    let reasons = try endingWithoutTables { try checkBeginning(info) }
    let recordedAt = nextRecordingTime
    let values: [LargeValue]
    let refersToLargeValues: Bool
    do {
      try perform(info, recordedAt: recordedAt, body)
      let writer = builder.writer
      refersToLargeValues = largeValues.hasReferences
      values = try largeValues.finishCommit(
        EventReader(writer.bytes.rawSpan, position: writer.position, time: writer.time))
      // The closure may have caught a damage error, and written events derived from damaged rows.
      try reader.checkUndamaged()
    } catch {
      dropCommit()
      throw StoreError.translating(error)
    }
    let writer = builder.writer
    guard writer.count > 0 || mayBeEmpty else {
      dropCommit()
      return head
    }
    try install(
      PendingCommit(
        header: header(
          of: writer.bytes, recordedAt: recordedAt, info, reasons, eventCount: writer.count, isModel: false),
        body: writer.bytes, bodyVersion: writer.bodyVersion, refersToLargeValues: refersToLargeValues,
        largeValues: values),
      isFolded: true)
    return head
  }

  /// Runs a commit's verbs, checks its constraints, and discards the changes.
  ///
  /// - Returns: The result of `body`.
  /// - Throws: The errors that the commit would throw.
  @discardableResult
  package func rehearse<Result>(
    _ info: CommitInfo, _ body: (borrowing Transaction) throws -> Result
  ) throws -> Result {
    try checkUsable()
    prepareBuilder()
    defer { dropCommit() }
    do {
      var result: Result?
      try perform(info, recordedAt: nextRecordingTime) { result = try body($0) }
      guard let result else { preconditionFailure("A commit that succeeds has called its closure.") }
      return result
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Runs a closure, and ends the session if that reads tables which must be opened first: it runs again then, also where its
  /// caller catches the error.
  private func endingWithoutTables<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let missing as UnopenedTables {
      giveUp(after: missing)
      throw missing
    }
  }

  private func prepareBuilder() {
    builder.derived = keeper
    builder.allowance = WorkAllowance(
      keeper.files.options.writeEvaluationTimeLimit, isCancelled: builder.isCancelled ?? { false })
  }

  /// Folds the verbs of a commit into the layer, and checks its constraints.
  private func perform(
    _ info: CommitInfo, recordedAt: Timestamp, _ body: (borrowing Transaction) throws -> Void
  ) throws {
    let builder = builder
    builder.begin(at: head.next, time: info.happenedAt ?? recordedAt)
    try endingWithoutTables {
      try body(Transaction(builder: builder))
      try builder.checkWhole()
      guard builder.writer.count > 0 else { return }
      try builder.checkConstraints()
      try builder.checkRules()
      if let failure = try keeper.files.options.validations.failures(of: builder, atMost: 1).first { throw failure }
    }
  }

  /// Makes a commit that contains a model.
  package func commit(model: ResolvedModel, _ info: CommitInfo) throws -> Position {
    guard !self.model.hasLaterParts else {
      throw StoreError(
        .newerFormat, "The model has parts that only a later version of Daybook knows, which would be lost.",
        advice: "Update Daybook to change it.")
    }
    let info = info.completed()
    let reasons = try checkBeginning(info)
    var body: [UInt8] = []
    model.storedJSON.write(to: &body)
    try install(
      PendingCommit(
        header: header(of: body, recordedAt: nextRecordingTime, info, reasons, eventCount: 0, isModel: true),
        body: body, bodyVersion: model.neededVersion),
      isFolded: false)
    return head
  }

  /// The time at which a commit that is made now is recorded; no commit is recorded before the one before it.
  private var nextRecordingTime: Timestamp {
    max(keeper.files.options.clock(), lastRecordedAt)
  }

  private func header(
    of body: [UInt8], recordedAt: Timestamp, _ info: CommitInfo, _ reasons: CommitReasons, eventCount: Int,
    isModel: Bool
  ) -> CommitHeader {
    CommitHeader(
      position: head.next, previousHash: headHash, bodyDigest: Digest(hashing: body.rawSpan),
      recordedAt: recordedAt, happenedAt: info.happenedAt, commitID: info.commitID, author: info.author,
      message: info.message, eventCount: eventCount, bodySize: body.count, isModel: isModel, reasons: reasons)
  }

  /// Checks what must hold before a commit begins: its limits, its id, its cause, and its append condition.
  ///
  /// - Returns: Why the commit is written, in stored form.
  /// - Throws: `StoreError`: `conditionFailed`; `exists` for a commit id in the journal, which callers must look up
  ///   before; `notFound` for a cause that is not in the journal; the errors of ``checkWritable()``.
  private func checkBeginning(_ info: CommitInfo) throws -> CommitReasons {
    try checkWritable()
    try info.checkLimits()
    let reasons = try info.reasons()
    do {
      if let causation = info.causation { try check(causation) }
      if let id = info.commitID, let position = try journalReader.position(ofCommitID: id) {
        throw StoreError(.exists, "Commit \(position) has the id \(id) already.", advice: "Take another id.")
      }
      if let condition = info.condition { try builder.allowance.spend { try check(condition) } }
    } catch {
      throw StoreError.translating(error)
    }
    return reasons
  }

  /// Drops the changes of the commit in progress.
  package func dropCommit() {
    projections.dropCommit()
  }

  /// Writes a commit to the two transactions.
  ///
  /// - Throws: `StoreError` with the code `tooLarge`, which leaves the session as it was; any other error ends it.
  func install(_ commit: PendingCommit, isFolded: Bool) throws {
    do {
      try PendingCommit.check(size: commit.sizeInBytes)
    } catch {
      dropCommit()
      throw error
    }
    do {
      // A limit of the caller must not end the session half way, with the commits of others.
      try WorkLimit.suspending { try write(commit, isFolded: isFolded) }
    } catch {
      let error = error.isMapFull ? error : StoreError.translating(error)
      giveUp(after: error)
      throw error
    }
    commits.append(commit)
  }

  /// Discards everything that the session wrote.
  ///
  /// Its other commits must not be kept without this one, nor with a part of this one.
  private func giveUp(after error: any Error) {
    failure = error
    projections.abort()
    journal.abort()
  }

  /// Ends the commits with which the session begins: those that follow are its own.
  func beginOwnCommits() { firstOwnCommit = commits.count }

  /// The commits that the write itself has made.
  var ownCommits: ArraySlice<PendingCommit> { commits[firstOwnCommit...] }

  /// Whether the commits are as many as should be flushed together.
  package var isFilled: Bool { hooks.contains { $0.isFilled(by: self) } }

  /// Writes a row of the journal's table of single values, together with the commits; see ``JournalWriter``.
  func putMeta(_ key: [UInt8], _ value: [UInt8], isDurable: Bool = false) throws {
    try journal.putMeta(key, value, isDurable: isDurable)
  }

  private func write(_ commit: PendingCommit, isFolded: Bool) throws {
    try journal.append(commit)
    if isFolded {
      try projections.keep(commit)
    } else if let violation = try projections.fold(
      commit.header, body: commit.body.rawSpan, hash: commit.hash
    ).first {
      throw StoreError(violation, in: model)
    }
    try projections.applyToRuns(commit, in: journal)
  }

  /// Returns what the last commit changed in a scope; see ``ProjectionsWriter/changes(by:in:)``.
  func changes(by commit: PendingCommit, in scope: RequestScope) throws -> CommitChanges? {
    try projections.changes(by: commit, in: scope)
  }

  /// Rebuilds projections from the journal. They take effect when the session finishes, which fails without them.
  ///
  /// - Throws: The errors of ``Rebuilder``; the session must then be released.
  package func rebuild(_ names: [TableName], progress: ((StoreProgress) -> Void)? = nil) throws {
    needsProjections = true
    try WorkLimit.suspending { try projections.rebuild(names, from: journal, progress: progress) }
  }

  /// Commits both environments, the journal first.
  ///
  /// When it returns, the commits are as durable as the store's options require.
  ///
  /// - Returns: The error that prevented the projections from being committed, or `nil`. After such an error they are
  ///   behind the journal.
  @discardableResult
  func finish() throws -> LMDBError? {
    try checkUsable()
    let outcome = try WorkLimit.suspending {
      try keeper.commit(journal, projections, of: commits) {
        for hook in hooks { try hook.willCommit(self) }
      } didFlush: { transaction in
        committedHead = head
        for hook in hooks { hook.didFlush(self, in: transaction) }
      } didCommit: { outcome in
        keeper.files.metrics.note(commits.lazy.map(\.header), fold: outcome.fold, flush: outcome.flush)
        for hook in hooks { hook.didCommit(self) }
        // The store has them now.
        largeValues.removeAll()
      }
    }
    if needsProjections, let failure = outcome.failure { throw failure }
    return outcome.failure
  }
}

private extension Error {
  var isMapFull: Bool { (self as? LMDBError)?.isMapFull ?? false }
}
