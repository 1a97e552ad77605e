import Daybook
import DaybookModel

/// A model with a rule of each kind.
enum RuleModel {
  static let model = Model(entities: [
    Entity(
      name: "Task", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string, rules: [.minimumLength(1), .maximumLength(4), .pattern("^[a-d]*$")]),
        Attribute(name: "size", type: .integer, isOptional: true, rules: [.minimum(2), .maximum(6)]),
        Attribute(name: "kind", type: .string, isOptional: true, rules: [.oneOf(["x", "y"])]),
        Attribute(name: "start", type: .integer, defaultValue: 0),
        Attribute(name: "due", type: .integer, isOptional: true),
        Attribute(name: "weight", type: nil, derivation: .sum(relationship: "items", attribute: "weight")),
      ],
      relationships: [
        Relationship(name: "items", target: "Item", inverse: "task", isMany: true, least: 1, most: 3)
      ],
      rules: [
        "due == nil OR due >= start", "weight <= 9", "NOT ANY items.weight == 7", "COUNT(items WHERE weight == 4) <= 1",
      ]),
    Entity(
      name: "Item", attributes: [Attribute(name: "weight", type: .integer, defaultValue: 1)],
      relationships: [Relationship(name: "task", target: "Task", inverse: "items", isOptional: true)]),
  ])

  /// Inserts a task with an item.
  @discardableResult
  static func insert(
    _ tx: borrowing Transaction, _ values: [String: Value] = [:]
  ) throws -> (task: ObjectID, item: ObjectID) {
    let task = try tx.insert("Task", ["name": "a"].merging(values) { $1 })
    let item = try tx.insert("Item")
    try tx.relate(item, "task", to: task)
    return (task, item)
  }
}
