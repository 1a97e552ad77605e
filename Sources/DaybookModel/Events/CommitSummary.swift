/// What a commit records besides its events: who wrote it, when and why.
///
/// A ``Commit``, a commit that a projection applies, an entry of a ``CommitTrace`` and a line of ``Blame`` have one, and
/// show its properties as their own: `commit.author` is `commit.summary.author`.
public struct CommitSummary: Hashable, Sendable {
  /// The position of the commit.
  public let position: Position
  /// The writer's own name for the commit, which identifies a repeated write.
  public let commitID: ObjectID?
  /// The time when the store wrote the commit; it never decreases.
  public let recordedAt: Timestamp
  /// The time when the change happened according to the writer, if it differs; it may decrease.
  public let happenedAt: Timestamp?
  /// The author of the commit.
  public let author: String?
  /// The reason for the commit.
  public let message: String?
  /// What the writer noted about the commit.
  public let metadata: CommitMetadata
  /// The earlier commit that caused this one, as its writer named it.
  public let causation: CommitReference?
  /// The name that all commits of one flow share.
  public let correlation: String?
  /// The commits that this one undoes, rising; empty unless it is an undo or a revert.
  public let undoes: [Position]
  /// The commits that this one redoes, rising; empty unless it is a redo.
  public let redoes: [Position]
  /// The number of all its events; 0 for a commit of a model, and for an undo or redo that had nothing to change.
  public let eventCount: Int
  /// Whether the commit stores a model, and has no events.
  public let isModel: Bool

  /// The time when the commit happened if it is known, else the time when it was recorded.
  public var time: Timestamp { happenedAt ?? recordedAt }

  /// Decodes what a header has.
  ///
  /// - Throws: `EventFault` if the metadata are damaged.
  package init(_ header: CommitHeader) throws(EventFault) {
    position = header.position
    commitID = header.commitID
    recordedAt = header.recordedAt
    happenedAt = header.happenedAt
    author = header.author
    message = header.message
    do {
      metadata = try header.reasons.decodedMetadata()
    } catch {
      throw EventFault("\(error)")
    }
    causation = header.reasons.causation
    correlation = header.reasons.correlation
    undoes = header.reasons.undoes.positions
    redoes = header.reasons.redoes.positions
    eventCount = header.eventCount
    isModel = header.isModel
  }
}
