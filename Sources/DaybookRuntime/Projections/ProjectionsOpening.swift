import DaybookEngine
import DaybookModel
import Foundation
import LMDB

/// Decides whether the projections on disk are trusted, and opens them or makes new ones.
package struct ProjectionsOpening {
  package let directory: StoreDirectory
  let options: StoreOptions
  let environment: Environment
  let tables: JournalTables

  /// Opens the environment of the projections and its state table.
  ///
  /// - Parameters:
  ///   - snapshotStore: Holds the snapshots from which projections can be started.
  ///   - usesPrepared: Whether to begin with the file at ``StoreDirectory/preparedPath``, which was made from trusted
  ///     projections, where none are trusted.
  /// - Throws: `LMDBError` of kind `writerBusy` if they must be rebuilt, and another writer has the lock for longer than
  ///   ``StoreOptions/readerLockTimeLimit``.
  func open(with snapshotStore: SnapshotStore, usesPrepared: Bool = false) throws -> OpenProjections {
    // The journal may fill its map, and needs room for the marker.
    while true {
      if let opened = try environment.growing({ try openOnce(with: snapshotStore, usesPrepared) }) { return opened }
    }
  }

  /// - Returns: The projections, or `nil` if the marker was removed and they are untrusted from now on.
  private func openOnce(with snapshotStore: SnapshotStore, _ usesPrepared: Bool) throws -> OpenProjections? {
    // The path may lead to the projections of another store.
    try environment.checkPlace()
    if try environment.withSnapshot({ try isTrusted($0) }), let opened = try openTrusted() { return opened }
    // This needs the write lock, because two processes may reach this point at once, and only one may delete the
    // file. No process has it open: a process that opened it in this run either trusted it or wrote a marker that is
    // trusted at this point.
    var transaction = try environment.beginWrite(waitingAtMost: options.readerLockTimeLimit)
    if try isTrusted(transaction.snapshot), let opened = try openTrusted() { return opened }
    // After a crash below, a torn file may have the identity that the marker names. So the journal must durably trust
    // no file before the first file changes. This commit releases the lock.
    if try distrust(in: &transaction) {
      try transaction.commit(isDurable: true)
      return nil
    }
    options.logger?.notice("discarding untrusted projections", metadata: ["store": "\(directory.path)"])
    let opened =
      try (usesPrepared ? beginPrepared() : nil)
      ?? begin(with: snapshotStore, LMDBJournal(snapshot: transaction.snapshot, tables: tables))
    options.probe?(.afterProjectionsBegin)
    do {
      let marker = TrustMarker(run: volumeRun, file: opened.environment.identity, isClean: false)
      try transaction.putMeta(TrustMarker.key, marker.bytes, in: tables)
      try transaction.commit()
      return opened
    } catch {
      opened.environment.close()
      throw error
    }
  }

  /// The present run of the projections' volume.
  var volumeRun: VolumeRun { VolumeRun(ofFileAt: directory.projectionsFile, options) }

  /// Removes the marker, so that no projections are trusted.
  ///
  /// The caller must commit durably before the projections change.
  ///
  /// - Returns: Whether there was one.
  func distrust(in journal: inout WriteTransaction) throws -> Bool {
    try journal.delete(TrustMarker.key, in: tables.meta)
  }

  private func isTrusted(_ snapshot: TransactionSnapshot) throws -> Bool {
    let journal = LMDBJournal(snapshot: snapshot, tables: tables)
    guard let marker = TrustMarker.present(in: journal),
      let file = try FileIdentity(ofFileAt: directory.projectionsFile)
    else { return false }
    var run = volumeRun
    if marker.trusts(file, in: run) { return true }
    // The same volume may be mounted at several places, or in several namespaces, at a time. A process that has the
    // projections open, and trusted them, proves that the volume stayed mounted.
    run.mount = marker.run.mount
    return marker.trusts(file, in: run) && Environment.isOpenAnywhere(at: directory.projectionsPath)
  }

  /// Opens trusted projections, or returns `nil` if they are damaged and must be discarded.
  private func openTrusted() throws -> OpenProjections? {
    let projections: Environment
    do {
      // The storage engine ends the process when it meets a damaged page.
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
    if let table = try projections.openTables([BuiltInTablesState.tableName]).first ?? nil {
      let opened = OpenProjections(projections, stateTable: table)
      if try isReadable(opened) { return opened }
    }
    projections.close()
    return nil
  }

  /// Whether the projections' state row is intact, and of a version with row checksums.
  private func isReadable(_ opened: OpenProjections) throws -> Bool {
    do {
      _ = try opened.environment.withSnapshot { try opened.state(in: $0) }
      return true
    } catch let error as LMDBError where error.isDamage {
      return false
    }
  }

  /// Makes new projections, from the newest snapshot or empty.
  private func begin(
    with snapshotStore: SnapshotStore, _ journal: LMDBJournal
  ) throws -> OpenProjections {
    let snapshot = try snapshotStore.newest(in: journal)
    try clear()
    if let snapshot {
      options.logger?.notice("beginning with a snapshot", metadata: ["position": "\(snapshot.position)"])
      try copyFile(snapshotStore.files.dataFile(snapshot.position), to: directory.projectionsFile, progress: nil)
      if let opened = try openTrusted() { return opened }
      try clear()
    }
    let projections = try directory.openProjections(options)
    var transaction = try projections.beginWrite()
    guard let table = try transaction.openTable(BuiltInTablesState.tableName, create: true) else {
      preconditionFailure("A table that is created can be opened.")
    }
    try transaction.commit()
    return OpenProjections(projections, stateTable: table)
  }

  /// Moves the prepared file into its place; `nil` if no such file can be read.
  private func beginPrepared() throws -> OpenProjections? {
    let file = directory.preparedPath + "/data.mdb"
    guard try FileKind(ofFileAt: file) == .regular else { return nil }
    try clear()
    try renameWithoutReplacing(file, to: directory.projectionsFile)
    return try openTrusted()
  }

  private func clear() throws {
    try? FileManager.default.removeItem(atPath: directory.projectionsPath)  // It may not be there; else mkdir tells.
    try directory.makeDirectory(directory.projectionsPath)
  }
}

extension ProjectionsOpening {
  init(_ files: StoreFiles) {
    self.init(
      directory: files.directory, options: files.options, environment: files.journalEnvironment,
      tables: files.journalTables)
  }
}
