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
  private let store: OpenStore
  /// The projections that the session writes to.
  private let opened: OpenProjections
  private var journal: JournalWriter
  @exclusivity(unchecked) private var projections: ProjectionsWriter
  /// The commits of this session, kept so that they can be written again after the map has grown.
  private(set) var pending: [PendingCommit] = []
  private let startHead: Position
  /// The last commit that this session found, or has made durable.
  private var committedHead: Position
  /// The large values of the commits of this session, and of the one in progress.
  let largeValues: LargeValueStage
  /// The rebuilt tables, which a restarted session rebuilds again.
  private var rebuilt: [TableName] = []
  /// The error after which the session must not be committed.
  ///
  /// It occurred after a part of a commit was written.
  private var failure: (any Error)?
  /// The place of the stream after the commits with which the session began, and how many these are; `nil` if all
  /// commits are its own.
  private var arrival: (place: StreamPlace, count: Int)?
  /// Where the stream differs from the journal, as this session has found.
  private var fork: StreamFork?
  /// The last commit that the session has published.
  private(set) var publishedPosition: Position?

  /// Begins a session. If the map is too small for catching up or rebuilding, it grows.
  ///
  /// After a killed process, the projections are caught up in a separate session: a read by this thread during the
  /// write sees only committed projections, and could not repair projections that are behind.
  ///
  /// - Parameter limit: How long to wait for other writers; `nil` for as long as they write, or as the caller has time.
  /// - Throws: `LMDBError` of kind `writerBusy` if others write for longer.
  static func begin(_ store: OpenStore, waitingAtMost limit: Duration? = nil) throws -> WriteSession {
    let limit = limit ?? WorkLimit.current?.timeLeft
    // No limit of the caller ends the catching up, which the next session would begin again.
    return try WorkLimit.suspending {
      try store.growing {
        let session = try WriteSession(store, waitingAtMost: limit)
        guard session.projections.didChange else { return session }
        // If the projections cannot be committed, the next session folds the commits again and may succeed.
        _ = try store.commitFolded(session.journal, session.projections)
        return try WriteSession(store, waitingAtMost: limit)
      }
    }
  }

  private init(_ store: OpenStore, waitingAtMost limit: Duration?) throws {
    self.store = store
    opened = store.currentProjections
    largeValues = LargeValueStage(over: LargeValueTable(store.journalEnvironment))
    journal = try JournalWriter(store, changing: opened, waitingAtMost: limit)
    projections = try ProjectionsWriter(
      store, opened, behind: journal, largeValues: largeValues, waitingAtMost: limit)
    startHead = journal.head
    committedHead = startHead
    try projections.beginRuns(behind: journal)
  }

  deinit {
    // The transactions end after this.
    store.models.forget(after: committedHead)
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

  /// Whether an error shows that the projections of the session are damaged, or were replaced.
  package func isDamage(_ error: any Error) -> Bool { store.isDamage(error, of: opened) }

  /// - Throws: The error that ended the session, if there is one.
  func checkUsable() throws {
    if let failure { throw failure }
  }

  /// - Throws: The errors of ``checkUsable()``; `StoreError` with the code `newerFormat` or
  ///   `readOnly` if the store may only be read.
  func checkWritable() throws {
    try checkUsable()
    try store.checkWritable()
    try store.options.newerVersion.checkWritable(format, path: store.path)
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
    let info = info.completed()
    builder.allowance = WorkAllowance(
      store.options.writeEvaluationTimeLimit, isCancelled: builder.isCancelled ?? { false })
    let reasons = try checkBeginning(info)
    let recordedAt = nextRecordingTime
    let result: Result
    let values: [LargeValue]
    let refersToLargeValues: Bool
    do {
      result = try perform(info, recordedAt: recordedAt, body)
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
      return (result, head)
    }
    try install(
      PendingCommit(
        header: header(
          of: writer.bytes, recordedAt: recordedAt, info, reasons, eventCount: writer.count, isModel: false),
        body: writer.bytes, bodyVersion: writer.bodyVersion, refersToLargeValues: refersToLargeValues,
        largeValues: values),
      isFolded: true)
    return (result, head)
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
    builder.allowance = WorkAllowance(
      store.options.writeEvaluationTimeLimit, isCancelled: builder.isCancelled ?? { false })
    defer { dropCommit() }
    do {
      return try perform(info, recordedAt: nextRecordingTime, body)
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Folds the verbs of a commit into the layer, and checks its constraints.
  private func perform<Result>(
    _ info: CommitInfo, recordedAt: Timestamp, _ body: (borrowing Transaction) throws -> Result
  ) throws -> Result {
    let builder = builder
    builder.begin(at: head.next, time: info.happenedAt ?? recordedAt)
    let result = try body(Transaction(builder: builder))
    try builder.checkWhole()
    if builder.writer.count > 0 {
      try builder.checkConstraints()
      try builder.checkRules()
      if let failure = try store.options.validations.failures(of: builder, atMost: 1).first { throw failure }
    }
    return result
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
    let now = store.options.clock()
    if let replica = store.replica { replica.checkClock(now, after: lastRecordedAt, store.options.logger) }
    return max(now, lastRecordedAt)
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

  /// Writes a commit to the two transactions. If the map is full, it grows and the session restarts.
  func install(_ commit: PendingCommit, isFolded: Bool) throws {
    // A limit of the caller must not end the session half way, with the commits of others.
    try WorkLimit.suspending { try installUnlimited(commit, isFolded: isFolded) }
  }

  private func installUnlimited(_ commit: PendingCommit, isFolded: Bool) throws {
    do {
      try PendingCommit.check(size: commit.sizeInBytes)
    } catch {
      dropCommit()
      throw error
    }
    pending.append(commit)
    do {
      do {
        try write(commit, isFolded: isFolded)
      } catch let error as LMDBError where error.isMapFull {
        try growAndBeginAgain(after: error)
      }
    } catch {
      let error = StoreError.translating(error)
      giveUp(after: error)
      throw error
    }
  }

  /// Discards everything that the session wrote.
  ///
  /// Its other commits must not be kept without this one, nor with a part of this one.
  private func giveUp(after error: any Error) {
    failure = error
    abort()
  }

  /// The commits of this session that did not come from the stream.
  private var own: ArraySlice<PendingCommit> { pending.dropFirst(arrival?.count ?? 0) }

  /// Whether the commits of this session fill a message of the replicated journal.
  ///
  /// Without such a journal they never do.
  package var fillsMessage: Bool {
    guard let replica = store.replica else { return false }
    return own.reduce(0) { $0 + $1.sizeInBytes } >= replica.messageSizeInBytes
  }

  /// Records that the commits so far come from messages of the stream, up to a place.
  func move(to place: StreamPlace) { arrival = (place, pending.count) }

  /// Records where the stream differs from the journal.
  func noteFork(_ fork: StreamFork) { self.fork = fork }

  private func abort() {
    projections.abort()
    journal.abort()
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
    try projections.applyToRuns(commit)
  }

  /// Rebuilds projections from the journal. They take effect when the session finishes.
  ///
  /// - Throws: The errors of ``Rebuilder``; the session must then be released.
  package func rebuild(_ names: [TableName], progress: ((Progress) -> Void)? = nil) throws {
    rebuilt = names
    do {
      try WorkLimit.suspending { try projections.rebuild(names, from: journal, progress: progress) }
    } catch let error as LMDBError where error.isMapFull {
      try growAndBeginAgain(after: error)
    }
  }

  /// Commits both environments, the journal first.
  ///
  /// When it returns, the commits are as durable as the store's options require.
  ///
  /// - Returns: The error that prevented the projections from being committed, or `nil`. After such an error they are
  ///   behind the journal.
  @discardableResult
  func finish() throws -> LMDBError? {
    try WorkLimit.suspending { try finishUnlimited() }
  }

  private func finishUnlimited() throws -> LMDBError? {
    try checkUsable()
    let publication = try makePublication()
    do {
      return try finish(publishing: publication)
    } catch let error where publication?.isAcknowledged == true {
      throw unknownOutcome(of: publication, after: error)
    }
  }

  /// Prepares the publication of the session's own commits; `nil` if there is nothing to publish.
  ///
  /// - Throws: ``PublicationRefused`` if the node must catch up with the stream first; `StoreError` for a fork.
  private func makePublication() throws -> Publication? {
    let own = own
    guard let replica = store.replica, !own.isEmpty else { return nil }
    if let fork = try journalReader.streamFork() { throw fork.error }
    return try replica.publication(of: Array(own), at: try arrival?.place ?? journalReader.streamPlace())
  }

  /// The error of a session whose commits are in the stream, and could not be stored here.
  private func unknownOutcome(of publication: Publication?, after error: any Error) -> StoreError {
    let reason = (StoreError.translating(error) as? StoreError)?.message ?? "\(error)"
    return StoreError(
      .unknownOutcome,
      "Commit \(publication.map { "\($0.end.position)" } ?? "")\(publication?.commitID.map { " with the id \($0)" } ?? "") is in the stream, and could not be stored here: \(reason)",
      advice: "The node takes it from the stream when it can write again. Retry with the same commit id.")
  }

  /// Writes what belongs to the commits in the stream: the place after them, once the stream has them.
  ///
  /// The row is written before the publication, so that after it only the end of the transaction can fail.
  private func publish(_ publication: Publication?) throws {
    let unsent = publication.flatMap { $0.isAcknowledged ? nil : $0 }
    if let unsent { store.replica?.endRenewal(before: unsent) }
    if let fork { try journal.note(fork) }
    if let place = publication?.end ?? arrival?.place { try journal.note(place) }
    if let unsent { try store.replica?.publish(unsent) }
  }

  private func finish(publishing publication: Publication?) throws -> LMDBError? {
    let (observer, clock) = (store.observer, ContinuousClock())
    var (fold, flush) = (Duration.zero, Duration.zero)
    while true {
      do {
        fold += try clock.measure { try projections.finishRows(journal, pending) }
        try publish(publication)
        let preparation = observer?.prepareChanges(by: pending, in: reader)
        store.options.probe?(.beforeJournalCommit)
        let end = try store.commit(journal, projections) { preparation?.confirm(in: $0) }
        (fold, flush) = (fold + end.fold, flush + end.flush)
        committedHead = pending.last?.header.position ?? startHead
        if let publication {
          publishedPosition = publication.end.position
          store.replica?.note(publication.end, tip: publication.end.sequence)
        }
        store.metrics.note(pending.lazy.map(\.header), fold: fold, flush: flush)
        if projections.didChange { observer?.noteCommits(pending) }
        // The store has them now.
        largeValues.removeAll()
        projections.performEffects()
        return end.failure
      } catch let error as LMDBError where error.isMapFull {
        try growAndBeginAgain(after: error)
      }
    }
  }

  /// Grows the full map as often as needed, and writes the session's commits again.
  ///
  /// - Throws: `StoreError` with the code `busy` if another process wrote in between: the commits were checked against
  ///   a state that is not the last one.
  private func growAndBeginAgain(after error: LMDBError) throws {
    var full = error
    while true {
      abort()
      try store.growMap(after: full)
      do {
        return try beginAgain()
      } catch let error as LMDBError where error.isMapFull {
        full = error
      }
    }
  }

  private func beginAgain() throws {
    journal = try JournalWriter(store, changing: opened, waitingAtMost: nil)
    guard head == startHead else {
      throw StoreError(
        .busy, "Another process wrote to the store while its map grew. Nothing was written.", advice: "Try again.")
    }
    projections = try ProjectionsWriter(
      store, opened, behind: journal, largeValues: largeValues, waitingAtMost: nil)
    if !rebuilt.isEmpty { try projections.rebuild(rebuilt, from: journal, progress: nil) }
    try projections.beginRuns(behind: journal)
    for commit in pending { try write(commit, isFolded: false) }
  }
}
