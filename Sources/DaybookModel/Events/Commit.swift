/// A unit of writing: some events, or a model.
///
///     var log = try store.log(from: 2)
///     while let commit = try log.next() {
///       print(commit.position, commit.author ?? "unknown", commit.events.count)
///     }
@dynamicMemberLookup
public struct Commit: Hashable, Sendable {
  /// The position, the times, the author, the message and the reasons of the commit.
  public let summary: CommitSummary
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
    summary = try CommitSummary(header)
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

  /// A property of the commit's ``summary``.
  @inlinable
  public subscript<Member>(dynamicMember member: KeyPath<CommitSummary, Member>) -> Member {
    summary[keyPath: member]
  }
}
