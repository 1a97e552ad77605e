import DaybookEngine
import DaybookModel
import LMDB

/// The half of a write session that concerns the projections: one LMDB transaction, into which commits are folded.
///
/// All commits of the session are folded into one layer over the tables, which is flushed in key order before the end of
/// the session, or when it is large. A commit that fails is rolled back to the end of the commit before it.
final class ProjectionsWriter {
  private let keeper: ProjectionKeeper
  private let opened: OpenProjections
  /// The large values of the session.
  private let largeValues: LargeValueStage
  /// `nil` once the transaction has ended.
  private var transaction: WriteTransaction?
  @exclusivity(unchecked) private(set) var catalog: Catalog
  private(set) var state: BuiltInTablesState
  private let layer = Layer()
  /// The layer at the end of the last commit.
  private var savepoint: Layer.Savepoint
  /// The commit in progress.
  private(set) var builder: CommitBuilder
  /// The inline projections that are up to date, each with its place in the transaction.
  private var runs: [ProjectionRun] = []
  /// Whether there is anything to be committed.
  private(set) var didChange: Bool
  /// The checkpoint when the transaction began.
  private let start: Position

  /// Begins the transaction, builds the tables if they do not exist, and folds the commits that they lack.
  ///
  /// - Parameter limit: How long to wait for other writers; `nil` for as long as they write.
  init(
    _ keeper: ProjectionKeeper, _ opened: OpenProjections, behind journal: JournalWriter, largeValues: LargeValueStage,
    waitingAtMost limit: Duration?
  ) throws {
    self.keeper = keeper
    self.opened = opened
    self.largeValues = largeValues
    savepoint = layer.replaceSavepoint()
    var transaction = try opened.environment.beginWrite(waitingAtMost: limit)
    let base = try opened.base(
      of: journal.reader, head: journal.head, headHash: journal.headHash, in: &transaction)
    didChange = base == nil
    var rebuilder = Rebuilder(keeper: keeper, opened: opened, journal: journal.reader, head: journal.head)
    let (catalog, state) = try base ?? rebuilder.rebuild(TableName.allCases, in: &transaction)
    (self.catalog, self.state) = (catalog, state)
    start = state.checkpoint.position
    builder = CommitBuilder(
      over: transaction.snapshot, catalog, layer: layer, largeValues: largeValues,
      makeID: keeper.files.options.makeID)
    self.transaction = consume transaction
    try catchUp(with: journal)
  }

  var reader: Reader { builder.reader }

  /// Folds the commits that are missing in the projections.
  private func catchUp(with journal: JournalWriter) throws {
    guard state.checkpoint.position < journal.head else { return }
    keeper.files.options.logger?.info(
      "catching up",
      metadata: ["from": "\(state.checkpoint.position)", "to": "\(journal.head)", "store": "\(keeper.files.path)"])
    while state.checkpoint.position < journal.head {
      // Commits in the journal are never refused: a verification reports the model rules that they break.
      _ = try builder.fold.move(
        from: state.checkpoint.position, to: journal.head, in: journal.reader, damagedPath: opened.environment.path
      ) { commit in
        noteCheckpoint(commit.header.position, commit.hash)
        try finishCommit()
      }
      if state.checkpoint.position < journal.head {
        try journal.reader.withCommit(at: state.checkpoint.position.next) { commit in
          _ = try fold(commit.header, body: commit.body, hash: commit.hash)
        }
      }
    }
  }

  /// Drops the changes of the commit in progress.
  func dropCommit() {
    layer.rollBack(to: savepoint)
    largeValues.dropCommit()
  }

  /// Keeps a commit whose events are in the layer.
  func keep(_ commit: PendingCommit) throws {
    try finishCommit()
    noteCheckpoint(commit.header.position, commit.hash)
  }

  /// Folds a commit whose events are not in the layer, and keeps it.
  ///
  /// - Returns: The model rules that the resulting state breaks.
  func fold(_ header: CommitHeader, body: RawSpan, hash: Digest) throws -> [Fold.Violation] {
    let violations: [Fold.Violation]
    if header.isModel {
      violations = try change(to: ResolvedModel(body: body, at: header.position), at: header.position)
    } else {
      // Rebuilt projections will show whether the journal is at fault.
      violations = try builder.fold.fold(header, events: body, .forward, damagedPath: opened.environment.path)
      try finishCommit()
    }
    noteCheckpoint(header.position, hash)
    return violations
  }

  private func finishCommit() throws {
    // Not only writers need the memory: any process that opens or reads a store may have to catch up.
    if layer.sizeInBytes > Layer.maximumSizeInBytes { try flushLayer() }
    savepoint = layer.replaceSavepoint()
  }

  private func flushLayer() throws {
    guard !layer.isEmpty else { return }
    try changing { try $0.flush(layer, into: catalog.tables) }
    layer.removeAll()
    savepoint = layer.replaceSavepoint()
  }

  private func noteCheckpoint(_ position: Position, _ hash: Digest) {
    state.checkpoint.move(to: position, hash: hash)
    if builder.fold.hasLeftOut { state.checkpoint.noteOmittedEvent() }
    didChange = true
  }

  /// Adapts the projections to another model: drops unneeded rows and builds new ones.
  ///
  /// - Returns: The model rules that the state breaks.
  private func change(to model: ResolvedModel, at position: Position) throws -> [Fold.Violation] {
    // Rows are dropped and built from the tables.
    try flushLayer()
    let old = catalog.model
    catalog = catalog.moved(to: model, at: position)
    state.move(to: model, at: position)
    makeBuilder()
    var builder = IndexBuilder(dependents: catalog.dependents, memoryLimit: keeper.files.options.rebuildMemoryInBytes)
    try builder.drop(
      IndexBuilder.Task(from: model, to: old), of: old, reader: reader, layer: layer, flush: { try flushLayer() })
    let task = IndexBuilder.Task(from: old, to: model)
    if task.movesObjects {
      // The rows are read from the tables, below the layer that receives the changes.
      try builder.move(task, reader: reader.reading([]), layer: layer, flush: { try flushLayer() })
    }
    let violations = try builder.build(
      task, reader: reader, layer: layer, flush: { try flushLayer() })
    didChange = true
    return violations
  }

  /// Rebuilds tables from the journal; see ``Rebuilder``.
  func rebuild(_ names: [TableName], from journal: JournalWriter, progress: ((StoreProgress) -> Void)?) throws {
    try flushLayer()
    try changing { transaction in
      var rebuilder = Rebuilder(
        keeper: keeper, opened: opened, journal: journal.reader, head: journal.head, progress: progress)
      (catalog, state) = try rebuilder.rebuild(names, in: &transaction)
    }
    didChange = true
    makeBuilder()
  }

  private func makeBuilder() {
    builder = CommitBuilder(
      over: reader.snapshot, catalog, layer: layer, largeValues: largeValues, makeID: keeper.files.options.makeID)
  }

  /// Lends the transaction. If `body` throws, the transaction can only be aborted, and it is.
  private func changing(_ body: (inout WriteTransaction) throws -> Void) throws {
    guard var transaction = transaction.take() else { preconditionFailure("A session that is over was used.") }
    try body(&transaction)
    self.transaction = consume transaction
  }
}

/// The inline projections of users.
extension ProjectionsWriter {
  /// Starts the inline projections that this process has registered.
  func beginRuns(behind journal: JournalWriter) throws {
    guard keeper.files.options.projections.contains(where: { $0.mode == .inline }) else { return }
    try changing { transaction in
      runs = try keeper.inlineRuns(
        of: opened, in: &transaction, journal: journal.reader, present: present, at: state.modelPosition)
    }
    if runs.contains(where: \.didChange) { didChange = true }
  }

  /// The stored objects after the commits of the session.
  private var present: State {
    State(reader: reader, dependents: catalog.dependents, position: state.checkpoint.position)
  }

  /// Applies a commit to the inline projections.
  ///
  /// - Parameter journal: Has the commit.
  func applyToRuns(_ commit: PendingCommit, in journal: JournalWriter) throws {
    guard !runs.isEmpty else { return }
    let (header, body) = (commit.header, commit.body.rawSpan)
    let stored = StoredStates(after: reader, catalog.dependents, header, events: header.isModel ? [] : [UInt8](body))
    for run in runs {
      // A projection that has stopped holds back the ones that read it.
      guard run.instance.checkpoint.position.next == header.position,
        run.reads.allSatisfy({ $0.instance.checkpoint.position == header.position })
      else { continue }
      let states = try run.states(adding: stored, header, catalog.model)
      try run.apply(header, body: body, hash: commit.hash, states)
      if run.sizeInBytes > Layer.maximumSizeInBytes { try flushRows(of: run) }
    }
  }

  /// Returns what the last commit changed in a scope, after the rows are written: its own events, and what inline projections
  /// made of them.
  ///
  /// - Returns: `nil` if a projection of the scope has not applied the commit, or the changes are not small.
  func changes(by commit: PendingCommit, in scope: RequestScope) throws -> CommitChanges? {
    if scope.isStored { return try CommitChanges(commit.header, commit.body.rawSpan, in: reader) }
    let read = runs.filter { scope.projections.contains($0.projection.name) }
      .sorted { $0.projection.name < $1.projection.name }
    guard read.map(\.projection.name) == scope.projections,
      read.allSatisfy({ $0.instance.checkpoint.position == commit.header.position })
    else { return nil }
    let rows = try opened.derivedCatalog(
      of: read.map(\.derivedInstance), in: catalog.model, at: state.modelPosition, reader.snapshot)
    let tables = rows.parts.map { DerivedTables(tags: $0.entities.tags, tables: $0.tables, in: reader.snapshot) }
    let events = read.reduce(commit.body) { $0 + $1.derived.written }
    return try CommitChanges(
      commit.header, events.rawSpan, in: reader.adding(tables, layers: reader.layers, by: rows.model))
  }

  private func flushRows(of run: ProjectionRun) throws {
    try changing { try run.flush(in: &$0) }
  }

  /// Performs the effects of the inline projections; the session must have been committed.
  func performEffects() {
    for run in runs { run.performEffects() }
  }

  private func finishRuns(_ journal: JournalWriter) throws {
    for run in runs where run.didChange {
      try flushRows(of: run)
      let name = run.projection.name
      var record = try opened.record(of: name, in: reader.snapshot)
      record.live = run.instance
      try changing { try $0.put(ProjectionRecord.key(of: name), record.bytes, in: opened.stateTable) }
      if let position = run.effectsThrough { try journal.noteEffects(through: position, of: name) }
    }
  }
}

/// The end of the transaction.
extension ProjectionsWriter {
  /// Writes the rows that are to be committed with the tables, before the journal is committed.
  ///
  /// - Parameter commits: The commits of the session.
  func finishRows(_ journal: JournalWriter, _ commits: [PendingCommit]) throws {
    guard didChange else { return }
    try flushLayer()
    try changing { transaction in
      try transaction.put(BuiltInTablesState.key, state.bytes, in: opened.stateTable)
      try extendCommitIndex(in: &transaction, journal, commits)
    }
    try finishRuns(journal)
  }

  /// Adds the blocks that the session has completed to the index of the journal.
  private func extendCommitIndex(
    in transaction: inout WriteTransaction, _ journal: JournalWriter, _ commits: [PendingCommit]
  ) throws {
    // The store's lock of writers protects the draft; the other lock is for the compiler, and never waited for.
    try keeper.commitIndexDraft.withLock { draft in
      let head = state.checkpoint
      try draft.note(commits, in: journal.reader, endingWith: head.hash)
      try CommitIndexWriter(opened: opened, draft: draft).extend(
        in: &transaction, from: journal.reader, after: start, through: head.position)
      draft.removeBlocks(before: CommitBlock(CommitBlock.count(in: head.position)))
    }
  }

  /// Ends the transaction, after the journal's.
  ///
  /// The commits are in the journal at this point, so a failure does not concern the writer: the next read finds the
  /// projections behind and repairs them.
  ///
  /// - Returns: The failure, or `nil` if there was none.
  func commit() -> LMDBError? {
    guard didChange else {
      abort()
      return nil
    }
    keeper.files.options.probe?(.betweenCommits)
    do {
      try transaction.take()?.commit()
    } catch {
      keeper.files.options.logger?.warning("projections fell behind", metadata: ["error": "\(error)"])
      _ = keeper.files.noteFailure(error)
      return error
    }
    keeper.files.options.probe?(.afterProjectionsCommit)
    // Tables opened in an aborted transaction are closed with it, so the catalog is kept only after a commit.
    opened.remember(catalog)
    return nil
  }

  func abort() {
    layer.removeAll()
    savepoint = layer.replaceSavepoint()
    transaction = nil
  }
}

private extension CommitBuilder {
  /// Makes a builder for commits after everything that a transaction sees.
  convenience init(
    over snapshot: TransactionSnapshot, _ catalog: Catalog, layer: Layer, largeValues: LargeValueStage,
    makeID: @escaping () -> ObjectID
  ) {
    self.init(
      reader: catalog.reader(over: snapshot, layers: [layer], largeValues: largeValues), layer: layer,
      dependents: catalog.dependents, largeValues: largeValues, makeID: makeID)
  }
}
