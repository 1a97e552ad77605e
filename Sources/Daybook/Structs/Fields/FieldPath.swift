import DaybookModel
import DaybookQuery

/// The names that lead from an object to one of its fields, or to a field of a related object.
public struct FieldPath: Hashable, Sendable {
  /// The names in order, including words such as `@count` for computed values.
  package let names: [String]
  /// Which targets of a to-many relationship must pass a test; `nil` without one.
  let quantifier: Filter.Quantifier?
  /// The condition on the objects that `@count`, the last name, counts; `nil` if it counts all, or for another path.
  private let condition: Filter?

  init(names: [String], quantifier: Filter.Quantifier? = nil, condition: Filter? = nil) {
    self.names = names
    self.quantifier = quantifier
    self.condition = condition
  }

  /// The empty path, which leads to the object itself.
  package static let object = FieldPath(names: [])

  func appending(_ name: String) -> FieldPath { FieldPath(names: names + [name], quantifier: quantifier) }

  func appending(_ path: FieldPath) -> FieldPath {
    FieldPath(names: names + path.names, quantifier: quantifier ?? path.quantifier)
  }

  func quantified(_ quantifier: Filter.Quantifier) -> FieldPath { FieldPath(names: names, quantifier: quantifier) }

  /// Returns the path to the number of targets that meet a condition.
  func counting(where condition: Filter) -> FieldPath {
    FieldPath(names: names + ["@count"], quantifier: quantifier, condition: condition)
  }

  var operand: Filter.Operand {
    guard let condition else { return .path(text) }
    return .count(names.dropLast().joined(separator: "."), where: condition)
  }

  /// The names with dots between them.
  var text: String { names.joined(separator: ".") }

  /// Tests whether the field has no value, or leads nowhere.
  var isNull: Filter { test(.equal, .value(.null)) }
  var isNotNull: Filter { test(.notEqual, .value(.null)) }

  func test(_ operation: Filter.Operator, _ right: Filter.Operand, options: Filter.Options = []) -> Filter {
    Filter(operand, operation, right, options: options, quantifier: quantifier)
  }
}

/// The end of a key path over the fields of an entity: an attribute or a relationship.
public protocol FieldReference: Sendable {
  /// The path to the field.
  var _fieldPath: FieldPath { get }
}

/// A relationship as the end of a key path.
public protocol RelationshipField: FieldReference {
  /// The struct of the objects to which it leads.
  associatedtype Target: Fetchable
}

/// The names of an entity's fields, at which key paths such as `\.type.name` begin.
///
///     struct Fields: EntityFields {
///       typealias Object = Recipe
///       let fieldPath: FieldPath
///       init(at path: FieldPath) { fieldPath = path }
///       var name: Field<String> { Field(fieldPath, "name") }
///       var type: ToOneField<RecipeType> { ToOneField(fieldPath, "type") }
///       var ingredients: ToManyField<Ingredient> { ToManyField(fieldPath, "ingredients") }
///     }
///
/// The macro `@Entity` generates it. A field has no value: it is a name with a type.
public protocol EntityFields: Sendable {
  /// The struct that is the entity.
  associatedtype Object
  /// The path to the object whose fields these are.
  var fieldPath: FieldPath { get }
  /// Makes the fields of the object at a path.
  init(at path: FieldPath)
}

extension EntityFields {
  /// The identity of the object.
  public var id: Field<EntityID<Object>> { Field(fieldPath, "id") }
  /// When the object was inserted.
  public var createdAt: Field<Timestamp> { Field(fieldPath, "createdAt") }
  /// When an event last had the object as its subject.
  public var changedAt: Field<Timestamp> { Field(fieldPath, "changedAt") }
}
