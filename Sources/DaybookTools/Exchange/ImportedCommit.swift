import Daybook
import DaybookEngine
import DaybookModel

/// A commit restored from a line: its hash proves that the bytes are the original ones.
struct ImportedCommit: Sendable {
  private(set) var pending: PendingCommit
  let lineNumber: Int
  /// The names of the model in the commit; `nil` for a commit of events.
  let model: EventNames?

  /// Adds the large values that are written with the commit.
  mutating func add(_ values: [LargeValue]) {
    if values.isEmpty { return }
    pending = PendingCommit(
      header: pending.header, body: pending.body, bodyVersion: pending.bodyVersion, refersToLargeValues: true,
      largeValues: values)
  }

  /// - Throws: `EventFault` if the line cannot be encoded; `CommitRefusal` if its hash does not match; the error
  ///   of the caller's limit if the rules of a model take longer.
  init(_ line: CommitLineReader, number: Int, names: EventNames?) throws {
    lineNumber = number
    let body = try line.body(names: names)
    let header = CommitHeader(
      position: line.position, previousHash: line.previousHash, bodyDigest: Digest(hashing: body.bytes.rawSpan),
      recordedAt: line.recordedAt, happenedAt: line.happenedAt, commitID: line.commitID, author: line.author,
      message: line.message, eventCount: body.eventCount, bodySize: body.bytes.count, isModel: line.model != nil,
      reasons: line.reasons)
    pending = PendingCommit(header: header, body: body.bytes, bodyVersion: body.bodyVersion)
    guard pending.hash == line.hash else {
      throw CommitRefusal(
        .damaged, "commit \(line.position) gives the hash \(pending.hash), but the line says \(line.hash)",
        advice: "The line was changed since it was exported; export again.")
    }
    do {
      try CommitInfo(author: line.author, message: line.message).checkLimits()
      let resolved = try line.model.map { try ResolvedModel(stored: $0) }
      // Rules that cannot be read would refuse all later writes.
      if let resolved { try ModelRules(resolved).check(defaultsOf: resolved) }
      model = resolved.map { EventNames($0) }
    } catch let error as StoreError {
      throw CommitRefusal(error.code, error.message, advice: error.remedy)
    } catch let error as ModelError {
      throw CommitRefusal(.badModel, "the model is wrong: \(error)")
    }
  }
}
