import DaybookEngine
import DaybookModel
import Foundation
import LMDB

/// Makes a forked node follow its stream again, without the commits that the stream does not have.
///
/// A shorter journal is written beside the old one, flushed, and renamed in its place, while no process has the store
/// open. So a crash leaves one of both, whole. The new journal trusts no projections: the next opening builds them.
package struct ForkResolution {
  private let directory: StoreDirectory
  private let options: StoreOptions

  package init(_ directory: StoreDirectory, options: StoreOptions) {
    (self.directory, self.options) = (directory, options)
  }

  /// - Returns: The last commit that was kept.
  /// - Throws: `StoreError`: `badRequest` if the node is not forked, `busy` if a process has the store open; `full`,
  ///   `inputOutput`.
  package func keepStream() throws -> Position {
    try directory.whileUnused {
      let (parent, name) = splitPath(directory.path)
      let unfinished = try UnfinishedDirectory(in: parent, for: name)
      defer { unfinished.remove() }
      let copy = StoreDirectory(unfinished.path)
      try copy.makeDirectory(copy.journalPath)
      try copyFile(directory.journalFile, to: copy.journalFile, progress: nil)
      let kept = try truncate(copy)
      try flushToDisk(copy.journalFile, isDirectory: false)
      guard rename(copy.journalFile, directory.journalFile) == 0 else {
        throw StoreError(systemError: errno, "replace", directory.journalFile)
      }
      try flushToDisk(directory.journalPath, isDirectory: true)
      return kept
    }
  }

  /// Removes the commits from the fork on, and all that depends on them.
  private func truncate(_ copy: StoreDirectory) throws -> Position {
    let environment = try copy.openJournal(options)
    defer { environment.close() }
    let tables = try copy.openJournalTables(in: environment)
    var transaction = try environment.beginWrite()
    let journal = LMDBJournal(snapshot: transaction.snapshot, tables: tables)
    guard let fork = try journal.streamFork() else {
      throw StoreError(.badRequest, "The store \(directory.path) is not forked.")
    }
    guard fork.position > 1 else {
      throw StoreError(
        .conflict, "The stream belongs to another store from its first commit on.", advice: "Join it with another path."
      )
    }
    let kept = Position(fork.position.number - 1)
    for (key, table) in try rowsToDelete(after: kept, journal) { _ = try transaction.delete(key, in: table) }
    for (name, position) in try journal.subscriptions() where position > kept {
      var value: [UInt8] = []
      value.appendFixed(kept.number)
      let key = Array(name.utf8)
      try transaction.put(key, JournalMeta.sealed(value, for: key), in: tables.subscriptions)
    }
    for (name, old) in try journal.ledgers() {
      var ledger = old
      ledger.forget(after: kept)
      if ledger != old { try transaction.put(ledger, of: name, in: tables) }
    }
    var models: [UInt8] = []
    for position in try journal.modelPositions() where position <= kept { models.appendFixed(position.number) }
    try transaction.putMeta(JournalMeta.models, models, in: tables)
    for key in [StreamFork.key, StreamPlace.key, TrustMarker.key] { _ = try transaction.delete(key, in: tables.meta) }
    try transaction.commit(isDurable: true)
    return kept
  }

  /// Returns the rows of the commits after a position: chunks and commit ids.
  private func rowsToDelete(after kept: Position, _ journal: LMDBJournal) throws -> [(key: [UInt8], table: Table)] {
    var rows: [(key: [UInt8], table: Table)] = []
    var commits = try journal.snapshot.makeCursor(in: journal.tables.journal)
    var isValid = try commits.seek(atOrAfter: JournalKey(position: kept.next, chunk: 0).bytes.rawSpan)
    while isValid {
      rows.append(([UInt8](commits.key), journal.tables.journal))
      isValid = try commits.moveToNext()
    }
    var ids = try journal.snapshot.makeCursor(in: journal.tables.commitIDs)
    isValid = try ids.moveToFirst()
    while isValid {
      var reader = ByteReader(ids.value)
      if try reader.fixed(UInt64.self) > kept.number { rows.append(([UInt8](ids.key), journal.tables.commitIDs)) }
      isValid = try ids.moveToNext()
    }
    return rows
  }
}
