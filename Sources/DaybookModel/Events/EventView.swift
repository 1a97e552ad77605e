/// The kind of change that an event records.
@usableFromInline
package enum EventKind: UInt8, Sendable, CaseIterable {
  case inserted = 1
  case renamed = 2
  case set = 3
  case related = 4
  case unrelated = 5
  case deleted = 6
  /// An event of a later version: its subject is known, but not its content.
  case unknown = 7
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
/// | unknown | `fields`: the content, for a version that can read it |
@usableFromInline
package struct EventView: ~Escapable {
  @usableFromInline package let kind: EventKind
  @usableFromInline package let entity: Tag
  /// The subject; for a link, its owner.
  @usableFromInline package let object: ObjectID
  /// The last earlier commit that touched the subject.
  @usableFromInline package let previous: Position?
  /// The subject's stamps before this event; only `deleted` includes its creation.
  @usableFromInline package let former: Stamps?
  @usableFromInline package let fields: RawSpan
  @usableFromInline package let link: LinkView?

  @usableFromInline
  @_lifetime(copy fields, copy link)
  init(
    kind: EventKind, entity: Tag, object: ObjectID, previous: Position?, former: Stamps?, fields: RawSpan,
    link: consuming LinkView?
  ) {
    self.kind = kind
    self.entity = entity
    self.object = object
    self.previous = previous
    self.former = former
    self.fields = fields
    self.link = link
  }
}

/// The link part of an event.
@usableFromInline
package struct LinkView: ~Escapable {
  /// The relationship of the side that owns the link.
  @usableFromInline package let relationship: Tag
  /// The former target, replaced or unlinked.
  ///
  /// It equals `to` if only the place in an order changed.
  @usableFromInline package let from: ObjectID?
  @usableFromInline package let fromPrevious: Position?
  @usableFromInline package let to: ObjectID?
  @usableFromInline package let toPrevious: Position?
  /// The order key before; empty for none.
  @usableFromInline package let oldOrder: RawSpan
  /// The order key after; empty for none.
  @usableFromInline package let newOrder: RawSpan

  @usableFromInline
  @_lifetime(copy oldOrder, copy newOrder)
  init(
    relationship: Tag, from: ObjectID?, fromPrevious: Position?, to: ObjectID?, toPrevious: Position?,
    oldOrder: RawSpan, newOrder: RawSpan
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
