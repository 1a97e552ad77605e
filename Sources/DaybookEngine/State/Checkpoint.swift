import DaybookModel

/// The commit that a projection's rows have reached, and whether they lack events of unknown kinds.
///
/// Built-in and user projections store their checkpoint in the transaction that changes their rows.
package struct Checkpoint: Hashable {
  /// The last applied commit; 0 for rows without any commit.
  package var position: Position
  /// The hash of that commit: a checkpoint of another journal is not valid.
  package var hash: Digest
  /// The format known to the code that omitted unknown events, or 0 if none were omitted.
  ///
  /// Code that knows a later format builds the rows again.
  package var omittingFormat: UInt64

  /// The checkpoint before the first commit.
  package static let empty = Checkpoint(.empty, hash: .zero)

  package init(_ position: Position, hash: Digest, omittingFormat: UInt64 = 0) {
    self.position = position
    self.hash = hash
    self.omittingFormat = omittingFormat
  }

  /// Moves to a commit that was applied.
  package mutating func move(to position: Position, hash: Digest) {
    self.position = position
    self.hash = hash
  }

  /// Records that this code has omitted an event of a kind that it does not know.
  package mutating func noteOmittedEvent() {
    omittingFormat = JournalMeta.formatVersion
  }

  /// Returns whether events were omitted that the reading code knows.
  ///
  /// - Parameter format: The format known to the reading code.
  package func lacksEvents(knownTo format: UInt64 = JournalMeta.formatVersion) -> Bool {
    omittingFormat > 0 && omittingFormat < format
  }

  /// Returns whether the checkpoint is a commit of a journal, or before the first one.
  ///
  /// A restored or exchanged journal may have the same positions, but it has other hashes.
  ///
  /// - Parameter headHash: The hash of the head if the caller has it, which saves reading it.
  package func belongs(to journal: LMDBJournal, head: Position, headHash: Digest? = nil) throws -> Bool {
    if position == .empty { return true }
    guard position <= head else { return false }
    if position == head, let headHash { return hash == headHash }
    return try journal.header(at: position).hash == hash
  }
}

/// The stored form: position and hash. The format that omitted events is stored apart, after fields of the row.
extension Checkpoint {
  package init(reading reader: inout ByteReader) throws(MalformedBytes) {
    self.init(Position(try reader.fixed(UInt64.self)), hash: try Digest(reading: &reader))
  }

  package func append(to bytes: inout [UInt8]) {
    bytes.appendFixed(position.number)
    bytes.append(hash)
  }
}
