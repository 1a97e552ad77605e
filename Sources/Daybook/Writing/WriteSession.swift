import DaybookEngine
import DaybookModel
import LMDB

/// A pair of LMDB write transactions, with the commits written in them.
///
/// The session follows the write protocol: (a) it catches up if the projections are behind the journal, (b) folds each
/// commit and checks its constraints, (c) flushes the layer in key order, (d) commits the journal, which makes the
/// commits durable, and (e) commits the projections with their checkpoint. After a crash between (d) and (e), the next
/// session repairs the projections in (a).
///
/// A session belongs to the thread that made it. If it is released before ``finish()``, nothing is written.
package final class WriteSession {
  let store: Store
  /// The projections that the session writes to.
  private let opened: OpenProjections
  private var journal: WriteTransaction?
  private var projections: WriteTransaction?
  package private(set) var journalReader: LMDBJournal
  @exclusivity(unchecked) private(set) var catalog: Catalog
  private(set) var state: BuiltInTablesState
  private let layer = Layer()
  /// The commit in progress.
  package private(set) var builder: CommitBuilder
  /// The position of the last commit, including the commits of this session.
  package private(set) var head: Position
  /// The hash of the last commit.
  ///
  /// It is from the journal, as the hash chain must not depend on the projections.
  private(set) var headHash = Digest.zero
  private(set) var lastRecordedAt: Timestamp
  /// The commits of this session, kept so that they can be written again after the map has grown.
  private var pending: [PendingCommit] = []
  private var startHead: Position
  /// The format that a reader must know to read all of the store.
  package let format: StoreFormat
  /// The inline projections that are up to date, each with its place in the transaction.
  private var runs: [ProjectionRun] = []
  private var didChangeProjections = false
  private var didChangeJournal = false
  /// Whether the journal's commit must be on the disk before the projections change or effects run, even with relaxed
  /// durability.
  private var mustBeDurable = false
  /// The rebuilt tables, which a restarted session rebuilds again.
  private var rebuilt: [TableName] = []
  /// The error after which the session must not be committed.
  ///
  /// It occurred after a part of a commit was written.
  private var failure: (any Error)?

  /// Begins a session. If the map is too small for catching up or rebuilding, it grows.
  ///
  /// After a killed process, the projections are caught up in a separate session: a read by this thread during the
  /// write sees only committed projections, and could not repair projections that are behind.
  static func begin(_ store: Store) throws -> WriteSession {
    while true {
      do {
        let session = try WriteSession(store)
        guard session.didChangeProjections else { return session }
        // If the projections cannot be committed, the next session catches up again and may succeed.
        try session.finish()
        return try WriteSession(store)
      } catch let error as LMDBError where error.isMapFull {
        try store.growMap(after: error)
      }
    }
  }

  package var model: ResolvedModel { catalog.model }

  package var reader: Reader { builder.reader }

  /// - Throws: The error that ended the session, if there is one.
  func checkUsable() throws {
    if let failure { throw failure }
  }

  /// - Throws: The errors of ``checkUsable()``; `StoreError` with the code `newerFormat` or
  ///   `readOnly` if the store may only be read.
  func checkWritable() throws {
    try checkUsable()
    try store.checkWritable()
    try format.checkWritable(store.options.newerVersion, path: store.path)
  }

  /// Begins the two transactions and catches up.
  private init(_ store: Store) throws {
    self.store = store
    opened = store.currentProjections
    var journal = try store.journalEnvironment.beginWrite()
    try store.checkCurrent(opened, in: journal.snapshot)
    var projections = try opened.environment.beginWrite()
    journalReader = LMDBJournal(snapshot: journal.snapshot, tables: store.journalTables)
    // Another process may have raised the format since the store was opened.
    format = try journalReader.format() ?? .known
    try format.check(store.options.newerVersion, path: store.path)
    head = try journalReader.head()
    startHead = head
    (headHash, lastRecordedAt) = try WriteSession.end(of: journalReader, head)
    let prepared = try Preparation.prepare(
      store, opened, journal: journalReader, head: head, headHash: headHash, projections: &projections)
    catalog = prepared.catalog
    state = prepared.state
    didChangeProjections = prepared.didChange
    mustBeDurable = try store.markInUse(opened, in: &journal)
    didChangeJournal = mustBeDurable
    builder = CommitBuilder(over: projections.snapshot, catalog, layer: layer, makeID: store.options.makeID)
    self.journal = consume journal
    self.projections = consume projections
    try catchUp()
    try beginRuns()
  }

  /// Returns the hash of the last commit, and the time at which it was recorded.
  private static func end(of journal: LMDBJournal, _ head: Position) throws -> (Digest, Timestamp) {
    guard head > .empty else { return (.zero, Timestamp(microseconds: .min)) }
    let last = try journal.header(at: head)
    return (last.hash, last.header.recordedAt)
  }

  /// The memory that catching up uses before it flushes: any process that opens or reads a store may have to catch up.
  private static let catchUpMemoryInBytes = 16 << 20

  /// Folds the commits that are missing in the projections.
  private func catchUp() throws {
    guard state.checkpoint.position < head else { return }
    store.options.logger?.info(
      "catching up", metadata: ["from": "\(state.checkpoint.position)", "to": "\(head)", "store": "\(store.path)"])
    while state.checkpoint.position < head {
      // Commits in the journal are never refused: a verification reports the model rules that they break.
      _ = try builder.fold.move(
        from: state.checkpoint.position, to: head, in: journalReader, damagedPath: opened.environment.path
      ) { commit in
        noteCheckpoint(commit.header.position, commit.hash)
        if layer.sizeInBytes > WriteSession.catchUpMemoryInBytes { try flushLayer() }
      }
      try flushLayer()
      if state.checkpoint.position < head {
        try journalReader.withCommit(at: state.checkpoint.position.next) { commit in
          _ = try project(commit.header, body: commit.body, hash: commit.hash)
        }
      }
    }
  }

  /// Makes one commit of the verbs in `body`.
  ///
  /// If `body` throws, or a constraint fails, the layer is dropped and the session is unchanged.
  ///
  /// - Returns: The result of `body`, and the position of the new commit, or the head if nothing changed.
  package func commit<Result>(
    _ info: CommitInfo, _ body: (borrowing Transaction) throws -> Result
  ) throws -> (result: Result, position: Position) {
    try checkWritable()
    try info.checkLimits()
    try check(info)
    let recordedAt = max(store.options.clock(), lastRecordedAt)
    builder.begin(at: head.next, time: info.happenedAt ?? recordedAt)
    let result: Result
    do {
      result = try body(Transaction(builder: builder))
      try builder.checkWhole()
      if builder.writer.count > 0 { try builder.checkConstraints() }
      // The closure may have caught a damage error, and written events derived from damaged rows.
      try reader.checkUndamaged()
    } catch {
      layer.removeAll()
      throw StoreError.translating(error)
    }
    let writer = builder.writer
    guard writer.count > 0 else {
      layer.removeAll()
      return (result, head)
    }
    let header = CommitHeader(
      position: head.next, previousHash: headHash, bodyDigest: Digest(hashing: writer.bytes.span.bytes),
      recordedAt: recordedAt, happenedAt: info.happenedAt, commitID: info.commitID, author: info.author,
      message: info.message, eventCount: writer.count, bodySize: writer.bytes.count, isModel: false)
    try install(PendingCommit(header: header, body: writer.bytes), isFolded: true)
    return (result, head)
  }

  /// Checks the commit id and the append condition of a new commit.
  ///
  /// - Throws: `StoreError`: `conditionFailed`; `exists` for a commit id in the journal, which callers must look up
  ///   before.
  private func check(_ info: CommitInfo) throws {
    do {
      if let id = info.commitID, let position = try journalReader.position(ofCommitID: id) {
        throw StoreError(.exists, "Commit \(position) has the id \(id) already.", advice: "Take another id.")
      }
      if let condition = info.condition { try check(condition) }
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Runs a commit's verbs, checks its constraints, and discards the changes.
  ///
  /// - Throws: The errors that the commit would throw.
  package func rehearse(_ info: CommitInfo, _ body: (borrowing Transaction) throws -> Void) throws {
    try checkUsable()
    builder.begin(at: head.next, time: info.happenedAt ?? max(store.options.clock(), lastRecordedAt))
    defer { layer.removeAll() }
    do {
      try body(Transaction(builder: builder))
      try builder.checkWhole()
      if builder.writer.count > 0 { try builder.checkConstraints() }
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// Makes a commit that contains a model.
  func commit(model: ResolvedModel, _ info: CommitInfo) throws -> Position {
    guard !self.model.hasLaterParts else {
      throw StoreError(
        .newerFormat, "The model has parts that only a later version of Daybook knows, which would be lost.",
        advice: "Update Daybook to change it.")
    }
    try checkWritable()
    try info.checkLimits()
    try check(info)
    var body: [UInt8] = []
    model.storedJSON.write(to: &body)
    let header = CommitHeader(
      position: head.next, previousHash: headHash, bodyDigest: Digest(hashing: body.span.bytes),
      recordedAt: max(store.options.clock(), lastRecordedAt), happenedAt: info.happenedAt, commitID: info.commitID,
      author: info.author, message: info.message, eventCount: 0, bodySize: body.count, isModel: true)
    try install(PendingCommit(header: header, body: body), isFolded: false)
    return head
  }

  /// Drops the changes of the commit in progress.
  package func dropLayer() {
    layer.removeAll()
  }

  /// Writes a commit to the two transactions. If the map is full, it grows and the session restarts.
  func install(_ commit: PendingCommit, isFolded: Bool) throws {
    do {
      try CommitLimits.check(size: commit.sizeInBytes)
    } catch {
      layer.removeAll()
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
    layer.removeAll()
    journal = nil
    projections = nil
  }

  private func write(_ commit: PendingCommit, isFolded: Bool) throws {
    try journal?.append(commit, to: store.journalTables)
    didChangeJournal = true
    if commit.header.isModel { try noteModel(at: commit.header.position) }
    head = commit.header.position
    headHash = commit.hash
    lastRecordedAt = commit.header.recordedAt
    if isFolded {
      try flushLayer()
      noteCheckpoint(commit.header.position, commit.hash)
    } else if let violation = try project(commit.header, body: commit.body.span.bytes, hash: commit.hash).first {
      throw StoreError(violation, in: model)
    }
    for run in runs { try take(commit, in: run) }
  }

  private func take(_ commit: PendingCommit, in run: ProjectionRun) throws {
    try run.apply(commit.header, body: commit.body.span.bytes, hash: commit.hash)
    if run.rows.sizeInBytes > ProjectionStep.maximumSizeInBytes { try flushRows(of: run) }
  }

  private func flushRows(of run: ProjectionRun) throws {
    guard var projections = projections.take() else { preconditionFailure("A session that is over was used.") }
    // If the flush fails, the transaction can only be aborted.
    try run.rows.flush(in: &projections)
    self.projections = consume projections
  }

  /// Starts the inline projections that this process has registered.
  private func beginRuns() throws {
    runs = []
    guard store.options.projections.contains(where: { $0.mode == .inline }) else { return }
    guard var projections = projections.take() else { preconditionFailure("A session that is over was used.") }
    runs = try store.inlineRuns(of: opened, in: &projections, journal: journalReader, head: head)
    self.projections = consume projections
    if runs.contains(where: \.didChange) { didChangeProjections = true }
  }

  private func noteModel(at position: Position) throws {
    var positions = try journalReader.meta(JournalMeta.models) ?? []
    positions.appendFixed(position.number)
    try journal?.putMeta(JournalMeta.models, positions, in: store.journalTables)
  }

  /// Folds a commit into the projections.
  ///
  /// - Returns: The model rules that the resulting state breaks.
  private func project(_ header: CommitHeader, body: RawSpan, hash: Digest) throws -> [Fold.Violation] {
    let violations: [Fold.Violation]
    if header.isModel {
      violations = try change(to: ResolvedModel(body: body, at: header.position), at: header.position)
    } else {
      // Rebuilt projections will show whether the journal is at fault.
      violations = try builder.fold.fold(header, events: body, .forward, damagedPath: opened.environment.path)
      try flushLayer()
    }
    noteCheckpoint(header.position, hash)
    return violations
  }

  private func flushLayer() throws {
    for table in TableName.allCases where !layer[table].isEmpty {
      try projections?.flush(layer[table], into: catalog.tables[table])
    }
    layer.removeAll()
  }

  private func noteCheckpoint(_ position: Position, _ hash: Digest) {
    state.checkpoint.move(to: position, hash: hash)
    if builder.fold.hasLeftOut { state.checkpoint.noteOmittedEvent() }
    didChangeProjections = true
  }

  /// Adapts the projections to another model: drops unneeded rows and builds new ones.
  ///
  /// - Returns: The model rules that the state breaks.
  private func change(to model: ResolvedModel, at position: Position) throws -> [Fold.Violation] {
    let old = catalog.model
    let catalog = Catalog(
      modelPosition: position, model: model, generations: state.generations, tables: catalog.tables)
    self.catalog = catalog
    state.modelPosition = position
    makeBuilder()
    var builder = IndexBuilder(uses: catalog.uses, memoryLimit: store.options.rebuildMemoryInBytes)
    try builder.drop(
      IndexBuilder.Task(from: model, to: old), of: old, reader: reader, layer: layer, flush: { try flushLayer() })
    let violations = try builder.build(
      IndexBuilder.Task(from: old, to: model), reader: reader, layer: layer, flush: { try flushLayer() })
    didChangeProjections = true
    return violations
  }

  /// Rebuilds projections from the journal; see ``Rebuilder``. They take effect when the session finishes.
  ///
  /// - Throws: The errors of the rebuilder; the session must then be released.
  package func rebuild(_ names: [TableName], progress: ((Progress) -> Void)? = nil) throws {
    do {
      try rebuildOnce(names, progress)
    } catch let error as LMDBError where error.isMapFull {
      rebuilt = names
      try growAndBeginAgain(after: error)
    }
  }

  private func rebuildOnce(_ names: [TableName], _ progress: ((Progress) -> Void)?) throws {
    guard var projections = projections.take() else { preconditionFailure("A session that is over was used.") }
    var rebuilder = Rebuilder(store: store, opened: opened, journal: journalReader, head: head, progress: progress)
    (catalog, state) = try rebuilder.rebuild(names, in: &projections)
    self.projections = consume projections
    didChangeProjections = true
    rebuilt = names
    makeBuilder()
  }

  private func makeBuilder() {
    builder = CommitBuilder(over: reader.snapshot, catalog, layer: layer, makeID: store.options.makeID)
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
    var isDone = false
    while !isDone {
      do {
        try commitJournal()
        isDone = true
      } catch let error as LMDBError where error.isMapFull {
        try growAndBeginAgain(after: error)
      }
    }
    let isKept = didChangeProjections
    let failure = commitProjections()
    if isKept {
      // Tables opened in an aborted transaction are closed with it, so the catalog is kept only after a commit.
      if failure == nil { opened.remember(catalog) }
      store.notifier.noteCommit()
      store.snapshotScheduler.note(events: pending.reduce(0) { $0 + $1.header.eventCount }, of: store)
    }
    for run in runs { run.performEffects() }
    return failure
  }

  private func commitJournal() throws {
    if didChangeProjections {
      try projections?.put(
        BuiltInTablesState.key, state.bytes, in: opened.stateTable)
      try finishRuns()
    }
    store.options.probe?(.beforeJournalCommit)
    if didChangeJournal {
      do {
        try journal.take()?.commit(isDurable: mustBeDurable)
      } catch  where error.isMapFull {
        throw error
      } catch {
        throw store.noteFailure(error)
      }
    } else {
      journal = nil
    }
  }

  /// Writes the rows of inline projections, and records that their effects have begun.
  ///
  /// The record is written to the journal, together with the commits that cause the effects.
  private func finishRuns() throws {
    for run in runs where run.didChange {
      try flushRows(of: run)
      let name = run.projection.name
      var record = try opened.record(of: name, in: reader.snapshot)
      record.live = run.instance
      try projections?.put(ProjectionRecord.key(of: name), record.bytes, in: opened.stateTable)
      guard let position = run.effectsThrough else { continue }
      var ledger = try journalReader.presentLedger(of: name)
      ledger.effectsThrough = max(ledger.effectsThrough, position)
      try journal?.put(ledger, of: name, in: store.journalTables)
      (didChangeJournal, mustBeDurable) = (true, true)
    }
  }

  /// Commits the projections.
  ///
  /// The commits are in the journal at this point, so a failure does not concern the writer: the next read finds the
  /// projections behind and repairs them.
  ///
  /// - Returns: The failure, or `nil` if there was none.
  private func commitProjections() -> LMDBError? {
    guard didChangeProjections else {
      projections = nil
      return nil
    }
    store.options.probe?(.betweenCommits)
    do {
      try projections.take()?.commit()
    } catch {
      store.options.logger?.warning("projections fell behind", metadata: ["error": "\(error)"])
      _ = store.noteFailure(error)
      return error
    }
    store.options.probe?(.afterProjectionsCommit)
    return nil
  }

  /// Grows the full map as often as needed, and writes the session's commits again.
  ///
  /// - Throws: `StoreError` with the code `busy` if another process wrote in between: the commits were checked against
  ///   a state that is not the last one.
  private func growAndBeginAgain(after error: LMDBError) throws {
    var full = error
    while true {
      layer.removeAll()
      journal = nil
      projections = nil
      try store.growMap(after: full)
      do {
        return try beginAgain()
      } catch let error as LMDBError where error.isMapFull {
        full = error
      }
    }
  }

  private func beginAgain() throws {
    var journal = try store.journalEnvironment.beginWrite()
    try store.checkCurrent(opened, in: journal.snapshot)
    var projections = try opened.environment.beginWrite()
    journalReader = LMDBJournal(snapshot: journal.snapshot, tables: store.journalTables)
    head = try journalReader.head()
    guard head == startHead else {
      throw StoreError(
        .busy, "Another process wrote to the store while its map grew. Nothing was written.", advice: "Try again.")
    }
    (headHash, lastRecordedAt) = try WriteSession.end(of: journalReader, head)
    let prepared = try Preparation.prepare(
      store, opened, journal: journalReader, head: head, headHash: headHash, projections: &projections)
    (catalog, state) = (prepared.catalog, prepared.state)
    didChangeProjections = prepared.didChange
    mustBeDurable = try store.markInUse(opened, in: &journal)
    didChangeJournal = mustBeDurable
    builder = CommitBuilder(over: projections.snapshot, catalog, layer: layer, makeID: store.options.makeID)
    self.journal = consume journal
    self.projections = consume projections
    try catchUp()
    if !rebuilt.isEmpty { try rebuildOnce(rebuilt, nil) }
    try beginRuns()
    for commit in pending { try write(commit, isFolded: false) }
  }
}

private extension CommitBuilder {
  /// Makes a builder for commits after everything that a transaction sees.
  convenience init(over snapshot: Snapshot, _ catalog: Catalog, layer: Layer, makeID: @escaping () -> ObjectID) {
    let reader = Reader(snapshot: snapshot, tables: catalog.tables, model: catalog.model, layers: [layer])
    self.init(reader: reader, layer: layer, uses: catalog.uses, makeID: makeID)
  }
}
