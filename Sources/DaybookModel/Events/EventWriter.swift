/// Writes the events of one commit, in the form that ``EventReader`` reads.
///
/// Positions are written as distances back from the commit's position. Some come from rows or lines that may be
/// damaged, so each method throws `MalformedBytes` for a position that is not earlier; the events written so far are
/// then unusable.
package struct EventWriter: Sendable {
  /// The events so far.
  package private(set) var bytes: [UInt8] = []
  /// The number of events so far.
  package private(set) var count = 0
  /// The version of a store's format that knows all of them; earlier ones skip named events.
  package private(set) var bodyVersion: UInt64 = 1
  package let position: Position
  package let time: Timestamp
  /// The first version that knows named events.
  package static let recordedVersion: UInt64 = 2
  private var entity = Tag(0)
  private var object = ObjectID.zero

  /// - Parameters:
  ///   - position: The position that the commit will have.
  ///   - time: Its effective time, see ``CommitHeader/time``.
  package init(position: Position, time: Timestamp) {
    self.position = position
    self.time = time
  }

  /// Swaps the events with other bytes, so that their reader owns them without retaining.
  package mutating func exchange(_ other: inout [UInt8]) {
    swap(&bytes, &other)
  }

  package mutating func inserted(
    _ object: ObjectID, entity: Tag, previous: Position?, fields: RawSpan
  ) throws(MalformedBytes) {
    try begin(.inserted, object, entity, previous)
    bytes.appendRun(fields)
  }

  /// Appends a `renamed` or `set` event.
  ///
  /// - Parameter changes: For each attribute, by rising tag, its old field and then its new one.
  package mutating func changed(
    _ kind: EventKind, _ object: ObjectID, entity: Tag, previous: Position?, former: Stamps, changes: RawSpan
  ) throws(MalformedBytes) {
    assert(kind == .renamed || kind == .set)
    try begin(kind, object, entity, previous)
    try append(former)
    bytes.appendRun(changes)
  }

  package mutating func deleted(
    _ object: ObjectID, entity: Tag, previous: Position?, former: Stamps, fields: RawSpan
  ) throws(MalformedBytes) {
    try begin(.deleted, object, entity, previous)
    try append(former)
    bytes.appendVarint(try distance(to: former.created))
    bytes.appendZigzag(time.microseconds &- former.createdAt.microseconds)
    bytes.appendRun(fields)
  }

  /// Appends a named event.
  ///
  /// - Parameters:
  ///   - type: The tag of the event's declaration.
  ///   - fields: Its values by rising tag, without nulls.
  package mutating func recorded(
    _ object: ObjectID, entity: Tag, previous: Position?, type: Tag, fields: RawSpan
  ) throws(MalformedBytes) {
    try begin(.recorded, object, entity, previous)
    var start: [UInt8] = []
    start.appendVarint(UInt64(EventKind.recorded.rawValue))
    start.appendVarint(UInt64(type.number))
    bytes.appendVarint(UInt64(start.count + fields.byteCount))
    bytes.append(bytes: start.rawSpan)
    bytes.append(bytes: fields)
    bodyVersion = EventWriter.recordedVersion
  }

  /// Appends an event of a later version.
  ///
  /// - Parameter content: The number of its kind as a varint, followed by its content.
  package mutating func unknown(_ object: ObjectID, entity: Tag, previous: Position?, content: RawSpan)
    throws(MalformedBytes)
  {
    try begin(.unknown, object, entity, previous)
    bytes.appendRun(content)
  }

  /// Appends a `related` event, or an `unrelated` one if there is no target.
  package mutating func link(
    _ owner: ObjectID, entity: Tag, previous: Position?, former: Stamps, change: LinkChange
  ) throws(MalformedBytes) {
    var flags: UInt8 = 0
    if change.from != nil { flags |= EventFlag.hasFrom }
    if !change.oldOrder.isEmpty { flags |= EventFlag.hasOldOrder }
    if !change.newOrder.isEmpty { flags |= EventFlag.hasNewOrder }
    try begin(change.to == nil ? .unrelated : .related, owner, entity, previous, flags: flags)
    try append(former)
    bytes.appendVarint(UInt64(change.relationship.number))
    if let from = change.from {
      bytes.append(from)
      try append(earlier: change.fromPrevious)
    }
    if let to = change.to {
      bytes.append(to)
      try append(earlier: change.toPrevious)
    }
    if !change.oldOrder.isEmpty { bytes.appendRun(change.oldOrder.rawSpan) }
    if !change.newOrder.isEmpty { bytes.appendRun(change.newOrder.rawSpan) }
  }

  private mutating func begin(
    _ kind: EventKind, _ object: ObjectID, _ entity: Tag, _ previous: Position?, flags: UInt8 = 0
  ) throws(MalformedBytes) {
    let isSame = object == self.object && entity == self.entity
    bytes.append(kind.bits | flags | (isSame ? EventFlag.sameSubject : 0))
    if !isSame {
      bytes.appendVarint(UInt64(entity.number))
      bytes.append(object)
      self.object = object
      self.entity = entity
    }
    try append(earlier: previous)
    count += 1
  }

  private mutating func append(earlier previous: Position?) throws(MalformedBytes) {
    guard let previous else { return bytes.appendVarint(0) }
    guard previous < position else { throw later(previous) }
    bytes.appendVarint(try distance(to: previous))
  }

  private mutating func append(_ former: Stamps) throws(MalformedBytes) {
    bytes.appendVarint(try distance(to: former.changed))
    bytes.appendZigzag(time.microseconds &- former.changedAt.microseconds)
  }

  private func distance(to other: Position) throws(MalformedBytes) -> UInt64 {
    guard other > .empty, other <= position else { throw later(other) }
    return position.number - other.number
  }

  private func later(_ other: Position) -> MalformedBytes {
    MalformedBytes(offset: bytes.count, expected: "a position before commit \(position), not \(other),")
  }
}

/// A change of a link, for ``EventWriter``.
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
