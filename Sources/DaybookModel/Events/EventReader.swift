/// Reads the events of one commit, in order, without copying.
///
/// Positions and times in events are written as distances from the commit's own; the reader returns the full values.
@usableFromInline
package struct EventReader: ~Escapable {
  @usableFromInline var reader: ByteReader
  @usableFromInline package let position: Position
  @usableFromInline let time: Timestamp
  @usableFromInline var entity = Tag(0)
  @usableFromInline var object = ObjectID.zero

  /// - Parameters:
  ///   - bytes: The events of a commit.
  ///   - position: The position of the commit.
  ///   - time: Its effective time, see ``CommitHeader/time``.
  @inlinable
  @_lifetime(copy bytes)
  package init(_ bytes: RawSpan, position: Position, time: Timestamp) {
    reader = ByteReader(bytes)
    self.position = position
    self.time = time
  }

  @inlinable
  package var isAtEnd: Bool { reader.isAtEnd }

  /// A place between two events, to which a reader can return.
  @usableFromInline
  package struct Mark: Sendable {
    @usableFromInline let offset: Int
    @usableFromInline let entity: Tag
    @usableFromInline let object: ObjectID

    /// Before the first event.
    package static let start = Mark(offset: 0, entity: Tag(0), object: .zero)

    @inlinable
    init(offset: Int, entity: Tag, object: ObjectID) {
      self.offset = offset
      self.entity = entity
      self.object = object
    }
  }

  /// The place of the next event.
  @inlinable
  package var mark: Mark { Mark(offset: reader.offset, entity: entity, object: object) }

  /// Moves backward or forward to a place that ``mark`` returned.
  @inlinable
  package mutating func move(to mark: Mark) {
    reader.move(to: mark.offset)
    entity = mark.entity
    object = mark.object
  }

  /// Visits the remaining events in reverse order; leaves the reader at the end.
  ///
  /// Events have variable length and name their subject once, so the method first collects where each begins.
  ///
  /// - Throws: The errors of `body`; `MalformedBytes` like ``next()``.
  /// - Complexity: O(*n*) in time and memory for *n* events.
  package mutating func forEachReversed(_ body: (EventView) throws -> Void) throws {
    var starts: [Mark] = []
    while !isAtEnd {
      starts.append(mark)
      _ = try next()
    }
    let end = mark
    for start in starts.reversed() {
      move(to: start)
      try body(next())
    }
    move(to: end)
  }

  /// Reads the next event.
  ///
  /// - Throws: `MalformedBytes` if the bytes end within the event, or its kind is unknown to this version.
  @inlinable
  @_lifetime(copy self)
  package mutating func next() throws(MalformedBytes) -> EventView {
    let head = try reader.byte()
    guard let kind = EventKind(rawValue: head & 7), head & 0x80 == 0 else {
      throw MalformedBytes(offset: reader.offset, expected: "the kind of an event")
    }
    if head & EventFlag.sameSubject == 0 {
      entity = try tag()
      object = try reader.objectID()
    }
    let previous = try earlierPosition()
    switch kind {
    case .inserted:
      let fields = try reader.run()
      return EventView(
        kind: kind, entity: entity, object: object, previous: previous, former: nil, fields: fields, link: nil)
    case .renamed, .set:
      let former = try formerStamps()
      let fields = try reader.run()
      return EventView(
        kind: kind, entity: entity, object: object, previous: previous, former: former, fields: fields, link: nil)
    case .deleted:
      let former = try deletedStamps(last: previous)
      let fields = try reader.run()
      return EventView(
        kind: kind, entity: entity, object: object, previous: previous, former: former, fields: fields, link: nil)
    case .unknown:
      guard head & EventFlag.ofLinks == 0 else { throw MalformedBytes(offset: reader.offset, expected: "no flags") }
      let content = try reader.run()
      return EventView(
        kind: kind, entity: entity, object: object, previous: previous, former: nil, fields: content, link: nil)
    case .related, .unrelated:
      let former = try formerStamps()
      let link = try link(head, hasTarget: kind == .related)
      return EventView(
        kind: kind, entity: entity, object: object, previous: previous, former: former,
        fields: reader.bytes.extracting(0..<0), link: link)
    }
  }

  @inlinable
  @_lifetime(copy self)
  mutating func link(_ head: UInt8, hasTarget: Bool) throws(MalformedBytes) -> LinkView {
    let relationship = try tag()
    var from: ObjectID?
    var fromPrevious: Position?
    var to: ObjectID?
    var toPrevious: Position?
    if head & EventFlag.hasFrom != 0 {
      from = try reader.objectID()
      fromPrevious = try earlierPosition()
    }
    if hasTarget {
      to = try reader.objectID()
      toPrevious = try earlierPosition()
    }
    let oldOrder = head & EventFlag.hasOldOrder != 0 ? try reader.run() : reader.bytes.extracting(0..<0)
    let newOrder = head & EventFlag.hasNewOrder != 0 ? try reader.run() : reader.bytes.extracting(0..<0)
    return LinkView(
      relationship: relationship, from: from, fromPrevious: fromPrevious, to: to, toPrevious: toPrevious,
      oldOrder: oldOrder, newOrder: newOrder)
  }

  @inlinable
  mutating func tag() throws(MalformedBytes) -> Tag {
    guard let number = UInt16(exactly: try reader.varint()) else {
      throw MalformedBytes(offset: reader.offset, expected: "a tag")
    }
    return Tag(number)
  }

  @inlinable
  mutating func earlierPosition() throws(MalformedBytes) -> Position? {
    let distance = try reader.varint()
    if distance == 0 { return nil }
    guard distance < position.number else {
      throw MalformedBytes(offset: reader.offset, expected: "an earlier position")
    }
    return Position(position.number &- distance)
  }

  @inlinable
  mutating func notLaterPosition() throws(MalformedBytes) -> Position {
    let distance = try reader.varint()
    guard distance < position.number else {
      throw MalformedBytes(offset: reader.offset, expected: "a position that is not later")
    }
    return Position(position.number &- distance)
  }

  @inlinable
  mutating func formerStamps() throws(MalformedBytes) -> Stamps {
    let changed = try notLaterPosition()
    let changedAt = time.microseconds &- (try reader.zigzag())
    return Stamps(
      created: .empty, createdAt: Timestamp(microseconds: 0), changed: changed,
      changedAt: Timestamp(microseconds: changedAt), last: .empty)
  }

  @inlinable
  mutating func deletedStamps(last: Position?) throws(MalformedBytes) -> Stamps {
    var stamps = try formerStamps()
    stamps.created = try notLaterPosition()
    stamps.createdAt = Timestamp(microseconds: time.microseconds &- (try reader.zigzag()))
    stamps.last = last ?? stamps.created
    return stamps
  }
}
