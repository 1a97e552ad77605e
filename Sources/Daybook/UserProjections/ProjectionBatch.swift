import DaybookModel
import LMDB

/// One step of a projection: some commits that it takes in, in one transaction of the projections' environment.
struct ProjectionBatch {
  /// What is to become of the projection's rows.
  enum Goal {
    /// They are to be at the head.
    case current
    /// They are to be made anew, and then to take the place of those that are there.
    case rebuilt
  }

  /// What a step led to.
  struct Outcome {
    /// Whether the goal is reached.
    var isDone: Bool
    var checkpoint: Position
    var target: Position
    var stop: ProjectionRecord.Stop?
  }

  let store: Store
  let projection: any Projection
  let goal: Goal

  /// A step ends when its changes take so much memory, in bytes,
  static let maximumSizeInBytes = 16 << 20
  /// or it has kept writers waiting for so long, or has taken in as many commits as the options allow.
  static let maximumDuration = Duration.milliseconds(50)

  /// Takes one step.
  ///
  /// - Throws: `StoreError` with the code `newerFormat` if the store has a later version of the projection; `LMDBError`.
  func step() throws -> Outcome {
    let opened = store.currentProjections
    var transaction = try store.beginWrite(to: opened)
    let (outcome, run) = try store.journalEnvironment.withSnapshot { snapshot in
      try work(LMDBJournal(snapshot: snapshot, tables: store.journalTables), opened, in: &transaction)
    }
    guard let run else { return outcome }
    store.options.probe?(.beforeProjectionCommit)
    try transaction.commit()
    store.options.probe?(.afterProjectionCommit)
    store.feeds.noteCommit()
    try store.performEffects(of: run)
    return outcome
  }

  /// - Returns: What the step leads to, and if anything is to be committed for it, the run that made it.
  private func work(
    _ journal: LMDBJournal, _ opened: OpenProjections, in transaction: inout WriteTransaction
  ) throws -> (Outcome, ProjectionRun?) {
    let name = projection.name
    let plan = try Plan(self, opened, journal: journal, in: &transaction)
    var record = plan.record
    guard let instance = record[keyPath: plan.slot],
      let table = try transaction.openTable(
        ProjectionRecord.tableName(of: name, instance), create: instance.checkpoint == .empty)
    else { preconditionFailure("A step has something to write to.") }
    let run = ProjectionRun(
      projection, instance, rows: ProjectedRows(snapshot: transaction.snapshot, table: table), journal: journal,
      models: store.models, ledger: try journal.presentLedger(of: name), silentThrough: plan.silentThrough)
    try run.retry()
    try takeIn(run, through: plan.target, journal)
    try run.rows.flush(in: &transaction)
    record[keyPath: plan.slot] = run.instance
    let isDone = run.instance.stop == nil && run.instance.checkpoint >= plan.target
    if isDone, plan.slot == \.next { try swap(&record, in: &transaction) }
    let outcome = Outcome(
      isDone: isDone, checkpoint: run.instance.checkpoint, target: plan.target, stop: run.instance.stop)
    guard record != plan.stored || run.didChange else { return (outcome, nil) }
    try transaction.put(ProjectionRecord.key(of: name), record.bytes, in: opened.stateTable)
    return (outcome, run)
  }

  private func takeIn(_ run: ProjectionRun, through target: Position, _ journal: LMDBJournal) throws {
    guard run.instance.stop == nil, run.instance.checkpoint < target else { return }
    let end = ContinuousClock.now + ProjectionBatch.maximumDuration
    var count = 0
    try journal.forEachCommit(from: run.instance.checkpoint.next, through: target) { commit in
      try run.apply(commit.header, body: commit.body, hash: commit.hash)
      count += 1
      return run.instance.stop == nil && count < store.options.projectionBatchLimit
        && run.rows.sizeInBytes < ProjectionBatch.maximumSizeInBytes
        && (count % 64 != 0 || ContinuousClock.now < end)
    }
  }

  /// Puts the rows that were made anew in the place of the others.
  private func swap(_ record: inout ProjectionRecord, in transaction: inout WriteTransaction) throws {
    let old = record.live
    record.live = record.next
    record.next = nil
    if let old { try transaction.dropProjectionTable(of: projection.name, old) }
  }
}

extension ProjectionBatch {
  /// What a step works on.
  private struct Plan {
    /// What the environment says.
    let stored: ProjectionRecord
    /// The same, with what the step begins.
    var record: ProjectionRecord
    /// The rows to work on.
    let slot: WritableKeyPath<ProjectionRecord, ProjectionRecord.Instance?>
    /// How far they may go.
    var target: Position
    /// Up to where other rows have had the effects.
    var silentThrough = Position.empty

    init(
      _ batch: ProjectionBatch, _ opened: OpenProjections, journal: LMDBJournal,
      in transaction: inout WriteTransaction
    ) throws {
      let head = try journal.head()
      let name = batch.projection.name
      let version = UInt64(batch.projection.version)
      stored = try opened.record(of: name, in: transaction.snapshot)
      var record = stored
      target = head
      // Rows of another journal are rows of nothing.
      if let live = record.live, try !live.belongs(to: journal, head: head) { record.live = nil }
      if let next = record.next, try !next.belongs(to: journal, head: head) || next.version != version {
        record.next = nil
      }
      for slot in [\ProjectionRecord.live, \ProjectionRecord.next] {
        // An empty table must not pass for one that has taken in the commits up to the checkpoint.
        guard let instance = record[keyPath: slot] else { continue }
        let table = ProjectionRecord.tableName(of: name, instance)
        if try transaction.openTable(table, create: false) == nil { record[keyPath: slot] = nil }
      }
      if let live = record.live, live.version > version { throw StoreError(batch.projection, behind: live.version) }
      let isOfThisVersion = record.live.map { $0.version == version && !$0.lacksKnownEvents } ?? false
      switch batch.goal {
      case .current where isOfThisVersion: slot = \.live
      case .current where record.live == nil:
        record.live = record.next ?? Instance(version: version, generation: 0)
        record.next = nil
        slot = \.live
      case .current, .rebuilt: slot = \.next
      }
      if slot == \.next {
        if record.next == nil { record.next = Instance(version: version, generation: 0) }
        if batch.goal == .rebuilt { record.next?.stop = nil }
        silentThrough = record.live?.checkpoint ?? .empty
        // The rows that are live go on having the effects, and the new ones take their place where they are.
        if isOfThisVersion, let live = record.live, live.stop == nil { target = live.checkpoint }
      }
      self.record = record
      try makeTables(of: name, in: &transaction)
    }

    private typealias Instance = ProjectionRecord.Instance

    /// Gives rows that begin a table, and drops the tables that belong to nothing.
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
      let kept = [record.live, record.next].compactMap { $0.map { ProjectionRecord.tableName(of: name, $0) } }
      for table in tables where !kept.contains(table) {
        if let table = try transaction.openTable(table, create: false) { try transaction.drop(table) }
      }
    }
  }
}

extension WriteTransaction {
  fileprivate mutating func dropProjectionTable(of name: String, _ instance: ProjectionRecord.Instance) throws {
    let name = ProjectionRecord.tableName(of: name, instance)
    if let table = try openTable(name, create: false) { try drop(table) }
  }
}

extension StoreError {
  init(_ projection: any Projection, behind version: UInt64) {
    self.init(
      .newerFormat,
      "The store has version \(version) of the projection \(projection.name); this program knows \(projection.version).",
      advice: "Update the program.")
  }
}
