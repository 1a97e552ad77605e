import DaybookEngine
import DaybookModel
import LMDB

/// A run of a projection, which applies commits in one transaction.
///
/// A run changes no table: its rows keep the changes, and ``instance`` is the state to be written with them.
package final class ProjectionRun {
  let projection: any Projection
  package let rows: ProjectionTable
  /// The derived entities; `nil` if the projection has none.
  let derived: DerivedRun?
  /// The runs of the inline projections that it reads, and of all that these read, each after what it reads.
  var reads: [ProjectionRun] = []
  /// The model of the stored objects with the entities of these projections.
  var scopeModel: (model: ResolvedModel, dependents: Dependents)?
  private let journal: LMDBJournal
  private let models: ModelHistory
  private let ledger: ProjectionLedger
  /// The position up to which effects are off whatever the ledger contains.
  ///
  /// Other rows of the projection have had these effects, or will have them.
  private let silentThrough: Position
  /// What the rows followed from before the run.
  let before: ProjectionRecord.Stamp
  /// The version of the rows, with its checkpoint.
  private(set) var instance: ProjectionRecord.Instance
  /// The commit that is being applied.
  private(set) var commit: ProjectedCommit
  /// The effects to perform once the rows are committed.
  private(set) var effects: [@Sendable () -> Void] = []
  /// The last applied commit during which ``isReplaying`` returned false.
  private(set) var effectsThrough: Position?
  private(set) var didChange = false
  /// Whether events are being retried; a failing retry does not stop the projection.
  private var isRetrying = false

  init(
    _ projection: any Projection, _ instance: ProjectionRecord.Instance, rows: ProjectionTable,
    derived: DerivedRun? = nil, journal: LMDBJournal, models: ModelHistory, ledger: ProjectionLedger,
    silentThrough: Position
  ) {
    self.projection = projection
    self.rows = rows
    self.derived = derived
    self.journal = journal
    self.models = models
    self.ledger = ledger
    self.silentThrough = silentThrough
    self.instance = instance
    before = ProjectionRecord.Stamp(instance)
    commit = ProjectedCommit.none
    derived?.effects = self
    // The event may have been marked as skipped since the projection stopped.
    if let stop = instance.stop, ledger.skips(stop.address, version: instance.version) {
      self.instance.stop = nil
      didChange = true
    }
  }

  var isReplaying: Bool {
    if commit.position <= max(silentThrough, ledger.effectsThrough) { return true }
    effectsThrough = commit.position
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

  func names() throws -> EventNames {
    try models.names(at: commit.position, in: journal)
  }

  /// The memory that the changes of the rows take.
  var sizeInBytes: Int { rows.sizeInBytes + (derived?.sizeInBytes ?? 0) }

  /// Writes the changed rows into the tables; no commit may be half applied.
  func flush(in transaction: inout WriteTransaction) throws(LMDBError) {
    try rows.flush(in: &transaction)
    try derived?.flush(in: &transaction)
  }

  /// Applies a commit, unless the projection has stopped.
  ///
  /// - Parameter states: The stored objects before and after the commit, if the projection reads them.
  /// - Throws: An error in reading the rows or the commit; an error of the projection is handled here.
  func apply(_ header: CommitHeader, body: RawSpan, hash: Digest, _ states: StoredStates? = nil) throws {
    guard instance.stop == nil else { return }
    precondition(
      header.position == instance.checkpoint.position.next, "A projection applies commits in their order.")
    commit = ProjectedCommit(header)
    let (effectCount, effectsThrough) = (effects.count, effectsThrough)
    didChange = true
    guard try applyEvents(header, body, states) else {
      // Nothing of the commit is kept, so all of it is new when it is applied later.
      rows.dropCommit()
      effects.removeLast(effects.count - effectCount)
      self.effectsThrough = effectsThrough
      return
    }
    rows.finishCommit()
    instance.checkpoint.move(to: header.position, hash: hash)
  }

  /// - Returns: Whether the projection continues.
  private func applyEvents(_ header: CommitHeader, _ body: RawSpan, _ states: StoredStates?) throws -> Bool {
    if let derived {
      let events = header.isModel ? body.extracting(first: 0) : body
      try noteOmittedEvents(of: header, events)
      return try attempt(numbered: 0) {
        try derived.apply(header, events: events, states) { try projection.apply($0, to: $1) }
      }
    }
    guard try attempt(numbered: 0, { try projection.begin(commit, in: ProjectionContext(self)) }) else { return false }
    if header.isModel { return true }
    var events = EventReader(body, position: header.position, time: header.time)
    var number = 0
    while !events.isAtEnd {
      number += 1
      let event = RawEvent(try events.next(), position: header.position, time: header.time)
      if event.kind == .unknown {
        instance.checkpoint.noteOmittedEvent()
        continue
      }
      guard try attempt(numbered: number, { try projection.apply(event, in: ProjectionContext(self)) }) else {
        return false
      }
    }
    return true
  }

  /// Notes the events of a later version, which the projection cannot decode.
  private func noteOmittedEvents(of header: CommitHeader, _ events: RawSpan) throws {
    var events = EventReader(events, position: header.position, time: header.time)
    while !events.isAtEnd {
      if try events.next().kind == .unknown { instance.checkpoint.noteOmittedEvent() }
    }
  }

  /// Calls `body` for an event of the commit; 0 is its beginning, or all of it.
  private func attempt(numbered number: Int, _ body: () throws -> Void) throws -> Bool {
    let address = EventAddress(position: commit.position, number: number)
    if try isSkipped(address) { return true }
    let effectCount = effects.count
    do {
      try body()
      return try succeed()
    } catch {
      return try fail(address, error, keepingEffects: effectCount)
    }
  }

  private func succeed() throws -> Bool {
    // The projection may have caught an error of the storage.
    if let failure = rows.failure ?? derived?.failure { throw failure }
    rows.finishEvent()
    return true
  }

  private func fail(_ address: EventAddress, _ error: any Error, keepingEffects count: Int) throws -> Bool {
    if let failure = rows.failure ?? derived?.failure { throw failure }
    if error is LMDBError { throw error }
    rows.dropEvent()
    effects.removeLast(effects.count - count)
    let reason = QuarantinedEvent.reason(of: error)
    guard isRetrying || projection.onFailure == .quarantine else {
      instance.stop = ProjectionRecord.Stop(address: address, reason: reason)
      return false
    }
    setAside(QuarantinedEvent(address: address, reason: reason, state: .quarantined))
    return true
  }

  /// Returns whether the ledger skips an event, and if so records the event as skipped.
  private func isSkipped(_ address: EventAddress) throws -> Bool {
    guard !isRetrying, ledger.skips(address, version: instance.version) else { return false }
    if try !rows.isSetAside(address) {
      setAside(QuarantinedEvent(address: address, reason: "left out by command", state: .skipped))
    }
    return true
  }

  private func setAside(_ event: QuarantinedEvent) {
    rows.setAside(event)
    instance.quarantineCount &+= 1
  }
}

extension ProjectionRun {
  /// Retries the events that are marked for a retry.
  func retry() throws {
    guard instance.hasRetries, instance.stop == nil else { return }
    isRetrying = true
    defer { isRetrying = false }
    for event in try rows.quarantine() where event.state == .retrying {
      // Removed first: an event that fails again is quarantined again, with the new reason.
      try rows.takeBack(event.address)
      // The count is read from the file, and no value may cause a trap.
      if instance.quarantineCount > 0 { instance.quarantineCount -= 1 }
      try journal.withCommit(at: event.address.position) { try retry(event.address.number, of: $0) }
      rows.finishCommit()
    }
    instance.hasRetries = false
    didChange = true
  }

  private func retry(_ wanted: Int, of commit: CommitView) throws {
    self.commit = ProjectedCommit(commit.header)
    if wanted == 0 {
      _ = try attempt(numbered: 0) { try projection.begin(self.commit, in: ProjectionContext(self)) }
      return
    }
    var events = commit.events
    var number = 0
    while !events.isAtEnd {
      number += 1
      let event = RawEvent(try events.next(), position: commit.header.position, time: commit.header.time)
      if number == wanted {
        _ = try attempt(numbered: number) { try projection.apply(event, in: ProjectionContext(self)) }
        return
      }
    }
  }
}
