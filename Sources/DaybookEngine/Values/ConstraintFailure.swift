import DaybookModel

/// A rule of the model that a commit would break, as programs show it: at the field of a form, for example.
///
///     for failure in try context.preview().failures.compactMap(\.failure) {
///       form.mark(failure.fields, failure.message)
///     }
public struct ConstraintFailure: Hashable, Sendable {
  /// What the model demands.
  public enum Rule: Hashable, Sendable {
    /// A value, or the target of a to-one relationship.
    case required
    /// Values that no other object has; this one does.
    case unique(ObjectID)
    /// A relationship that never leads from an object back to it.
    case acyclic
    /// A sum that its type can hold.
    case sum
    /// A rule of an attribute.
    case attribute(AttributeRule)
    /// A condition of the entity, as the model writes it.
    case condition(String)
    /// At least so many targets of a to-many relationship.
    case least(Int)
    /// At most so many targets of a to-many relationship.
    case most(Int)
    /// No targets, because the object is to be deleted and the relationship's delete rule is ``DeleteRule/deny``.
    case deny
    /// A check of the application's own, which the store's options hold.
    case validation
  }

  /// The entity of the object.
  public let entity: String
  /// The object that would break the rule.
  public let object: ObjectID
  /// The attributes and relationships of the object that the rule is about.
  public let fields: [String]
  /// The rule.
  public let rule: Rule
  /// The value that breaks it, or the number of targets; null if the rule is about several values or none.
  public let value: Value

  package init(
    entity: String, object: ObjectID, fields: [String], rule: Rule, value: Value = .null
  ) {
    (self.entity, self.object, self.fields) = (entity, object, fields)
    (self.rule, self.value) = (rule, value)
  }
}
