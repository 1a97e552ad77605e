import DaybookModel
import LMDB

/// A projection that takes in commits, in one transaction.
///
/// It changes no table: its rows keep the changes, and ``instance`` says what is to be written beside them.
final class ProjectionRun {
  let projection: any Projection
  let rows: ProjectedRows
  private let journal: LMDBJournal
  private let models: ModelHistory
  private let ledger: ProjectionLedger
  /// Up to where effects are off whatever the ledger says, because other rows have had them, or have them.
  private let silentThrough: Position
  /// Where it is.
  private(set) var instance: ProjectionRecord.Instance
  /// The commit under way.
  private(set) var commit: ProjectedCommit
  /// What is to leave the store once the rows are committed.
  private(set) var effects: [@Sendable () -> Void] = []
  /// The last commit that was taken in of those whose events were told that they are not being replayed.
  private(set) var effectsThrough: Position?
  private(set) var didChange = false
  /// Whether events are tried again, which cannot stop the projection.
  private var isRetrying = false

  init(
    _ projection: any Projection, _ instance: ProjectionRecord.Instance, rows: ProjectedRows, journal: LMDBJournal,
    models: ModelHistory, ledger: ProjectionLedger, silentThrough: Position
  ) {
    self.projection = projection
    self.rows = rows
    self.journal = journal
    self.models = models
    self.ledger = ledger
    self.silentThrough = silentThrough
    self.instance = instance
    commit = ProjectedCommit.none
    // It may have been said since that it shall go on without the event.
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

  /// Lets the effects leave the store; not twice.
  func performEffects() {
    let begun = effects
    effects = []
    for effect in begun { effect() }
  }

  func names() throws -> EventNames {
    try models.names(at: commit.position, in: journal)
  }

  /// Takes in a commit, unless the projection has stopped.
  ///
  /// - Throws: What kept the rows or the commit from being read; what the projection throws is dealt with here.
  func apply(_ header: CommitHeader, body: RawSpan, hash: Digest) throws {
    guard instance.stop == nil else { return }
    precondition(header.position == instance.checkpoint.next, "A projection takes in one commit after the other.")
    commit = ProjectedCommit(header)
    let (effectCount, effectsThrough) = (effects.count, effectsThrough)
    didChange = true
    guard try applyEvents(header, body) else {
      // Nothing of the commit is kept, so all of it is new once it can be taken in.
      rows.dropCommit()
      effects.removeLast(effects.count - effectCount)
      self.effectsThrough = effectsThrough
      return
    }
    rows.finishCommit()
    instance.checkpoint = header.position
    instance.checkpointHash = hash
  }

  /// - Returns: Whether the projection goes on.
  private func applyEvents(_ header: CommitHeader, _ body: RawSpan) throws -> Bool {
    guard try attemptBeginning() else { return false }
    if header.isModel { return true }
    var events = EventReader(body, position: header.position, time: header.time)
    var number = 0
    while !events.isAtEnd {
      number += 1
      let event = RawEvent(try events.next(), position: header.position, time: header.time)
      if event.kind == .unknown {
        instance.leftOutBy = JournalMeta.formatVersion
        continue
      }
      guard try attempt(event, number) else { return false }
    }
    return true
  }

  private func attemptBeginning() throws -> Bool {
    let address = EventAddress(position: commit.position, number: 0)
    if try isSkipped(address) { return true }
    let effectCount = effects.count
    do {
      try projection.begin(commit, in: ProjectionContext(self))
      return try succeed()
    } catch {
      return try fail(address, error, keepingEffects: effectCount)
    }
  }

  private func attempt(_ event: borrowing RawEvent, _ number: Int) throws -> Bool {
    let address = EventAddress(position: commit.position, number: number)
    if try isSkipped(address) { return true }
    let effectCount = effects.count
    do {
      try projection.apply(event, in: ProjectionContext(self))
      return try succeed()
    } catch {
      return try fail(address, error, keepingEffects: effectCount)
    }
  }

  private func succeed() throws -> Bool {
    // The projection may have caught it on the way.
    if let failure = rows.failure { throw failure }
    rows.finishEvent()
    return true
  }

  private func fail(_ address: EventAddress, _ error: any Error, keepingEffects count: Int) throws -> Bool {
    if let failure = rows.failure { throw failure }
    rows.dropEvent()
    effects.removeLast(effects.count - count)
    let reason = QuarantinedEvent.reason(of: error)
    guard isRetrying || projection.onFailure == .quarantine else {
      instance.stop = ProjectionRecord.Stop(address: address, reason: reason)
      return false
    }
    try setAside(QuarantinedEvent(address: address, reason: reason, state: .quarantined))
    return true
  }

  /// Whether somebody decided to leave an event out; notes that it was.
  private func isSkipped(_ address: EventAddress) throws -> Bool {
    guard !isRetrying, ledger.skips(address, version: instance.version) else { return false }
    if try !rows.isSetAside(address) {
      try setAside(QuarantinedEvent(address: address, reason: "left out by command", state: .skipped))
    }
    return true
  }

  private func setAside(_ event: QuarantinedEvent) throws {
    try rows.setAside(event)
    instance.quarantineCount &+= 1
  }
}

extension ProjectionRun {
  /// Tries the events once more that somebody asked it for.
  func retry() throws {
    guard instance.hasRetries, instance.stop == nil else { return }
    isRetrying = true
    defer { isRetrying = false }
    for event in try rows.quarantine() where event.state == .retrying {
      // Taken out first: an event that fails again is set aside again, with the new reason.
      try rows.takeBack(event.address)
      // The count is read from the file, and must not trap whatever it is.
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
      _ = try attemptBeginning()
      return
    }
    var events = commit.events
    var number = 0
    while !events.isAtEnd {
      number += 1
      let event = RawEvent(try events.next(), position: commit.header.position, time: commit.header.time)
      if number == wanted {
        _ = try attempt(event, number)
        return
      }
    }
  }
}
