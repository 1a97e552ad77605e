import DaybookModel

extension PendingCommit {
  /// Header, body and seal, as the journal stores them.
  package var bytes: [UInt8] {
    var bytes = headerBytes
    bytes.append(contentsOf: body)
    bytes.appendFixed(CommitSeal(hash).number)
    return bytes
  }

  /// Reads a commit that was made in another process, and compares it with its seal and its digest.
  ///
  /// - Throws: `CommitFault` or `StoreError` if the bytes are not a commit, or are damaged.
  package static func checked(_ bytes: [UInt8], largeValues: [LargeValue] = []) throws -> PendingCommit {
    let view = try CommitView(bytes.rawSpan)
    try PendingCommit.check(size: bytes.count)
    if let damage = view.damage { throw StoreError(damaged: view.header.position, "is damaged: \(damage)") }
    let commit = PendingCommit(header: view.header, body: [UInt8](view.body), largeValues: largeValues)
    // A header with parts that only a later version knows would be written back without them.
    guard commit.hash == view.hash else {
      throw StoreError(damaged: view.header.position, "has a header that is not canonical")
    }
    return commit
  }
}
