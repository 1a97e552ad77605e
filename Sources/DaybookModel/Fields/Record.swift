/// The row of an object in the object table.
///
/// | bytes | meaning |
/// |---|---|
/// | 1 | 1 or 3: a live object; 2 or 4: a tombstone |
/// | variable | 3 or 4: the tag of the object's entity, which is below the root of its hierarchy |
/// | variable | a tombstone: the position of its last event, and no further bytes |
/// | variable | the position of the object's insertion |
/// | variable | the position of its last change, minus the position of its insertion |
/// | variable | the position of the last event that touched it, minus the position of its insertion |
/// | 8 | the time of its insertion |
/// | variable | the time of its last change, minus the time of its insertion (zigzag, wrapping) |
/// | rest | fields: attributes, owned to-one links and derived values, by rising tag |
@usableFromInline
package struct RecordView: ~Escapable, BitwiseCopyable {
  @usableFromInline package let stamps: Stamps
  @usableFromInline package let isTombstone: Bool
  /// The tag of the object's entity, or `nil` if it is the entity by whose tag the row is found.
  @usableFromInline package let entity: Tag?
  @usableFromInline package let fields: RawSpan

  /// - Throws: `MalformedBytes` if the bytes are not a record.
  @inlinable
  @_lifetime(copy bytes)
  package init(_ bytes: RawSpan) throws(MalformedBytes) {
    var reader = ByteReader(bytes)
    let kind = try reader.byte()
    entity = try RecordMark.hasEntity(kind) ? reader.recordEntity() : nil
    let first = try reader.varint()
    switch kind {
    case RecordMark.tombstone, RecordMark.tombstoneOfDescendant:
      isTombstone = true
      stamps = Stamps(
        created: .empty, createdAt: Timestamp(microseconds: 0), changed: .empty,
        changedAt: Timestamp(microseconds: 0), last: Position(first))
      fields = bytes.extracting(0..<0)
    case RecordMark.live, RecordMark.liveOfDescendant:
      isTombstone = false
      let changed = first &+ (try reader.varint())
      let last = first &+ (try reader.varint())
      let createdAt = try reader.fixed(Int64.self)
      let changedAt = createdAt &+ (try reader.zigzag())
      stamps = Stamps(
        created: Position(first), createdAt: Timestamp(microseconds: createdAt), changed: Position(changed),
        changedAt: Timestamp(microseconds: changedAt), last: Position(last))
      fields = bytes.extracting(reader.offset..<bytes.byteCount)
    default: throw MalformedBytes(offset: 0, expected: "the kind of a record")
    }
  }
}

/// The positions and times of an object's insertion, last change and last touch.
@usableFromInline
package struct Stamps: BitwiseCopyable, Hashable, Sendable {
  @usableFromInline package var created: Position
  @usableFromInline package var createdAt: Timestamp
  /// The last commit with an event that has the object as its subject.
  @usableFromInline package var changed: Position
  @usableFromInline package var changedAt: Timestamp
  /// The last commit with an event that names the object, even if only as a target.
  @usableFromInline package var last: Position

  @inlinable
  package init(created: Position, createdAt: Timestamp, changed: Position, changedAt: Timestamp, last: Position) {
    self.created = created
    self.createdAt = createdAt
    self.changed = changed
    self.changedAt = changedAt
    self.last = last
  }
}

@usableFromInline
package enum RecordMark {
  @usableFromInline package static let live: UInt8 = 1
  @usableFromInline package static let tombstone: UInt8 = 2
  /// The marks of objects of an entity below the root of its hierarchy, which the tag of their entity follows.
  @usableFromInline package static let liveOfDescendant: UInt8 = 3
  @usableFromInline package static let tombstoneOfDescendant: UInt8 = 4

  /// Returns whether the tag of an entity follows a mark.
  @inlinable
  package static func hasEntity(_ mark: UInt8) -> Bool { mark == liveOfDescendant || mark == tombstoneOfDescendant }

  /// Returns whether a mark is of a live object.
  @inlinable
  package static func isLive(_ mark: UInt8) -> Bool { mark == live || mark == liveOfDescendant }
}

extension [UInt8] {
  /// Appends the part of a live object's record before its fields.
  ///
  /// - Parameter entity: The tag of the object's entity, or `nil` if it is the root of its hierarchy.
  @inlinable
  package mutating func appendRecordHead(_ stamps: Stamps, of entity: Tag? = nil) {
    append(entity == nil ? RecordMark.live : RecordMark.liveOfDescendant)
    if let entity { appendVarint(UInt64(entity.number)) }
    appendVarint(stamps.created.number)
    appendVarint(stamps.changed.number &- stamps.created.number)
    appendVarint(stamps.last.number &- stamps.created.number)
    appendFixed(stamps.createdAt.microseconds)
    appendZigzag(stamps.changedAt.microseconds &- stamps.createdAt.microseconds)
  }

  /// Appends the record of a deleted object.
  ///
  /// - Parameter entity: As for ``appendRecordHead(_:of:)``.
  @inlinable
  package mutating func appendTombstone(last: Position, of entity: Tag? = nil) {
    append(entity == nil ? RecordMark.tombstone : RecordMark.tombstoneOfDescendant)
    if let entity { appendVarint(UInt64(entity.number)) }
    appendVarint(last.number)
  }
}
