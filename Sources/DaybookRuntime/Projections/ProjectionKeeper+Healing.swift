import DaybookEngine
import DaybookModel
import LMDB

/// Replacement of damaged projections.
///
/// Damaged projections are discarded and folded again from the journal, and the operation that met the damage is run
/// again. Its caller sees neither an error nor damaged data.
///
/// Damage is a wrong row checksum, a damaged page that LMDB reports, or rows that contradict each other. It always
/// leads to a new file, not to new tables in the damaged one, whose pages cannot be relied on. The order is the same as
/// when opening a store: the journal durably stops trusting the old file; the files are removed; new ones are made, and
/// the journal trusts these. Other processes keep the removed file until their next write, or until they find that they
/// are behind the journal; then they learn from the journal that it trusts another file, and open that file.
extension ProjectionKeeper {
  /// Runs an operation on the projections, and again on new ones if it meets damage.
  ///
  /// The new projections may turn out to be damaged too, or be replaced, before the operation has begun.
  ///
  /// - Throws: Any error of `body`; `StoreError` with the code `busy` if others replace the projections all the time.
  package func healing<Result>(_ body: () throws -> Result) throws -> Result {
    var repair = ProjectionRepair(self)
    while true {
      do {
        try repair.perform()
        return try body()
      } catch {
        guard try repair.isDue(after: error) else { throw error }
      }
    }
  }

  /// LMDB errors about changes that no sound file can cause.
  ///
  /// Rows are only put and deleted as they are found.
  private static let damageOfUse: Set<LMDBError.Kind> = [.keyExists, .notFound, .badTransaction, .badValueSize]

  /// Whether an error shows that projections are damaged or were replaced.
  func isDamage(_ error: any Error, of used: OpenProjections) -> Bool {
    switch error {
    case is ProjectionsReplaced: true
    case let error as LMDBError:
      error.path == used.environment.path
        && (error.isDamage || ProjectionKeeper.damageOfUse.contains(error.kind)
          || error.kind == .tableMissing && currentProjections !== used)
    case let error as StoreError: error.damagedPath == used.environment.path
    default: false
    }
  }

  /// Opens new projections in place of damaged or replaced ones, unless another thread has done so.
  fileprivate func exchange(_ used: OpenProjections, after error: any Error) throws {
    try exchange(used) {
      guard !(error is ProjectionsReplaced) else { return }
      files.options.logger?.error(
        "the projections are damaged and are built again", metadata: ["store": "\(files.path)", "error": "\(error)"])
      try distrust(used)
    }
  }

  /// Opens the file at ``StoreDirectory/preparedPath`` in place of projections, unless another thread has replaced them.
  func exchangeForPrepared(_ used: OpenProjections) throws {
    try exchange(used, usesPrepared: true) { try distrust(used) }
    try healing { try beginWithNewProjections() }
  }

  private func exchange(_ used: OpenProjections, usesPrepared: Bool = false, _ prepare: () throws -> Void) throws {
    try replacement.withLock { _ in
      guard currentProjections === used else { return }
      try files.checkOpen()
      try prepare()
      currentProjections = try projectionsOpening.open(with: snapshotStore, usesPrepared: usesPrepared)
      inverseLayers.removeAll()
    }
  }

  /// Catches up with the head, after the projections were exchanged.
  fileprivate func beginWithNewProjections() throws {
    try foldMissingCommits()
    try observer?.projectionsWereReplaced()
  }

  /// Durably removes the journal's trust in damaged projections.
  private func distrust(_ used: OpenProjections) throws {
    try growing {
      var journal = try files.journalEnvironment.beginWrite(waitingAtMost: files.options.readerLockTimeLimit)
      guard isCurrent(used, marker(in: journal.snapshot)) else { return }
      if try projectionsOpening.distrust(in: &journal) { try journal.commit(isDurable: true) }
    }
  }

  /// Discards projections that a verification found damaged, and rebuilds them.
  package func discardProjections(_ used: OpenProjections) throws {
    try exchange(used, after: StoreError(.damaged, "A verification found faults."))
    try healing { try beginWithNewProjections() }
  }
}

/// The repairs of the projections that one operation needs, which runs again after each of them.
struct ProjectionRepair {
  /// How often an operation is retried. If projections are damaged more often, the disk is failing.
  private static let maximumCount = 5

  private let keeper: ProjectionKeeper
  /// The projections of the present attempt. Its errors concern these.
  private var used: OpenProjections
  private var count = 0
  private var damage: (projections: OpenProjections, error: any Error)?

  init(_ keeper: ProjectionKeeper) {
    self.keeper = keeper
    used = keeper.currentProjections
  }

  /// Replaces the projections that the last attempt found damaged. Called before each attempt.
  mutating func perform() throws {
    used = keeper.currentProjections
    guard let damage else { return }
    try keeper.exchange(damage.projections, after: damage.error)
    // Errors from here on concern these projections, or later ones, which are not replaced for them.
    used = keeper.currentProjections
    try keeper.beginWithNewProjections()
    self.damage = nil
  }

  /// Returns whether an error shows damage, after which the operation runs again.
  ///
  /// - Throws: `StoreError` with the code `busy` if the projections were replaced too often; the error itself if it shows
  ///   damage that persists.
  mutating func isDue(after error: any Error) throws -> Bool {
    // A thread that holds the journal's lock cannot replace the projections; the write that it belongs to does.
    guard keeper.isDamage(error, of: used), !keeper.files.journalEnvironment.isWritingOnThisThread else { return false }
    guard count < ProjectionRepair.maximumCount else { throw ProjectionRepair.given(up: error) }
    count += 1
    damage = (used, error)
    return true
  }

  /// The error of an operation whose retries are used up.
  private static func given(up error: any Error) -> any Error {
    guard error is ProjectionsReplaced else { return error }
    return StoreError(
      .busy, "The projections were replaced \(maximumCount) times while they were used.", advice: "Try again.")
  }
}
