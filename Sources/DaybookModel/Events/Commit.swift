/// A unit of writing: some events, or a model.
///
///     var log = try store.log(from: 2)
///     while let commit = try log.next() {
///       print(commit.position, commit.author ?? "somebody", commit.events.count)
///     }
public struct Commit: Hashable, Sendable {
  /// The commit's position.
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
  /// The hash of the previous commit; zeros for the first commit.
  public let previousHash: Digest
  /// The SHA-256 of the commit's header, which contains the digest of its events.
  public let hash: Digest
  /// The events in order; empty for a commit of a model, and for an undo or redo that had nothing to change.
  public let events: [Event]
  /// The model, if the commit stores a model.
  public let model: Model?

  /// Decodes a commit with the selected events.
  ///
  /// - Throws: `EventFault` if an event, the metadata or the model is damaged.
  package init(
    _ header: CommitHeader, hash: Digest, body: RawSpan, names: EventNames, events selection: EventSelection = .all
  ) throws(EventFault) {
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
    previousHash = header.previousHash
    self.hash = hash
    guard !header.isModel else {
      events = []
      model = names.model.model
      return
    }
    var list: [Event] = []
    if selection.isAll { list.reserveCapacity(header.eventCount) }
    try Event.forEach(in: body, of: header, names: names, where: selection) { list.append($0) }
    events = list
    model = nil
  }
}
