/// One fact about one object, as the journal holds it: what was written, and what that replaced.
///
///     for event in commit.events where event.kind == .renamed {
///       if case .renamed(let change) = event.content { print(change.old, "became", change.new) }
///     }
///
/// Everything is called by its name in the model of the event's commit. What a model had removed by then, but objects
/// still hold, is called by its last name and its tag, as `note#5`: no name in a model has a number sign, so a name like
/// this is never taken, whatever later models call their attributes.
public struct Event: Hashable, Sendable {
  /// The entity of the subject.
  public let entity: String
  /// The subject; of a link its owner.
  public let object: ObjectID
  /// The last earlier commit that touched the subject, if any did.
  public let previous: Position?
  /// What the subject's times were before; nil for ``Kind/inserted``.
  public let former: Former?
  /// What happened, with what it replaced.
  public let content: Content

  package init(entity: String, object: ObjectID, previous: Position?, former: Former?, content: Content) {
    self.entity = entity
    self.object = object
    self.previous = previous
    self.former = former
    self.content = content
  }

  /// What happened.
  public enum Content: Hashable, Sendable {
    /// All values that are not null. The links are those over removed relationships, which an object that comes back
    /// may hold; all others follow as events of their own.
    case inserted([Field], links: [HeldLink])
    /// The value of the name attribute was changed.
    case renamed(Change)
    /// At least one.
    case set([Change])
    /// The object, which owns the link, was linked to another, or the other got another place.
    case related(Link)
    /// The link to another object was removed.
    case unrelated(Link)
    /// All values that were not null, and links over removed relationships.
    case deleted([Field], links: [HeldLink])
    /// An event of a later version of Daybook, which this one keeps and leaves out of everything else.
    case unknown([UInt8])
  }

  /// The kinds of events.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case inserted, renamed, set, related, unrelated, deleted, unknown
  }

  /// What kind of thing happened.
  public var kind: Kind {
    switch content {
    case .inserted: .inserted
    case .renamed: .renamed
    case .set: .set
    case .related: .related
    case .unrelated: .unrelated
    case .deleted: .deleted
    case .unknown: .unknown
    }
  }
}

extension Event {
  /// An attribute with its value.
  public struct Field: Hashable, Sendable {
    /// The name of the attribute.
    public let name: String
    /// Its type.
    public let type: AttributeType
    /// Null only where the object holds a null in the place of a default.
    public let value: Value

    package init(name: String, type: AttributeType, value: Value) {
      self.name = name
      self.type = type
      self.value = value
    }
  }

  /// An attribute with the value that it had and the one that it got.
  public struct Change: Hashable, Sendable {
    /// The name of the attribute.
    public let name: String
    /// Its type.
    public let type: AttributeType
    /// The value before.
    public let old: Value
    /// The value that it got.
    public let new: Value

    package init(name: String, type: AttributeType, old: Value, new: Value) {
      self.name = name
      self.type = type
      self.old = old
      self.new = new
    }
  }

  /// A link over a relationship that the model has removed, which its owner still holds.
  public struct HeldLink: Hashable, Sendable {
    /// The name of the relationship.
    public let relationship: String
    /// The object that it led to.
    public let target: ObjectID
    /// Its place among those of the target; empty where there is no order.
    public let order: [UInt8]

    package init(relationship: String, target: ObjectID, order: [UInt8]) {
      self.relationship = relationship
      self.target = target
      self.order = order
    }
  }

  /// A link that came, went, or led elsewhere.
  public struct Link: Hashable, Sendable {
    /// The relationship of the side that owns the link.
    public let relationship: String
    /// Whether the targets of one of its sides have an order.
    public let isOrdered: Bool
    /// The target that was replaced or let go. Equal to `to` where only the place in an order changed.
    public let from: ObjectID?
    /// The last earlier commit that touched `from`.
    public let fromPrevious: Position?
    /// The target; nil for ``Kind/unrelated``.
    public let to: ObjectID?
    /// The last earlier commit that touched `to`.
    public let targetPrevious: Position?
    /// The order key before; empty for none.
    public let oldOrder: [UInt8]
    /// The order key after; empty for none.
    public let newOrder: [UInt8]

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

  /// What the times of a subject were before an event.
  public struct Former: Hashable, Sendable {
    /// The last commit before in which it was the subject of an event; may be the commit of the event itself.
    public let changed: Position
    /// When the object had last changed.
    public let changedAt: Timestamp
    /// Of a deleted object, the commit that inserted it.
    public let created: Position?
    /// When the object was created.
    public let createdAt: Timestamp?

    package init(changed: Position, changedAt: Timestamp, created: Position? = nil, createdAt: Timestamp? = nil) {
      self.changed = changed
      self.changedAt = changedAt
      self.created = created
      self.createdAt = createdAt
    }
  }

  /// Whether the event belongs to the history of an object: as its subject or as an end of its link.
  public func names(_ id: ObjectID) -> Bool {
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

/// Why an event cannot be told in names, or cannot be made of them.
package struct EventFault: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
