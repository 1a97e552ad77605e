import DaybookModel
import LMDB

/// A commit to append to the journal: its header and its body.
package struct PendingCommit: Sendable {
  package let header: CommitHeader
  package let headerBytes: [UInt8]
  package let body: [UInt8]
  /// The SHA-256 of the header.
  package let hash: Digest

  package init(header: CommitHeader, body: [UInt8]) {
    self.header = header
    var headerBytes: [UInt8] = []
    header.append(to: &headerBytes)
    self.headerBytes = headerBytes
    self.body = body
    hash = Digest(hashing: headerBytes.span.bytes)
  }

  /// The size of the commit in the journal, in bytes.
  package var sizeInBytes: Int { headerBytes.count + body.count + CommitSeal.byteCount }
}

/// The first bytes of a commit's hash, which end its value in the journal.
///
/// Each header contains the hash of the previous commit, but the last commit has no successor: without the seal, damage
/// to its author or time could not be detected.
package struct CommitSeal: Hashable, Sendable {
  let number: UInt64

  package static let byteCount = 8

  package init(_ hash: Digest) {
    number = hash.words.0
  }

  init(_ bytes: RawSpan) throws(MalformedBytes) {
    var reader = ByteReader(bytes)
    number = try reader.fixed(UInt64.self)
  }
}

extension WriteTransaction {
  /// Appends a commit to the journal, in chunks if it is large.
  ///
  /// - Throws: `LMDBError` if the map or the disk is full; the transaction must then be aborted.
  mutating func append(_ commit: PendingCommit, to tables: JournalTables) throws(LMDBError) {
    var bytes = commit.headerBytes
    bytes.append(contentsOf: commit.body)
    bytes.appendFixed(CommitSeal(commit.hash).number)
    var chunk: UInt32 = 0
    var offset = 0
    repeat {
      let end = min(offset + CommitLimits.chunkSizeInBytes, bytes.count)
      try put(
        JournalKey(position: commit.header.position, chunk: chunk).bytes.span.bytes,
        bytes.span.bytes.extracting(offset..<end), in: tables.journal, mode: .append)
      chunk += 1
      offset += CommitLimits.chunkSizeInBytes
    } while offset <= bytes.count
    guard let id = commit.header.commitID else { return }
    var key: [UInt8] = []
    key.append(id)
    var value: [UInt8] = []
    value.appendFixed(commit.header.position.number)
    // Each id belongs to one commit only: the caller has checked that it is unused.
    try put(key.span.bytes, value.span.bytes, in: tables.commitIDs, mode: .insert)
  }
}
