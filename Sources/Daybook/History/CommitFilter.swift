import DaybookModel
import DaybookQuery

/// A question about commits: what they contain, who wrote them, why and when.
///
///     let filter = CommitFilter(entity: "Recipe", kind: .renamed, author: "anna")
///     var log = try store.log(where: filter)
///     while let commit = try log.next() { print(commit.position, commit.message ?? "") }
///
/// All conditions must hold. The entity, the kind, the name of an event, the object and the values that the filter
/// reads under `event` must hold for one and the same event of the commit; all others are conditions on the commit. A
/// commit of a model has no events: it meets conditions on the commit alone, `isModel` among them.
public struct CommitFilter: Hashable, Sendable {
  package var entity: String?
  package var kind: Event.Kind?
  package var event: String?
  package var object: ObjectID?
  package var author: String?
  package var message: String?
  package var causation: CommitReference?
  package var correlation: String?
  package var ignoresCase: Bool
  package var since: Timestamp?
  package var until: Timestamp?
  package var isModel: Bool
  package var condition: Filter?

  /// Creates a filter; without conditions all commits meet it.
  ///
  /// - Parameters:
  ///   - entity: The entity of an event's subject, by its name in the model of the commit.
  ///   - kind: The kind of an event.
  ///   - event: The name of a recorded event in the model of the commit.
  ///   - object: An object that an event names, as its subject or as an end of a link.
  ///   - author: A part of the author.
  ///   - message: A part of the message.
  ///   - ignoresCase: Whether author and message are compared without regard to case.
  ///   - causation: The commit that is named as the cause, by its position or its id.
  ///   - correlation: The whole correlation.
  ///   - since: The earliest time of the commit: when it happened, or else when it was recorded.
  ///   - until: The latest time of the commit.
  ///   - isModel: Whether the commit must store a model.
  ///   - condition: A filter over the values of an event, as `event.servings >= 4`, and of the commit's metadata.
  ///     `event` has the values of an inserted object or a recorded event, and the new values of a change; `metadata`
  ///     has the commit's. A name that an event or the metadata lack is `nil`. Values of different types are unequal,
  ///     and neither is less than the other; numbers of all types are compared.
  public init(
    entity: String? = nil, kind: Event.Kind? = nil, event: String? = nil, object: ObjectID? = nil,
    author: String? = nil, message: String? = nil, ignoresCase: Bool = false, causation: CommitReference? = nil,
    correlation: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil, isModel: Bool = false,
    condition: Filter? = nil
  ) {
    self.entity = entity
    self.kind = kind
    self.event = event
    self.object = object
    self.author = author
    self.message = message
    self.ignoresCase = ignoresCase
    self.causation = causation
    self.correlation = correlation
    self.since = since
    self.until = until
    self.isModel = isModel
    self.condition = condition
  }
}
