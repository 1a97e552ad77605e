/// Reads the events of one commit, in order, without copying.
///
/// Positions and times in events are written as distances from the commit's own; the reader returns the full values.
@usableFromInline
package struct EventReader: ~Escapable, BitwiseCopyable {
  @usableFromInline var reader: ByteReader
  @usableFromInline package let position: Position
  @usableFromInline package let time: Timestamp
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
  @inline(__always)
  @_lifetime(copy self)
  package mutating func next() throws(MalformedBytes) -> EventView {
    let head = try reader.byte()
    guard var kind = EventKind(bits: head & 7), head & 0x80 == 0 else {
      throw MalformedBytes(offset: reader.offset, expected: "the kind of an event")
    }
    if head & EventFlag.sameSubject == 0 {
      entity = try tag()
      object = try reader.objectID()
    }
    let earlier = try earlierPosition()
    var former = FormerStamps()
    let nothing = reader.run(from: reader.offset)
    var fields = nothing
    var oldOrder = nothing
    var newOrder = nothing
    var relationship = Tag(0)
    var (from, to) = (LinkEnd(), LinkEnd())
    switch kind {
    case .inserted: fields = try reader.run()
    case .renamed, .set:
      former = try formerStamps()
      fields = try reader.run()
    case .deleted:
      former = try formerStamps()
      former.created = try notLaterPosition()
      former.createdAt = try formerTime()
      fields = try reader.run()
    case .unknown, .recorded:
      guard head & EventFlag.ofLinks == 0 else { throw MalformedBytes(offset: reader.offset, expected: "no flags") }
      fields = try reader.run()
      if let (type, size) = try recordedType(fields) {
        kind = .recorded
        relationship = type
        fields = fields.extracting(size..<fields.byteCount)
      }
    case .related, .unrelated:
      former = try formerStamps()
      relationship = try tag()
      if head & EventFlag.hasFrom != 0 { from = try linkEnd() }
      if kind == .related { to = try linkEnd() }
      if head & EventFlag.hasOldOrder != 0 { oldOrder = try reader.run() }
      if head & EventFlag.hasNewOrder != 0 { newOrder = try reader.run() }
    }
    return EventView(
      kind: kind, entity: entity, object: object, earlier: earlier, former: former, fields: fields,
      relationship: relationship, from: from, to: to, oldOrder: oldOrder, newOrder: newOrder)
  }

  /// Returns the type of a recorded event and the size of what precedes its fields.
  ///
  /// Returns `nil` for content of a later version, which may have any form after its number.
  ///
  /// It is never inlined, because such events are few among the others.
  @usableFromInline
  @inline(never)
  func recordedType(_ content: RawSpan) throws(MalformedBytes) -> (type: Tag, size: Int)? {
    var content = ByteReader(content)
    // A number that is no varint is not this version's.
    guard let number = try? content.varint(), number == EventKind.recorded.rawValue else { return nil }
    guard let type = UInt16(exactly: try content.varint()), type > 0 else {
      throw MalformedBytes(offset: reader.offset, expected: "the type of a recorded event")
    }
    return (Tag(type), content.offset)
  }

  @inlinable
  @inline(__always)
  mutating func linkEnd() throws(MalformedBytes) -> LinkEnd {
    let target = try reader.objectID()
    return LinkEnd(target, earlier: try earlierPosition())
  }

  @inlinable
  @inline(__always)
  mutating func tag() throws(MalformedBytes) -> Tag {
    guard let number = UInt16(exactly: try reader.varint()) else {
      throw MalformedBytes(offset: reader.offset, expected: "a tag")
    }
    return Tag(number)
  }

  /// Reads the position of an earlier commit; 0 stands for none.
  @inlinable
  @inline(__always)
  mutating func earlierPosition() throws(MalformedBytes) -> Position {
    let distance = try reader.varint()
    if distance == 0 { return Position(0) }
    guard distance < position.number else {
      throw MalformedBytes(offset: reader.offset, expected: "an earlier position")
    }
    return Position(position.number &- distance)
  }

  @inlinable
  @inline(__always)
  mutating func notLaterPosition() throws(MalformedBytes) -> Position {
    let distance = try reader.varint()
    guard distance < position.number else {
      throw MalformedBytes(offset: reader.offset, expected: "a position that is not later")
    }
    return Position(position.number &- distance)
  }

  @inlinable
  @inline(__always)
  mutating func formerTime() throws(MalformedBytes) -> Timestamp {
    Timestamp(microseconds: time.microseconds &- (try reader.zigzag()))
  }

  @inlinable
  @inline(__always)
  mutating func formerStamps() throws(MalformedBytes) -> FormerStamps {
    var stamps = FormerStamps()
    stamps.changed = try notLaterPosition()
    stamps.changedAt = try formerTime()
    return stamps
  }
}
