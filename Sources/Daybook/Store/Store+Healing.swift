import DaybookModel
import LMDB

/// Says that the file of the projections that an operation began with is no longer the one the journal trusts: another
/// process has replaced it, or a verification has found it damaged.
struct ProjectionsReplaced: Error {}

/// Projections that are found damaged are discarded and folded again from the journal, and the operation that met the
/// damage is run again. Its caller sees neither an error nor damaged data.
///
/// Damage is what a row's checksum shows, what LMDB reports of a page, and rows that contradict each other. It is
/// answered by a new file, not by new tables in the damaged one, whose pages cannot be relied on. The order is that of
/// opening a store: the journal stops trusting the old file, durably; the files are removed; new ones are made, and the
/// journal trusts these. Other processes keep the removed file until their next write, or until they find that they are
/// behind the journal; either way the journal tells them that it trusts another one, and they open that.
extension Store {
  /// How often an operation is run again. Projections that are damaged again and again lie on a disk that fails.
  private static let maximumHealingCount = 5

  /// Runs an operation on the projections, and again with new ones if it meets damage in them.
  ///
  /// - Throws: What `body` throws.
  func healing<Result>(_ body: () throws -> Result) throws -> Result {
    var count = 0
    while true {
      let used = currentProjections
      do {
        return try body()
      } catch  where count < Store.maximumHealingCount && isDamage(error, of: used) {
        // A thread that holds the journal's lock cannot replace anything; the write that it belongs to does.
        if journalEnvironment.isWritingOnThisThread { throw error }
        count += 1
        try replace(used, after: error)
      }
    }
  }

  /// What LMDB says of changes that fit no sound file: the rows of projections are put and deleted as they are found.
  private static let damageOfUse: Set<LMDBError.Kind> = [.keyExists, .notFound, .badTransaction, .badValueSize]

  /// Whether an error says that projections are not what was written.
  func isDamage(_ error: any Error, of used: OpenProjections) -> Bool {
    switch error {
    case is ProjectionsReplaced: true
    case let error as LMDBError:
      error.path == used.environment.path
        && (error.isDamage || Store.damageOfUse.contains(error.kind)
          || error.kind == .tableMissing && currentProjections !== used)
    case let error as StoreError: error.damagedPath == used.environment.path
    default: false
    }
  }

  /// Opens other projections in place of some that are damaged or were replaced, and brings them to the head.
  private func replace(_ used: OpenProjections, after error: any Error) throws {
    try replacement.withLock { _ in
      // Another thread may have done it.
      guard currentProjections === used else { return }
      try checkOpen()
      if !(error is ProjectionsReplaced) {
        options.logger?.error(
          "the projections are damaged and are built again", metadata: ["store": "\(path)", "error": "\(error)"])
        try distrust(used)
      }
      currentProjections = try projectionsOpening.open(with: shelf)
    }
    try bringUpToDate()
    try openUserProjections()
    feeds.noteReplacement()
  }

  /// Notes in the journal, durably, that some projections are not to be trusted any more.
  private func distrust(_ used: OpenProjections) throws {
    var journal = try journalEnvironment.beginWrite()
    guard isCurrent(used, in: journal.snapshot) else { return }
    if try projectionsOpening.distrust(in: &journal) { try journal.commit() }
  }

  /// Discards projections that a verification found damaged, and builds others.
  func discardProjections(_ used: OpenProjections) throws {
    try replace(used, after: StoreError(.damaged, "A verification found faults."))
  }

  /// Whether the journal trusts some projections.
  func isCurrent(_ used: OpenProjections, in journal: Snapshot) -> Bool {
    LMDBJournal(snapshot: journal, tables: journalTables).trustMarker()?.file == used.environment.identity
  }

  /// - Parameter journal: A write transaction's, so that what is found stays so.
  /// - Throws: `ProjectionsReplaced` if the journal does not trust some projections any more.
  func checkCurrent(_ used: OpenProjections, in journal: Snapshot) throws {
    if !isCurrent(used, in: journal) { throw ProjectionsReplaced() }
  }
}

extension Reader {
  /// - Throws: `LMDBError` if anything that was read from the tables was damaged, even if the error was caught.
  func checkUndamaged() throws {
    if snapshot.hasMetDamage { throw snapshot.damage(.readValue) }
  }
}
