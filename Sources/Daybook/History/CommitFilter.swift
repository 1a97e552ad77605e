import DaybookModel
import DaybookQuery

/// A question about commits: what they contain, who wrote them, why and when.
///
///     var filter = CommitFilter(entity: "Recipe", kind: .renamed)
///     filter.author = "anna"
///     var log = try store.log(where: filter)
///     while let commit = try log.next() { print(commit.position, commit.message ?? "") }
///
/// All conditions must hold. ``entity``, ``kind``, ``event``, ``object`` and the values that ``condition`` reads under
/// `event` must hold for one and the same event of the commit; all others are conditions on the commit. A commit of a
/// model has no events: it meets conditions on the commit alone, ``isModel`` among them.
public struct CommitFilter: Hashable, Sendable {
  /// The entity of an event's subject, by its name in the model of the commit.
  public var entity: String?
  /// The kind of an event.
  public var kind: Event.Kind?
  /// The name of a recorded event in the model of the commit.
  public var event: String?
  /// An object that an event names, as its subject or as an end of a link.
  public var object: ObjectID?
  /// A part of the author.
  public var author: String?
  /// A part of the message.
  public var message: String?
  /// The commit that is named as the cause, by its position or its id.
  public var causation: CommitReference?
  /// The whole correlation.
  public var correlation: String?
  /// Whether ``author`` and ``message`` are compared without regard to case.
  public var ignoresCase = false
  /// The earliest time of the commit: when it happened, or else when it was recorded.
  public var since: Timestamp?
  /// The latest time of the commit.
  public var until: Timestamp?
  /// Whether the commit must store a model.
  public var isModel: Bool
  /// A filter over the values of an event, as `event.servings >= 4`, and of the commit's metadata.
  ///
  /// `event` has the values of an inserted object or a recorded event, and the new values of a change; `metadata` has the
  /// commit's. A name that an event or the metadata lack is `nil`.
  /// Values of different types are unequal, and neither is less than the other; numbers of all types are compared.
  public var condition: Filter?

  /// Creates a filter; without conditions all commits meet it.
  public init(
    entity: String? = nil, kind: Event.Kind? = nil, event: String? = nil, object: ObjectID? = nil,
    author: String? = nil, message: String? = nil, causation: CommitReference? = nil, correlation: String? = nil,
    since: Timestamp? = nil, until: Timestamp? = nil, isModel: Bool = false, condition: Filter? = nil
  ) {
    self.entity = entity
    self.kind = kind
    self.event = event
    self.object = object
    self.author = author
    self.message = message
    self.causation = causation
    self.correlation = correlation
    self.since = since
    self.until = until
    self.isModel = isModel
    self.condition = condition
  }
}
