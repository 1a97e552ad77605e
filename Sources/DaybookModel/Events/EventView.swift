/// The kind of change that an event records.
@usableFromInline
package enum EventKind: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case inserted = 1
  case renamed = 2
  case set = 3
  case related = 4
  case unrelated = 5
  case deleted = 6
  /// An event of a later version: its subject is known, but not its content.
  case unknown = 7
  /// A named event of the application.
  ///
  /// It is written as kind 7, which a program that does not know it passes over; the number begins its content.
  case recorded = 8

  /// The kind with a number, or `nil` if no kind has it.
  ///
  /// Three bits hold the number, so a recorded event has the number of an unknown one.
  @inlinable
  init?(bits: UInt8) {
    // A switch that the compiler makes of `init(rawValue:)` is not inlined in other modules.
    switch bits {
    case 1: self = .inserted
    case 2: self = .renamed
    case 3: self = .set
    case 4: self = .related
    case 5: self = .unrelated
    case 6: self = .deleted
    case 7: self = .unknown
    default: return nil
    }
  }

  /// The kind of the decoded event.
  @inlinable
  package var decoded: Event.Kind {
    switch self {
    case .inserted: .inserted
    case .renamed: .renamed
    case .set: .set
    case .related: .related
    case .unrelated: .unrelated
    case .deleted: .deleted
    case .recorded: .recorded
    case .unknown: .unknown
    }
  }

  /// The number in an event's first byte.
  var bits: UInt8 { self == .recorded ? EventKind.unknown.rawValue : rawValue }
}

/// One event, borrowed from the bytes of its commit.
///
/// The kind determines the members in use:
///
/// | kind | members |
/// |---|---|
/// | inserted | `fields`: all stored values |
/// | renamed, set | `former`; `fields`: for each attribute its old field and then its new one |
/// | related | `former`, `relationship`, `from` and `to`, `fromPrevious`, `toPrevious`, `oldOrder`, `newOrder` |
/// | unrelated | the same without `to` |
/// | deleted | `former`; `fields`: all stored values |
/// | recorded | `eventType`; `fields`: all values that are not null |
/// | unknown | `fields`: the content, for a version that can read it |
///
/// The stored members are plain numbers, in which ``Position/empty`` stands for no position: an event is read millions
/// of times a second, and optionals of large values are copied at each step.
@usableFromInline
package struct EventView: ~Escapable, BitwiseCopyable {
  @usableFromInline package let kind: EventKind
  @usableFromInline package let entity: Tag
  /// The subject; for a link, its owner.
  @usableFromInline package let object: ObjectID
  @usableFromInline let earlier: Position
  @usableFromInline let stamps: FormerStamps
  @usableFromInline package let fields: RawSpan
  // The members of the link are not a value of their own, for which the compiler emits calls in each event.
  /// The relationship of a link's event, or the type of a recorded one.
  @usableFromInline let relationship: Tag
  @usableFromInline let from: LinkEnd
  @usableFromInline let to: LinkEnd
  @usableFromInline let oldOrder: RawSpan
  @usableFromInline let newOrder: RawSpan

  @inlinable
  @inline(__always)
  @_lifetime(copy fields, copy oldOrder, copy newOrder)
  init(
    kind: EventKind, entity: Tag, object: ObjectID, earlier: Position, former: FormerStamps, fields: RawSpan,
    relationship: Tag, from: LinkEnd, to: LinkEnd, oldOrder: RawSpan, newOrder: RawSpan
  ) {
    self.kind = kind
    self.entity = entity
    self.object = object
    self.earlier = earlier
    stamps = former
    self.fields = fields
    self.relationship = relationship
    self.from = from
    self.to = to
    self.oldOrder = oldOrder
    self.newOrder = newOrder
  }

  /// The last earlier commit that touched the subject.
  @inlinable package var previous: Position? { earlier.orNil }

  /// The subject's stamps before this event; only `deleted` includes its creation.
  @inlinable
  package var former: Stamps? {
    switch kind {
    case .inserted, .recorded, .unknown: nil
    case .renamed, .set, .related, .unrelated: stamps.stamps(last: .empty)
    case .deleted: stamps.stamps(last: previous ?? stamps.created)
    }
  }

  /// The type of a recorded event, or `nil` for an event of another kind.
  @inlinable package var eventType: Tag? { kind == .recorded ? relationship : nil }

  /// The new target, or `nil` for an event without one.
  @inlinable package var target: ObjectID? { to.isPresent ? to.target : nil }

  /// The target that was replaced or removed, or `nil` for an event without one.
  @inlinable package var formerTarget: ObjectID? { from.isPresent ? from.target : nil }

  /// Returns whether the event names an object, as its subject or as an end of its link.
  package func names(_ id: ObjectID) -> Bool { object == id || target == id || formerTarget == id }

  /// The link, or `nil` for an event of another kind.
  @inlinable
  package var link: LinkView? {
    @_lifetime(copy self)
    get {
      switch kind {
      case .related, .unrelated:
        LinkView(relationship: relationship, former: from, new: to, oldOrder: oldOrder, newOrder: newOrder)
      case .inserted, .renamed, .set, .deleted, .recorded, .unknown: nil
      }
    }
  }
}

/// The stamps in an event; an event that has none holds zeros.
@usableFromInline
struct FormerStamps: BitwiseCopyable {
  @usableFromInline var changed = Position(0)
  @usableFromInline var changedAt = Timestamp(microseconds: 0)
  @usableFromInline var created = Position(0)
  @usableFromInline var createdAt = Timestamp(microseconds: 0)

  @inlinable init() {}

  @inlinable
  func stamps(last: Position) -> Stamps {
    Stamps(created: created, createdAt: createdAt, changed: changed, changedAt: changedAt, last: last)
  }
}

/// The link part of an event.
@usableFromInline
package struct LinkView: ~Escapable, BitwiseCopyable {
  /// The relationship of the side that owns the link.
  @usableFromInline package let relationship: Tag
  @usableFromInline let former: LinkEnd
  @usableFromInline let new: LinkEnd
  /// The order key before; empty for none.
  @usableFromInline package let oldOrder: RawSpan
  /// The order key after; empty for none.
  @usableFromInline package let newOrder: RawSpan

  @inlinable
  @inline(__always)
  @_lifetime(copy oldOrder, copy newOrder)
  init(relationship: Tag, former: LinkEnd, new: LinkEnd, oldOrder: RawSpan, newOrder: RawSpan) {
    self.relationship = relationship
    self.former = former
    self.new = new
    self.oldOrder = oldOrder
    self.newOrder = newOrder
  }

  /// The former target, replaced or unlinked.
  ///
  /// It equals `to` if only the place in an order changed.
  @inlinable package var from: ObjectID? { former.isPresent ? former.target : nil }
  @inlinable package var fromPrevious: Position? { former.earlier.orNil }
  @inlinable package var to: ObjectID? { new.isPresent ? new.target : nil }
  @inlinable package var toPrevious: Position? { new.earlier.orNil }
}

/// A target in an event, with the last earlier commit that touched it.
@usableFromInline
struct LinkEnd: BitwiseCopyable {
  @usableFromInline var isPresent: Bool
  @usableFromInline var target: ObjectID
  @usableFromInline var earlier: Position

  /// No target.
  @inlinable
  @inline(__always)
  init() {
    self.init(isPresent: false, target: ObjectID(high: 0, low: 0), earlier: Position(0))
  }

  @inlinable
  @inline(__always)
  init(_ target: ObjectID, earlier: Position) {
    self.init(isPresent: true, target: target, earlier: earlier)
  }

  @inlinable
  @inline(__always)
  init(isPresent: Bool, target: ObjectID, earlier: Position) {
    self.isPresent = isPresent
    self.target = target
    self.earlier = earlier
  }
}

/// The bits of an event's first byte, above the three of its kind.
@usableFromInline
enum EventFlag {
  /// The subject is the same as the previous event's, and is not repeated.
  @usableFromInline static let sameSubject: UInt8 = 0x08
  @usableFromInline static let hasFrom: UInt8 = 0x10
  @usableFromInline static let hasOldOrder: UInt8 = 0x20
  @usableFromInline static let hasNewOrder: UInt8 = 0x40
  @usableFromInline static let ofLinks: UInt8 = 0x70
}
