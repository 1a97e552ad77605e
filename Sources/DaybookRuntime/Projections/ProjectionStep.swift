import DaybookEngine
import DaybookModel
import LMDB

/// One step of a projection, which applies some commits in one transaction.
package struct ProjectionStep {
  /// The goal of the work on the projection's rows.
  package enum Goal {
    /// The rows are to be at the head.
    case current
    /// The rows are to be rebuilt, and then to replace the present ones.
    case rebuilt
  }

  /// The outcome of a step.
  package struct Outcome {
    /// Whether the goal is reached.
    var isDone: Bool
    package var checkpoint: Position
    package var target: Position
    package var stop: ProjectionRecord.Stop?
  }

  let keeper: ProjectionKeeper
  let projection: any Projection
  let goal: Goal
  /// What a step leaves to the next one.
  let progress = Locked(Progress())

  /// The time for which a step may keep writers waiting before it ends.
  ///
  /// A step also ends when it has applied as many commits as the options allow.
  static let maximumDuration = Duration.milliseconds(50)
  /// The time that a step may apply commits to memory, while others write.
  static let maximumDurationAhead = Duration.milliseconds(500)

  /// Performs the step.
  ///
  /// - Parameter limit: How long to wait for other writers; `nil` for as long as they write.
  /// - Throws: `StoreError` with the code `newerFormat` if the store has a later version of the projection;
  ///   `LMDBError`.
  func perform(waitingAtMost limit: Duration?) throws -> Outcome {
    let opened = keeper.currentProjections
    let ahead = try runAhead(in: opened)
    var transaction = try keeper.beginWrite(to: opened, waitingAtMost: limit)
    let (outcome, run, isChanged) = try keeper.files.journalEnvironment.withSnapshot { snapshot in
      try work(LMDBJournal(snapshot: snapshot, tables: keeper.files.journalTables), opened, ahead, in: &transaction)
    }
    guard isChanged else { return outcome }
    keeper.files.options.probe?(.beforeProjectionCommit)
    try transaction.commit()
    keeper.files.options.probe?(.afterProjectionCommit)
    keeper.observer?.projectionsDidChange()
    if let run { try keeper.performEffects(of: run) }
    return outcome
  }

  /// - Returns: The outcome of the step, the run if commits were applied, and whether there is anything to be committed.
  private func work(
    _ journal: LMDBJournal, _ opened: OpenProjections, _ ahead: RunAhead?, in transaction: inout WriteTransaction
  ) throws -> (outcome: Outcome, run: ProjectionRun?, isChanged: Bool) {
    let name = projection.name
    let reads = try opened.rows(readBy: projection, in: transaction.snapshot)
    // Without the rows that it reads, a projection has nothing to begin with.
    guard let reads else {
      return (Outcome(isDone: true, checkpoint: .empty, target: .empty, stop: nil), nil, isChanged: false)
    }
    let plan = try Plan(self, reading: reads, opened, journal: journal, in: &transaction)
    var record = plan.record
    guard let instance = record[keyPath: plan.slot],
      let table = try transaction.openTable(
        ProjectionRecord.tableName(of: name, instance), create: instance.checkpoint.position == .empty)
    else { preconditionFailure("A step has something to write to.") }
    let scope: ScopedState
    let derived: DerivedRun
    do {
      scope = try self.scope(reads, journal, opened, in: &transaction)
      derived = try DerivedRun(
        of: name, instance, in: scope.state.reader.model, &transaction, journal: journal, models: keeper.models)
    } catch let error as StoreError where error.code == .badModel {
      // A process that does not know the projection has committed a model with the name of one of its entities, or of one
      // that it reads.
      let stop = ProjectionRecord.Stop(position: instance.checkpoint.position.next, reason: error.message)
      record[keyPath: plan.slot]?.stop = stop
      try transaction.put(ProjectionRecord.key(of: name), record.bytes, in: opened.stateTable)
      let outcome = Outcome(
        isDone: false, checkpoint: instance.checkpoint.position, target: plan.target, stop: stop)
      return (outcome, nil, isChanged: record != plan.stored)
    }
    let ledger = try journal.presentLedger(of: name)
    // What the projection reads may be behind the head.
    let target = min(plan.target, scope.state.position)
    let run: ProjectionRun
    if let ahead, ahead.start == instance, ahead.ledger == ledger, ahead.run.instance.checkpoint.position <= target {
      run = ahead.run
    } else {
      run = ProjectionRun(
        projection, instance, derived: derived, quarantine: Quarantine(snapshot: transaction.snapshot, table: table),
        ledger: ledger, silentThrough: plan.silentThrough)
      try takeIn(run, through: target, journal, scope, atMost: ProjectionStep.maximumDuration)
    }
    try run.flush(in: &transaction)
    record[keyPath: plan.slot] = run.instance
    if reads.isEmpty, run.instance.stop == nil {
      progress.withLock {
        $0.rows = Progress.Rows(
          instance: run.instance, isNext: plan.slot == \.next, target: target, silentThrough: plan.silentThrough)
      }
    }
    let isApplied = run.instance.stop == nil && run.instance.checkpoint.position >= plan.target
    if isApplied, plan.slot == \.next { try swap(&record, journal, opened, in: &transaction) }
    let isHeld = !reads.isEmpty && run.instance.stop == nil && run.instance.checkpoint.position >= target
    let isDone = isApplied || isHeld
    let outcome = Outcome(
      isDone: isDone, checkpoint: run.instance.checkpoint.position, target: plan.target, stop: run.instance.stop)
    guard record != plan.stored || run.didChange else { return (outcome, nil, isChanged: false) }
    try transaction.put(ProjectionRecord.key(of: name), record.bytes, in: opened.stateTable)
    return (outcome, run, isChanged: true)
  }

  /// Returns what the projection reads as the transaction sees it.
  private func scope(
    _ reads: [DerivedInstance], _ journal: LMDBJournal, _ opened: OpenProjections,
    in transaction: inout WriteTransaction
  ) throws -> ScopedState {
    let head = try journal.header(at: journal.head())
    guard
      let (catalog, state) = try opened.base(
        of: journal, head: head.header.position, headHash: head.hash, in: &transaction)
    else { throw ProjectionsReplaced() }
    let present = State(
      reader: catalog.reader(over: transaction.snapshot, largeValues: journal.largeValues),
      dependents: catalog.dependents, position: state.checkpoint.position)
    return try opened.scope(of: reads, over: present, at: state.modelPosition, in: journal, &transaction)
  }

  /// - Parameter limit: How long it may apply commits.
  func takeIn(
    _ run: ProjectionRun, through target: Position, _ journal: LMDBJournal, _ scope: ScopedState,
    atMost limit: Duration
  ) throws {
    let end = ContinuousClock.now + limit
    var count = 0
    let rest = try run.takeIn(
      through: target, over: .present(scope, rewindLimit: keeper.files.options.projectionRewindLimit), in: journal,
      continuing: progress.withLock { $0.folded.take() }
    ) {
      count += 1
      return try count < keeper.files.options.projectionBatchLimit && !run.isFilled() && ContinuousClock.now < end
    }
    progress.withLock { $0.folded = rest }
  }

  /// Replaces the live rows by the rebuilt ones.
  private func swap(
    _ record: inout ProjectionRecord, _ journal: LMDBJournal, _ opened: OpenProjections,
    in transaction: inout WriteTransaction
  ) throws {
    let old = record.live
    record.live = record.next
    record.next = nil
    if let old, var new = record.live, new.hasRows(of: old) {
      (new.fold, new.identity) = (old.fold, old.identity)
      record.live = new
    } else if let old, let new = record.live {
      try keeper.observer?.rowsWillBeReplaced(of: projection.name) { scope in
        try states(of: scope, old, new, journal, opened, in: &transaction)
      }
    }
    if let old { try transaction.dropTables(of: projection.name, old) }
  }
}

extension ProjectionStep {
  /// Returns the rows of a scope with the old and with the new rows of the projection; `nil` if they are not of one
  /// position, or some do not exist.
  private func states(
    of scope: RequestScope, _ old: ProjectionRecord.Instance, _ new: ProjectionRecord.Instance, _ journal: LMDBJournal,
    _ opened: OpenProjections, in transaction: inout WriteTransaction
  ) throws -> ReplacedStates? {
    guard old.checkpoint.position == new.checkpoint.position else { return nil }
    let others = try opened.derivedRows(in: transaction.snapshot)
    func rows(_ instance: ProjectionRecord.Instance) -> [DerivedInstance] {
      scope.projections.compactMap { name in
        name == projection.name
          ? DerivedInstance(name: name, instance: instance)
          : others.first { $0.name == name && $0.checkpoint > .empty }
      }
    }
    let (oldRows, newRows) = (rows(old), rows(new))
    guard oldRows.count == scope.projections.count, newRows.count == oldRows.count else { return nil }
    return ReplacedStates(
      old: try self.scope(oldRows, journal, opened, in: &transaction), oldStamp: ScopeStamp(parts: oldRows.map(\.part)),
      new: try self.scope(newRows, journal, opened, in: &transaction), newStamp: ScopeStamp(parts: newRows.map(\.part)))
  }

  /// The rows that a step works on, and how far it may apply commits.
  private struct Plan {
    /// The record in the environment.
    let stored: ProjectionRecord
    /// The record with the rows that the step begins.
    var record: ProjectionRecord
    /// The rows to work on.
    let slot: WritableKeyPath<ProjectionRecord, ProjectionRecord.Instance?>
    /// The last commit that the rows may apply.
    var target: Position
    /// The position up to which other rows have had the effects.
    var silentThrough = Position.empty

    init(
      _ step: ProjectionStep, reading reads: [DerivedInstance], _ opened: OpenProjections,
      journal: LMDBJournal, in transaction: inout WriteTransaction
    ) throws {
      let head = try journal.head()
      let name = step.projection.name
      let version = UInt64(step.projection.version)
      stored = try opened.record(of: name, in: transaction.snapshot)
      var record = stored
      target = head
      // Rows made from another journal are not used.
      if let live = record.live, try !live.checkpoint.belongs(to: journal, head: head) { record.live = nil }
      if let next = record.next, try !next.checkpoint.belongs(to: journal, head: head) || next.version != version {
        record.next = nil
      }
      for slot in [\ProjectionRecord.live, \ProjectionRecord.next] {
        // An empty table must not pass for a table with the rows of all commits up to the checkpoint.
        guard let instance = record[keyPath: slot] else { continue }
        for table in ProjectionRecord.tableNames(of: name, instance)
        where try transaction.openTable(table, create: false) == nil {
          record[keyPath: slot] = nil
        }
      }
      if let live = record.live, live.version > version { throw StoreError(step.projection, behind: live.version) }
      // Rows that follow from other rows than the present ones are built again.
      let readParts = reads.map(\.part)
      let declared = DerivedModel(of: step.projection, keeping: step.keeper.files.options.keptCommitCount)
      if let next = record.next,
        next.reads != readParts || next.derived.keptCommitCount != declared.keptCommitCount
      {
        record.next = nil
      }
      for case let rows? in [record.live, record.next]
      where rows.version == version && rows.derived.entities != declared.entities {
        throw StoreError(
          .badModel, "The projection \(name) declares other entities than version \(version) of it had.",
          advice: "Raise its version: the rows are then built again.")
      }
      let isOfThisVersion =
        record.live.map {
          $0.version == version && !$0.checkpoint.lacksEvents() && !$0.hasRetries && $0.reads == readParts
            && $0.derived.keptCommitCount == declared.keptCommitCount
        } ?? false
      let fold = (stored.live?.fold ?? 0) + 1
      func begin() throws -> Instance {
        var instance = Instance(
          version: version, fold: fold, try opened.assigningTags(to: declared, in: transaction.snapshot))
        instance.reads = readParts
        instance.identity = .random(in: .min ... .max)
        return instance
      }
      switch step.goal {
      case .current where isOfThisVersion: slot = \.live
      case .current where record.live == nil:
        record.live = try record.next ?? begin()
        record.next = nil
        slot = \.live
      case .current, .rebuilt: slot = \.next
      }
      if slot == \.next {
        if record.next == nil { record.next = try begin() }
        if step.goal == .rebuilt { record.next?.stop = nil }
        silentThrough = record.live?.checkpoint.position ?? .empty
        // The live rows continue to have the effects, and the new rows replace them at their checkpoint.
        if isOfThisVersion, let live = record.live, live.stop == nil { target = live.checkpoint.position }
      }
      self.record = record
      try makeTables(of: name, in: &transaction)
    }

    private typealias Instance = ProjectionRecord.Instance

    /// Assigns a table to rows that begin, and drops the tables that belong to no rows.
    private mutating func makeTables(of name: String, in transaction: inout WriteTransaction) throws {
      guard record != stored || stored.live == nil else { return }
      let stem = ProjectionRecord.tableStem(of: name)
      let tables = try transaction.tableNames().filter { $0.hasPrefix(stem) }
      let known = [stored.live, stored.next].compactMap { $0?.generation }
      var last = (tables.compactMap { UInt64($0.dropFirst(stem.count)) } + known).max() ?? 0
      for slot in [\ProjectionRecord.live, \ProjectionRecord.next] where record[keyPath: slot]?.generation == 0 {
        last += 1
        record[keyPath: slot]?.generation = last
      }
      let kept = [record.live, record.next].compactMap { $0 }.flatMap { ProjectionRecord.tableNames(of: name, $0) }
      for table in tables where !kept.contains(table) {
        if let table = try transaction.openTable(table, create: false) { try transaction.drop(table) }
      }
    }
  }
}
