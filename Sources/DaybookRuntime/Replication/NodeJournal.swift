import DaybookEngine
import DaybookModel

/// What a node's own journal has, as the decisions of replication need it.
protocol NodeJournal {
  /// How far the node has folded the stream, or `nil` if it has read no message.
  func streamPlace() throws -> StreamPlace?
  /// Where the journal is known to differ from the stream.
  func streamFork() throws -> StreamFork?
  func head() throws -> Position
  /// Returns the hash and the time of a commit of the journal.
  func commitEnd(at position: Position) throws -> (hash: Digest, recordedAt: Timestamp)
  func position(ofCommitID id: ObjectID) throws -> Position?
  /// Returns the commits after a position, up to a size in bytes, with the large values that they refer to; the first
  /// commit of a store alone.
  func pendingCommits(after position: Position, sizeInBytes limit: Int) throws -> [PendingCommit]
}

extension NodeJournal {
  /// Returns the fold of the messages of a stream up to a place.
  func fold(at place: StreamPlace, of store: ObjectID) throws -> StreamFold {
    guard place.position > .empty else {
      return StreamFold(at: place, of: store, hash: .zero, recordedAt: Timestamp(microseconds: .min))
    }
    let last = try commitEnd(at: place.position)
    return StreamFold(at: place, of: store, hash: last.hash, recordedAt: last.recordedAt)
  }

  /// Returns whether the journal has the commit that another node reports, or `nil` if it has not come so far.
  func agrees(with report: NodeReport) throws -> Bool? {
    guard try report.position <= head() else { return nil }
    return try report.position == .empty || commitEnd(at: report.position).hash == report.hash
  }

  /// Returns whether the journal and a report cannot both follow from one stream: another commit is at the position, or the node
  /// that has read more messages has taken fewer commits.
  func contradicts(_ report: NodeReport) throws -> Bool {
    if try agrees(with: report) == false { return true }
    guard let sequence = report.sequence, let place = try streamPlace() else { return false }
    return sequence >= place.sequence && report.position < place.position
      || sequence <= place.sequence && report.position > place.position
  }

  /// Returns the report that the node sends to the others.
  func report(of node: ObjectID) throws -> NodeReport {
    let (head, place) = (try head(), try streamPlace())
    return NodeReport(
      node: node, position: head, hash: head == .empty ? .zero : try commitEnd(at: head).hash,
      sequence: place?.position == head ? place?.sequence : nil)
  }
}
