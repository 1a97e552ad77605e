import DaybookEngine
import DaybookModel

/// A struct that is an entity of the model, with the values of an object as its properties.
///
///     struct Recipe {
///       var name: String
///       var servings = 4
///       var type: RecipeType.ID?
///     }
///
///     nonisolated extension Recipe: Storable {
///       typealias ID = EntityID<Recipe>
///
///       struct Fields: EntityFields {
///         typealias Object = Recipe
///         let fieldPath: FieldPath
///         init(at path: FieldPath) { fieldPath = path }
///         var name: Field<String> { Field(fieldPath, "name") }
///         var servings: Field<Int> { Field(fieldPath, "servings") }
///         var type: ToOneField<RecipeType> { ToOneField(fieldPath, "type") }
///       }
///
///       static var entity: Entity {
///         get throws {
///           Entity(
///             name: "Recipe", nameAttribute: "name",
///             attributes: [
///               try Attribute("name", as: String.self), try Attribute("servings", as: Int.self, default: 4),
///             ],
///             relationships: [Relationship("type", toOne: RecipeType.self, inverse: "recipes", isOptional: true)])
///         }
///       }
///
///       init(row: inout ObjectRow) throws {
///         name = try row.value("name")
///         servings = try row.value("servings")
///         type = try row.target("type")
///       }
///
///       func write(to values: inout ObjectValues) throws {
///         try values.set("name", name)
///         try values.set("servings", servings)
///         values.relate("type", to: type)
///       }
///     }
///
/// Objects are read and written on any thread. In a module whose declarations belong to the main actor by default, the
/// extension has to be `nonisolated`, as here, or the struct must conform to the protocol in its declaration.
///
/// The macro `@Entity` of the product DaybookMacros generates everything except the stored properties. In either case,
/// the struct is a view of an ordinary entity of the model, which the command line, untyped objects and other programs
/// see too.
///
/// Related objects are stored as ids: a to-one relationship as `RecipeType.ID?` (or `RecipeType.ID` if it is required),
/// a to-many relationship as ``Related``. An object's id and times are in ``Record``.
public protocol Storable: Fetchable {
  /// The declaration of the entity.
  ///
  /// The inverse of a relationship may be omitted (empty) if the other entity names it, or if it is unambiguous;
  /// `Model(Recipe.self, …)` fills it in.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a default that cannot be stored.
  static var entity: Entity { get throws }

  /// Writes the values and links to store for an object with this value.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a value that cannot be stored.
  func write(to values: inout ObjectValues) throws
}
