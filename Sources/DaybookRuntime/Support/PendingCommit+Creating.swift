import DaybookEngine
import DaybookModel

extension PendingCommit {
  /// Makes the first commit of a store, which has its model.
  ///
  /// - Throws: `StoreError` with the code `badModel`.
  package init(
    creating model: Model, recordedAt: Timestamp, happenedAt: Timestamp? = nil, author: String? = nil,
    message: String? = nil, reasons: CommitReasons = CommitReasons()
  ) throws {
    let resolved: ResolvedModel
    do {
      resolved = try ResolvedModel(creating: model)
      try ModelRules(resolved).check(defaultsOf: resolved)
    } catch let error as ModelError {
      throw StoreError(.badModel, "\(error)")
    }
    var body: [UInt8] = []
    resolved.storedJSON.write(to: &body)
    let header = CommitHeader(
      position: 1, previousHash: .zero, bodyDigest: Digest(hashing: body.rawSpan), recordedAt: recordedAt,
      happenedAt: happenedAt, commitID: nil, author: author, message: message, eventCount: 0, bodySize: body.count,
      isModel: true, reasons: reasons)
    self.init(header: header, body: body, bodyVersion: resolved.neededVersion)
  }
}
