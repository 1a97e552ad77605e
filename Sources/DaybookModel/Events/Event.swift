/// One fact about one object, as stored in the journal: the new content and what it replaced.
///
///     for event in commit.events where event.kind == .renamed {
///       if case .renamed(let change) = event.content { print(change.old, "became", change.new) }
///     }
///
/// Each part is identified by its name in the model of the event's commit. A part that the model had removed by then,
/// but that objects still hold, is identified by its last name and its tag, as `note#5`: no name in a model has a
/// number sign, so such a name never clashes with the names of later models.
public struct Event: Hashable, Sendable {
  /// The entity of the subject.
  public let entity: String
  /// The subject; for a link, its owner.
  public let object: ObjectID
  /// The last earlier commit that touched the subject, or `nil` if none did.
  public let previous: Position?
  /// The subject's times before the event, or `nil` for an event that has none: ``Kind/inserted``,
  /// ``Kind/recorded`` and ``Kind/unknown``.
  package let former: Former?
  /// The change, with the content that it replaced.
  public let content: Content

  package init(entity: String, object: ObjectID, previous: Position?, former: Former?, content: Content) {
    self.entity = entity
    self.object = object
    self.previous = previous
    self.former = former
    self.content = content
  }

  /// The change that an event records.
  public enum Content: Hashable, Sendable {
    /// The object was inserted, with all values that are not null.
    ///
    /// The links are the ones over removed relationships, which a restored object may hold; all others follow as events
    /// of their own.
    case inserted([NamedValue], links: [NamedLink])
    /// The value of the name attribute was changed.
    case renamed(Change)
    /// Values were changed, at least one.
    case set([Change])
    /// The object, which owns the link, was linked to another, or the other's place changed.
    case related(Link)
    /// The link to another object was removed.
    case unrelated(Link)
    /// The object was deleted.
    ///
    /// The event holds all values that were not null, and the links over removed relationships.
    case deleted([NamedValue], links: [NamedLink])
    /// The application recorded a named event about the object, which changed nothing.
    ///
    /// The name is the event's in the model of the commit; the fields are all values that are not null.
    case recorded(name: String, fields: [NamedValue])
    /// An event of a later version of Daybook; this version keeps it and ignores it otherwise.
    case unknown([UInt8])
  }

  /// The kinds of events.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An object was inserted, with its values.
    case inserted
    /// The name of an object changed.
    case renamed
    /// Other values of an object changed.
    case set
    /// A link between two objects was made, moved, or led to another target.
    case related
    /// A link between two objects was removed.
    case unrelated
    /// An object was deleted, with the values that it had.
    case deleted
    /// A named event of the application was recorded.
    case recorded
    /// A kind that a later version of Daybook wrote.
    case unknown
  }

  /// The kind of the event.
  public var kind: Kind {
    switch content {
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
}

extension Event {
  /// An attribute with its old and its new value.
  public struct Change: Hashable, Sendable {
    /// The name of the attribute.
    public let name: String
    /// Its type.
    public let type: AttributeType
    /// The value before.
    public let old: Value
    /// The new value.
    public let new: Value

    package init(name: String, type: AttributeType, old: Value, new: Value) {
      self.name = name
      self.type = type
      self.old = old
      self.new = new
    }
  }

  /// A link that was added, removed or redirected.
  public struct Link: Hashable, Sendable {
    /// The relationship of the side that owns the link.
    public let relationship: String
    /// Whether the targets of one of its sides have an order.
    public let isOrdered: Bool
    /// The former target, replaced or unlinked.
    ///
    /// It equals `to` if only the place in an order changed.
    public let from: ObjectID?
    /// The last earlier commit that touched `from`.
    package let fromPrevious: Position?
    /// The target, or `nil` for ``Kind/unrelated``.
    public let to: ObjectID?
    /// The last earlier commit that touched `to`.
    package let targetPrevious: Position?
    /// The order key before; empty for none.
    package let oldOrder: [UInt8]
    /// The order key after; empty for none.
    package let newOrder: [UInt8]

    package init(
      relationship: String, isOrdered: Bool, from: ObjectID?, fromPrevious: Position?, to: ObjectID?,
      targetPrevious: Position?, oldOrder: [UInt8], newOrder: [UInt8]
    ) {
      self.relationship = relationship
      self.isOrdered = isOrdered
      self.from = from
      self.fromPrevious = fromPrevious
      self.to = to
      self.targetPrevious = targetPrevious
      self.oldOrder = oldOrder
      self.newOrder = newOrder
    }
  }

  /// The times of a subject before an event.
  package struct Former: Hashable, Sendable {
    /// The previous commit with an event of the subject; may be the commit of the event itself.
    package let changed: Position
    /// When the object had last changed.
    package let changedAt: Timestamp
    /// The commit that inserted the object, for a deletion.
    package let created: Position?
    /// The time when the object was created, for a deletion.
    package let createdAt: Timestamp?

    package init(changed: Position, changedAt: Timestamp, created: Position? = nil, createdAt: Timestamp? = nil) {
      self.changed = changed
      self.changedAt = changedAt
      self.created = created
      self.createdAt = createdAt
    }
  }

  /// Returns whether the event names an object, as its subject or as an end of its link.
  package func names(_ id: ObjectID) -> Bool {
    if object == id { return true }
    guard let link else { return false }
    return link.from == id || link.to == id
  }

  package var link: Link? {
    switch content {
    case .related(let link), .unrelated(let link): link
    default: nil
    }
  }
}

/// The reason why an event cannot be converted to names, or from names.
package struct EventFault: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
