import DaybookModel
import DaybookQuery

/// The names that lead from an object to one of its fields, or to a field of a related object.
public struct FieldPath: Hashable, Sendable {
  /// The names in order, including words such as `@count` for computed values.
  package private(set) var names: [String]
  /// Which targets of a to-many relationship must pass a test; `nil` without one.
  private(set) var quantifier: Filter.Quantifier?
  /// The condition on the objects that `@count`, the last name, counts; `nil` if it counts all, or for another path.
  private var condition: Filter?
  /// The closure with whose parameter the path begins.
  private var start = ScopeReference()

  init(names: [String]) { self.names = names }

  /// The empty path, which leads to the object itself.
  package static let object = FieldPath(names: [])

  /// Returns the empty path for the parameter of a closure that makes a condition.
  static func parameter() -> FieldPath {
    var path = object
    path.start.scope = PathScope()
    return path
  }

  func appending(_ name: String) -> FieldPath {
    var path = self
    path.names.append(name)
    return path
  }

  func quantified(_ quantifier: Filter.Quantifier) -> FieldPath {
    var path = self
    path.quantifier = quantifier
    return path
  }

  /// Returns the path to the number of targets that meet a condition.
  func counting(where condition: Filter) -> FieldPath {
    var path = appending("@count")
    path.condition = condition
    return path
  }

  /// Tests how many targets meet a condition.
  func test(_ quantifier: Filter.Quantifier, where condition: Filter) -> Filter {
    Filter(quantifier, of: text, in: start.scope, where: condition)
  }

  var operand: Filter.Operand {
    guard let condition else { return .path(text, in: start.scope) }
    return .count(names.dropLast().joined(separator: "."), in: start.scope, where: condition)
  }

  /// The names with dots between them.
  private var text: String { names.joined(separator: ".") }

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
