/// Writes the events of one commit, in the form that ``EventReader`` reads.
package struct EventWriter: Sendable {
  /// The events so far.
  package private(set) var bytes: [UInt8] = []
  /// How many there are.
  package private(set) var count = 0
  package let position: Position
  package let time: Timestamp
  private var entity = Tag(0)
  private var object = ObjectID.zero

  /// - Parameters:
  ///   - position: The position that the commit will have.
  ///   - time: Its effective time, see ``CommitHeader/time``.
  package init(position: Position, time: Timestamp) {
    self.position = position
    self.time = time
  }

  /// Exchanges the events for other bytes: whoever reads them in between holds them alone, and retains nothing.
  package mutating func exchange(_ other: inout [UInt8]) {
    swap(&bytes, &other)
  }

  package mutating func inserted(
    _ object: ObjectID, entity: Tag, previous: Position?, fields: RawSpan
  ) {
    begin(.inserted, object, entity, previous)
    bytes.appendRun(fields)
  }

  /// Appends a `renamed` or `set` event.
  ///
  /// - Parameter changes: For each attribute, by rising tag, its old field and then its new one.
  package mutating func changed(
    _ kind: EventKind, _ object: ObjectID, entity: Tag, previous: Position?, former: Stamps, changes: RawSpan
  ) {
    assert(kind == .renamed || kind == .set)
    begin(kind, object, entity, previous)
    append(former)
    bytes.appendRun(changes)
  }

  package mutating func deleted(
    _ object: ObjectID, entity: Tag, previous: Position?, former: Stamps, fields: RawSpan
  ) {
    begin(.deleted, object, entity, previous)
    append(former)
    bytes.appendVarint(position.number - former.created.number)
    bytes.appendZigzag(time.microseconds &- former.createdAt.microseconds)
    bytes.appendRun(fields)
  }

  /// Appends an event of a later version.
  ///
  /// - Parameter content: The number of its kind as a varint, and what that says.
  package mutating func unknown(_ object: ObjectID, entity: Tag, previous: Position?, content: RawSpan) {
    begin(.unknown, object, entity, previous)
    bytes.appendRun(content)
  }

  /// Appends a `related` event, or without a target an `unrelated` one.
  package mutating func link(
    _ owner: ObjectID, entity: Tag, previous: Position?, former: Stamps, change: LinkChange
  ) {
    var flags: UInt8 = 0
    if change.from != nil { flags |= EventFlag.hasFrom }
    if !change.oldOrder.isEmpty { flags |= EventFlag.hasOldOrder }
    if !change.newOrder.isEmpty { flags |= EventFlag.hasNewOrder }
    begin(change.to == nil ? .unrelated : .related, owner, entity, previous, flags: flags)
    append(former)
    bytes.appendVarint(UInt64(change.relationship.number))
    if let from = change.from {
      bytes.append(from)
      append(earlier: change.fromPrevious)
    }
    if let to = change.to {
      bytes.append(to)
      append(earlier: change.toPrevious)
    }
    if !change.oldOrder.isEmpty { bytes.appendRun(change.oldOrder.span.bytes) }
    if !change.newOrder.isEmpty { bytes.appendRun(change.newOrder.span.bytes) }
  }

  private mutating func begin(
    _ kind: EventKind, _ object: ObjectID, _ entity: Tag, _ previous: Position?, flags: UInt8 = 0
  ) {
    let isSame = object == self.object && entity == self.entity
    bytes.append(kind.rawValue | flags | (isSame ? EventFlag.sameSubject : 0))
    if !isSame {
      bytes.appendVarint(UInt64(entity.number))
      bytes.append(object)
      self.object = object
      self.entity = entity
    }
    append(earlier: previous)
    count += 1
  }

  private mutating func append(earlier previous: Position?) {
    bytes.appendVarint(previous.map { position.number - $0.number } ?? 0)
  }

  private mutating func append(_ former: Stamps) {
    bytes.appendVarint(position.number - former.changed.number)
    bytes.appendZigzag(time.microseconds &- former.changedAt.microseconds)
  }
}

/// What happens to a link, for ``EventWriter``.
package struct LinkChange: Sendable {
  package var relationship: Tag
  package var from: ObjectID?
  package var fromPrevious: Position?
  package var to: ObjectID?
  package var toPrevious: Position?
  /// Order keys; empty for none.
  package var oldOrder: [UInt8]
  package var newOrder: [UInt8]

  package init(
    relationship: Tag, from: ObjectID? = nil, fromPrevious: Position? = nil, to: ObjectID? = nil,
    toPrevious: Position? = nil, oldOrder: [UInt8] = [], newOrder: [UInt8] = []
  ) {
    self.relationship = relationship
    self.from = from
    self.fromPrevious = fromPrevious
    self.to = to
    self.toPrevious = toPrevious
    self.oldOrder = oldOrder
    self.newOrder = newOrder
  }
}
