import DaybookModel
import Foundation
import LMDB

/// Decides whether the projections on disk are trusted, and opens them or begins new ones.
struct ProjectionsOpening {
  let directory: StoreDirectory
  let options: StoreOptions
  let environment: Environment
  let tables: JournalTables

  /// The store's identity.
  ///
  /// - Throws: `StoreError` with the code `newerFormat` if a newer version wrote the store.
  func readIdentity() throws -> ObjectID {
    try environment.withSnapshot { try readIdentity(in: $0) }
  }

  private func readIdentity(in snapshot: Snapshot) throws -> ObjectID {
    let journal = LMDBJournal(snapshot: snapshot, tables: tables)
    guard let format = try journal.format(), let identity = try journal.meta(JournalMeta.storeID) else {
      throw StoreError(.notAStore, "\(directory.path) is not a Daybook store: it has no format version.")
    }
    try format.check(options.newerVersion, path: directory.path)
    return try RowKey.objectID(of: identity.span.bytes)
  }

  /// Opens the projections' environment and its table of states.
  ///
  /// - Parameter shelf: Has the snapshots that projections can begin with.
  func open(with shelf: SnapshotShelf) throws -> OpenProjections {
    while true {
      if try environment.withSnapshot({ try isTrusted($0) }), let opened = try openTrusted() { return opened }
      // Under the write lock, because two processes may come here at once, and only one may throw the file away. No
      // process has it open: a process that opened it in this run either trusted it or wrote a marker that is trusted
      // now.
      var transaction = try environment.beginWrite()
      if try isTrusted(transaction.snapshot), let opened = try openTrusted() { return opened }
      // A crash in the middle may leave a torn file with the number of the one that the marker names, so the journal
      // has to trust none, durably, before the first file changes. The lock is released by that.
      if try distrust(in: &transaction) {
        try transaction.commit()
        continue
      }
      options.logger?.notice("discarding untrusted projections", metadata: ["store": "\(directory.path)"])
      let opened = try begin(with: shelf, LMDBJournal(snapshot: transaction.snapshot, tables: tables))
      options.probe?(.afterProjectionsBegin)
      let marker = TrustMarker(run: volumeRun, file: opened.environment.identity, isClean: false)
      try transaction.putMeta(JournalMeta.trusted, marker.bytes, in: tables)
      try transaction.commit()
      return opened
    }
  }

  /// The present run of the projections' volume.
  var volumeRun: VolumeRun { VolumeRun(ofFileAt: directory.projectionsFile, options) }

  /// Removes the marker, so that no projections are trusted.
  ///
  /// - Returns: Whether there was one.
  func distrust(in journal: inout WriteTransaction) throws -> Bool {
    try journal.delete(JournalMeta.trusted, in: tables.meta)
  }

  private func isTrusted(_ snapshot: Snapshot) throws -> Bool {
    let journal = LMDBJournal(snapshot: snapshot, tables: tables)
    guard let marker = journal.trustMarker(), let file = try FileIdentity(ofFileAt: directory.projectionsFile)
    else { return false }
    var run = volumeRun
    if marker.trusts(file, in: run) { return true }
    // The same volume may be mounted at several places, or in several namespaces, at a time. A process that has the
    // projections open, and trusted them, shows that the volume did not go away in between.
    run.mount = marker.run.mount
    return marker.trusts(file, in: run) && Environment.isOpenAnywhere(at: directory.projectionsPath)
  }

  /// Opens projections that the marker trusts; nil if they are not what the marker promised, and must be discarded.
  private func openTrusted() throws -> OpenProjections? {
    let projections: Environment
    do {
      // The storage engine ends the process where it meets a damaged page.
      guard try PageCheck.checkHead(fileAt: directory.projectionsFile).isSound else { return nil }
      projections = try directory.openProjections(options)
    } catch let error as LMDBError
      where [.invalidFile, .versionMismatch, .corrupted, .noSuchFile, .notRegularFile].contains(error.kind)
    {
      return nil
    }
    if options.checksProjectionPages, try !projections.checkPages().isSound {
      projections.close()
      return nil
    }
    if let table = try projections.openTables([ProjectionState.tableName]).first ?? nil {
      let opened = OpenProjections(projections, stateTable: table)
      if try isReadable(opened) { return opened }
    }
    projections.close()
    return nil
  }

  /// Whether the row of the projections' state is what was written, by a version whose rows have checksums.
  private func isReadable(_ opened: OpenProjections) throws -> Bool {
    do {
      _ = try opened.environment.withSnapshot { try opened.state(in: $0) }
      return true
    } catch let error as LMDBError where error.isDamage {
      return false
    }
  }

  /// Begins projections, from the newest snapshot or from nothing.
  private func begin(
    with shelf: SnapshotShelf, _ journal: LMDBJournal
  ) throws -> OpenProjections {
    let snapshot = try shelf.newest(in: journal)
    try clear()
    if let snapshot {
      options.logger?.notice("beginning with a snapshot", metadata: ["position": "\(snapshot.position)"])
      try copyFile(shelf.files.dataFile(snapshot.position), to: directory.projectionsFile, progress: nil)
      if let opened = try openTrusted() { return opened }
      try clear()
    }
    let projections = try directory.openProjections(options)
    var transaction = try projections.beginWrite()
    guard let table = try transaction.openTable(ProjectionState.tableName, create: true) else {
      preconditionFailure("A table that is created can be opened.")
    }
    try transaction.commit()
    return OpenProjections(projections, stateTable: table)
  }

  private func clear() throws {
    try? FileManager.default.removeItem(atPath: directory.projectionsPath)  // It may not be there; else mkdir tells.
    try directory.makeDirectory(directory.projectionsPath)
  }
}

extension Store {
  /// Takes in what the journal has and the projections lack, or builds them if they are new.
  func bringUpToDate() throws {
    let isCurrent = try withSnapshots { projections, journal in
      let head = try journal.head()
      guard let state = try projections.state, state.checkpoint == head else { return false }
      // A restored or exchanged journal beside these projections has the same positions and other hashes.
      return try journal.header(at: head).hash == state.checkpointHash
    }
    if !isCurrent { try mend() }
  }

  /// Reads both environments: the projections are opened first, so what the journal has by then is never less than what
  /// they have taken in.
  func withSnapshots<Result>(_ body: (ProjectionsSnapshot, LMDBJournal) throws -> Result) throws -> Result {
    try withProjections { projections in
      try journalEnvironment.withSnapshot { journal in
        try body(projections, LMDBJournal(snapshot: journal, tables: journalTables))
      }
    }
  }

  /// Reads the projections' environment.
  func withProjections<Result>(_ body: (ProjectionsSnapshot) throws -> Result) throws -> Result {
    let opened = currentProjections
    return try opened.environment.withSnapshot { try body(ProjectionsSnapshot(opened: opened, snapshot: $0)) }
  }

  /// Catches up under the write lock; a map that is too small grows.
  ///
  /// - Throws: `StoreError` if the projections are still behind, as on a full disk: whoever reads would find them so
  ///   again, and try for ever.
  func mend() throws {
    while let failure = try WriteSession.begin(self).finish() {
      guard failure.isMapFull else { throw failure }
      try growMap(after: failure)
    }
  }

  /// Notes in the journal that the projections are about to change in this run, so that after a crash of the
  /// operating system they are not trusted.
  ///
  /// - Returns: Whether there was anything to note.
  func markInUse(_ used: OpenProjections, in journal: inout WriteTransaction) throws -> Bool {
    try mark(used, isClean: false, in: &journal)
  }

  /// Flushes the projections and notes that they are whole.
  func markClean() {
    do {
      var journal = try journalEnvironment.beginWrite()
      // A writer of another process lets the journal's lock go before it commits the projections. Only with both locks
      // nobody can change them behind the flush.
      let used = currentProjections
      let transaction = try used.environment.beginWrite()
      // Projections that another process has replaced are nobody's any more.
      guard isCurrent(used, in: journal.snapshot), try mark(used, isClean: true, in: &journal) else { return }
      try used.environment.synchronize()
      transaction.abort()
      try journal.commit()
    } catch {
      // The projections stay marked for this run only, and are built again in the next one.
      options.logger?.warning("could not flush projections", metadata: ["store": "\(path)", "error": "\(error)"])
    }
  }

  /// Whether a marker says that the projections may have changed in this run.
  ///
  /// A process that reaches the same file through another mount marks them too; which mount is named then does not matter.
  func isMarked(_ marker: TrustMarker?, _ used: OpenProjections) -> Bool {
    marker.map { !$0.isClean && $0.file == used.environment.identity && $0.run.boot == volumeRun.boot } ?? false
  }

  private func mark(_ used: OpenProjections, isClean: Bool, in journal: inout WriteTransaction) throws -> Bool {
    let reader = LMDBJournal(snapshot: journal.snapshot, tables: journalTables)
    let present = reader.trustMarker()
    if isClean ? present?.isClean == true : isMarked(present, used) { return false }
    let marker = TrustMarker(run: volumeRun, file: used.environment.identity, isClean: isClean)
    try journal.putMeta(JournalMeta.trusted, marker.bytes, in: journalTables)
    return true
  }
}
