/// A relationship to one of an object, with its target.
public struct NamedLink: Hashable, Sendable {
  /// The name of the relationship.
  public let name: String
  /// The target, or `nil` without one; in an event there is always one.
  public let target: ObjectID?
  /// For an event, its place among the target's links; empty if there is no order.
  package let order: [UInt8]

  package init(name: String, target: ObjectID?, order: [UInt8] = []) {
    (self.name, self.target, self.order) = (name, target, order)
  }
}
