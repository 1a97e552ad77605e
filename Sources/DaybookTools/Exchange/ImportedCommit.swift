import Daybook
import DaybookModel
import LMDB

/// A commit restored from a line: its hash proves that the bytes are the original ones.
struct ImportedCommit: Sendable {
  let pending: PendingCommit
  let lineNumber: Int
  /// The names of the model in the commit; `nil` for a commit of events.
  let model: EventNames?

  /// - Throws: `EventFault` if the line cannot be encoded; `CommitRefusal` if its hash does not match.
  init(_ line: CommitLineReader, number: Int, names: EventNames?) throws {
    lineNumber = number
    let body = try line.body(names: names)
    let header = CommitHeader(
      position: line.position, previousHash: line.previousHash, bodyDigest: Digest(hashing: body.bytes.span.bytes),
      recordedAt: line.recordedAt, happenedAt: line.happenedAt, commitID: line.commitID, author: line.author,
      message: line.message, eventCount: body.eventCount, bodySize: body.bytes.count, isModel: line.model != nil)
    pending = PendingCommit(header: header, body: body.bytes)
    guard pending.hash == line.hash else {
      throw CommitRefusal(
        .damaged, "commit \(line.position) gives the hash \(pending.hash), but the line says \(line.hash)",
        advice: "The line was changed since it was exported; export again.")
    }
    do {
      try CommitInfo(author: line.author, message: line.message).checkLimits()
      model = try line.model.map { EventNames(try ResolvedModel(stored: $0)) }
    } catch let error as StoreError {
      throw CommitRefusal(error.code, error.message, advice: error.remedy)
    } catch {
      throw CommitRefusal(.badModel, "the model is wrong: \(error)")
    }
  }
}

extension StoreDirectory {
  /// Creates a store with a new identity from another store's first commit.
  func create(first: PendingCommit, _ options: StoreOptions) throws {
    let milliseconds = UInt64(max(0, options.clock().microseconds / 1_000))
    let id = ObjectID(milliseconds: milliseconds, random: (options.randomBits(), options.randomBits()))
    do {
      try createDirectoryAtomically(at: path) { temporary in
        try StoreDirectory(temporary).fill(id: id, first: first, options)
      }
    } catch {
      throw StoreError.translating(error)
    }
  }
}

extension Store {
  /// Returns the hash of a commit.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the journal lacks the commit.
  package func hash(at position: Position) throws -> Digest {
    try withJournal { try $0.header(at: position).hash }
  }

  /// Returns the names of the model that holds at a position.
  package func names(at position: Position) throws -> EventNames {
    try withJournal { try models.names(at: position, in: $0) }
  }
}
