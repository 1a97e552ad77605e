import DaybookModel

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
