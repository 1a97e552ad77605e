/// What was written at once: some events, or a model.
///
///     var log = try store.log(from: 2)
///     while let commit = try log.next() {
///       print(commit.position, commit.author ?? "somebody", commit.events.count)
///     }
public struct Commit: Hashable, Sendable {
  /// The commit's position.
  public let position: Position
  /// The writer's own name for the commit, by which a repeated write is recognised.
  public let commitID: ObjectID?
  /// When the store wrote it; never runs backwards.
  public let recordedAt: Timestamp
  /// When the writer says that it happened, if that is not when it was recorded; may run backwards.
  public let happenedAt: Timestamp?
  /// Who wrote it.
  public let author: String?
  /// Why.
  public let message: String?
  /// The hash of the commit before; zeros for the first.
  public let previousHash: Digest
  /// The SHA-256 of the commit's header, which holds the digest of its events.
  public let hash: Digest
  /// In order; empty for a commit of a model.
  public let events: [Event]
  /// The model, if the commit is one's.
  public let model: Model?

  /// Decodes a commit, or of its events those that name an object.
  ///
  /// - Throws: `EventFault` if an event or the model is damaged.
  package init(
    _ header: CommitHeader, hash: Digest, body: RawSpan, names: EventNames, of object: ObjectID? = nil
  ) throws(EventFault) {
    position = header.position
    commitID = header.commitID
    recordedAt = header.recordedAt
    happenedAt = header.happenedAt
    author = header.author
    message = header.message
    previousHash = header.previousHash
    self.hash = hash
    guard !header.isModel else {
      events = []
      model = names.model.model
      return
    }
    var list: [Event] = []
    if object == nil { list.reserveCapacity(header.eventCount) }
    try Event.forEach(in: body, of: header, names: names) { event in
      if object.map(event.names) ?? true { list.append(event) }
    }
    events = list
    model = nil
  }
}

extension Event {
  /// Decodes the events of a commit, one by one.
  package static func forEach(
    in body: RawSpan, of header: CommitHeader, names: EventNames, _ consume: (Event) -> Void
  ) throws(EventFault) {
    var reader = EventReader(body, position: header.position, time: header.time)
    while !reader.isAtEnd {
      do {
        let view = try reader.next()
        consume(try Event(view, names: names))
      } catch let fault as MalformedBytes {
        throw EventFault("its events are damaged: \(fault)")
      } catch let fault as EventFault {
        throw fault
      } catch {
        preconditionFailure("Only the two errors above are thrown: \(error)")
      }
    }
  }
}
