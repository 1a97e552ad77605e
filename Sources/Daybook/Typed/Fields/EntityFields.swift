import DaybookModel

/// What requests and verbs name the fields of an entity by: key paths such as `\.type.name` begin at such a type.
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
/// The macro `@Entity` makes it. A field has no value: it is a name that knows its type.
public protocol EntityFields: Sendable {
  /// The struct that is the entity.
  associatedtype Object
  /// What leads to the object whose fields these are.
  var fieldPath: FieldPath { get }
  /// The fields of an object that a path leads to.
  init(at path: FieldPath)
}

extension EntityFields {
  /// The identity, which every object has.
  public var id: Field<EntityID<Object>> { Field(fieldPath, "id") }
  /// When the object was inserted.
  public var createdAt: Field<Timestamp> { Field(fieldPath, "createdAt") }
  /// When an event last had the object as its subject.
  public var changedAt: Field<Timestamp> { Field(fieldPath, "changedAt") }
}
