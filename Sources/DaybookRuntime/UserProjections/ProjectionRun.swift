import DaybookEngine
import DaybookModel
import LMDB

/// A run of a projection, which applies commits in one transaction.
///
/// A run changes no table: its rows keep the changes, and ``instance`` is the state to be written with them.
package final class ProjectionRun {
  let projection: any Projection
  let derived: DerivedRun
  /// The runs of the inline projections that it reads, and of all that these read, each after what it reads.
  var reads: [ProjectionRun] = []
  /// The model of the stored objects with the entities of these projections.
  var scopeModel: (model: ResolvedModel, dependents: Dependents)?
  private var quarantine: Quarantine
  private let ledger: ProjectionLedger
  /// The position up to which effects are off whatever the ledger contains.
  ///
  /// Other rows of the projection have had these effects, or will have them.
  private let silentThrough: Position
  /// The version of the rows, with its checkpoint.
  private(set) var instance: ProjectionRecord.Instance
  /// The position of the commit that is being applied.
  private var position = Position.empty
  /// The effects to perform once the rows are committed.
  private(set) var effects: [@Sendable () -> Void] = []
  /// The last applied commit during which ``isReplaying`` returned false.
  private(set) var effectsThrough: Position?
  private(set) var didChange = false

  init(
    _ projection: any Projection, _ instance: ProjectionRecord.Instance, derived: DerivedRun, quarantine: Quarantine,
    ledger: ProjectionLedger, silentThrough: Position
  ) {
    self.projection = projection
    self.derived = derived
    self.quarantine = quarantine
    self.ledger = ledger
    self.silentThrough = silentThrough
    self.instance = instance
    derived.effects = self
    // The commit may have been marked as skipped since the projection stopped.
    if let stop = instance.stop, ledger.skips(stop.position, version: instance.version) {
      self.instance.stop = nil
      didChange = true
    }
  }

  /// Makes a run over opened tables.
  ///
  /// - Parameters:
  ///   - tables: The tables, in the order of ``ProjectionRecord/tableNames(of:_:)``.
  ///   - model: The model by which commits are read, with the entities of the projections that are read.
  /// - Throws: `StoreError` with the code `badModel` if the model does not allow the entities.
  convenience init(
    _ projection: any Projection, _ instance: ProjectionRecord.Instance, tables: [Table], in model: ResolvedModel,
    _ snapshot: TransactionSnapshot, journal: LMDBJournal, models: ModelHistory, ledger: ProjectionLedger,
    silentThrough: Position
  ) throws {
    self.init(
      projection, instance,
      derived: try DerivedRun(
        instance.derived, in: model, tables: Array(tables.dropFirst()), snapshot, journal: journal, models: models),
      quarantine: Quarantine(snapshot: snapshot, table: tables[0]), ledger: ledger, silentThrough: silentThrough)
  }

  var isReplaying: Bool {
    if position <= max(silentThrough, ledger.effectsThrough) { return true }
    effectsThrough = position
    return false
  }

  func add(_ effect: @escaping @Sendable () -> Void) {
    if !isReplaying { effects.append(effect) }
  }

  /// Performs the collected effects; a second call does not repeat them.
  func performEffects() {
    let begun = effects
    effects = []
    for effect in begun { effect() }
  }

  /// The memory that the changes of the rows take.
  var sizeInBytes: Int { derived.sizeInBytes }

  /// Returns whether the changes should be written in a transaction of their own.
  func isFilled() throws(LMDBError) -> Bool { try derived.isFilled() }

  /// Writes the changed rows into the tables; no commit may be half applied.
  func flush(in transaction: inout WriteTransaction) throws(LMDBError) {
    try quarantine.flush(in: &transaction)
    try derived.flush(in: &transaction, keepingFrom: instance.firstKept)
  }

  /// Applies a commit, unless the projection has stopped.
  ///
  /// - Parameter states: What the projection reads before and after the commit; `nil` for a ``DaybookProjection``.
  /// - Throws: An error in reading the rows or the commit; an error of the projection is handled here.
  func apply(_ header: CommitHeader, body: RawSpan, hash: Digest, _ states: StoredStates?) throws {
    guard instance.stop == nil else { return }
    precondition(
      header.position == instance.checkpoint.position.next, "A projection applies commits in their order.")
    position = header.position
    let (effectCount, effectsThrough) = (effects.count, effectsThrough)
    didChange = true
    let events = header.isModel ? body.extracting(first: 0) : body
    try noteOmittedEvents(of: header, events)
    if ledger.skips(position, version: instance.version) {
      try derived.skip(header, events: events, states)
      try leaveOut(QuarantinedCommit(position: position, reason: "left out by command", state: .skipped))
    } else {
      do {
        try derived.apply(header, events: events, states) {
          try projection.apply(AppliedCommit(CommitSummary(reading: header), derived), to: DerivedRows(derived))
        }
        // The projection may have caught an error of the storage.
        if let failure = derived.failure { throw failure }
        let written = derived.written
        if !written.isEmpty { instance.note(written.rawSpan, by: position) }
      } catch {
        effects.removeLast(effects.count - effectCount)
        try handle(error)
        if instance.stop != nil {
          // All of the commit is new when it is applied later.
          self.effectsThrough = effectsThrough
          return
        }
        try derived.skip(header, events: events, states)
      }
    }
    instance.checkpoint.move(to: header.position, hash: hash)
  }

  /// Stops before the commit, or leaves it out.
  ///
  /// - Throws: An error that is not the projection's.
  private func handle(_ error: any Error) throws {
    if let failure = derived.failure { throw failure }
    if error is LMDBError { throw error }
    let reason = QuarantinedCommit.reason(of: error)
    switch projection.onFailure {
    case .stop: instance.stop = ProjectionRecord.Stop(position: position, reason: reason)
    case .quarantine:
      try leaveOut(QuarantinedCommit(position: position, reason: reason, state: .quarantined))
    }
  }

  private func leaveOut(_ commit: QuarantinedCommit) throws {
    // A command has noted the reason already.
    if try quarantine.contains(commit.position) { return }
    quarantine.insert(commit)
    instance.quarantineCount &+= 1
  }

  /// Notes the events of a later version, which the projection cannot decode.
  private func noteOmittedEvents(of header: CommitHeader, _ events: RawSpan) throws {
    var events = EventReader(events, position: header.position, time: header.time)
    while !events.isAtEnd {
      if try events.next().kind == .unknown { instance.checkpoint.noteOmittedEvent() }
    }
  }
}
