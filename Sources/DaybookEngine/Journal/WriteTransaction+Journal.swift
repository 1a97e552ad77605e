import DaybookModel
import LMDB

extension WriteTransaction {
  /// Appends a commit to the journal, in chunks if it is large.
  ///
  /// - Throws: `LMDBError` if the map or the disk is full; the transaction must then be aborted.
  package mutating func append(_ commit: PendingCommit, to tables: JournalTables) throws(LMDBError) {
    var bytes = commit.headerBytes
    bytes.append(contentsOf: commit.body)
    bytes.appendFixed(CommitSeal(commit.hash).number)
    var chunk: UInt32 = 0
    var offset = 0
    repeat {
      let end = min(offset + CommitLimits.chunkSizeInBytes, bytes.count)
      try put(
        JournalKey(position: commit.header.position, chunk: chunk).bytes.rawSpan,
        bytes.rawSpan.extracting(offset..<end), in: tables.journal, mode: .append)
      chunk += 1
      offset += CommitLimits.chunkSizeInBytes
    } while offset <= bytes.count
    tables.checkedCommits.note(bytes.rawSpan, at: commit.header.position)
    guard let id = commit.header.commitID else { return }
    var key: [UInt8] = []
    key.append(id)
    var value: [UInt8] = []
    value.appendFixed(commit.header.position.number)
    // Each id belongs to one commit only: the caller has checked that it is unused.
    try put(key.rawSpan, value.rawSpan, in: tables.commitIDs, mode: .insert)
  }

  /// Puts a row with its seal into the meta table.
  package mutating func putMeta(_ key: [UInt8], _ value: [UInt8], in tables: JournalTables) throws(LMDBError) {
    try put(key, JournalMeta.sealed(value, for: key), in: tables.meta)
  }

  package mutating func put(_ ledger: ProjectionLedger, of name: String, in tables: JournalTables) throws(LMDBError) {
    try putMeta(ProjectionLedger.key(of: name), ledger.bytes, in: tables)
  }

  package mutating func put(
    _ key: [UInt8], _ value: [UInt8], in table: Table, mode: PutMode = .replace
  ) throws(LMDBError) {
    try put(key.rawSpan, value.rawSpan, in: table, mode: mode)
  }

  /// Deletes a row and returns whether it existed.
  package mutating func delete(_ key: [UInt8], in table: Table) throws(LMDBError) -> Bool {
    try delete(key.rawSpan, in: table)
  }
}
