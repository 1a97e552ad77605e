import DaybookModel

/// A struct that is an entity of the model: its values are what the objects hold.
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
/// Objects are read and written on any thread. Where the declarations of a module belong to the main actor unless they say
/// otherwise, the extension has to be `nonisolated`, as here, or the struct names the protocol where it is declared.
///
/// The macro `@Entity` of the product DaybookMacros writes all but the stored properties. By hand or by macro, it is a
/// view of an entity of the model, which the command line, untyped objects and other programs see as any other.
///
/// Related objects are held as ids: a to-one relationship as `RecipeType.ID?` (or `RecipeType.ID` if it is required), a
/// to-many as ``Related``. What an object has beside its values, its id and times, comes with ``Stored``.
public protocol Storable: Sendable {
  /// The names of its attributes and relationships, as key paths begin at them.
  associatedtype Fields: EntityFields where Fields.Object == Self

  /// The name of the entity in the model; that of the type unless it says otherwise.
  static var entityName: String { get }

  /// The entity as the model has it. The inverse of a relationship may be left out (empty) where the other entity names
  /// it, or only one can be meant; `Model(Recipe.self, …)` fills it in.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a default that cannot be stored.
  static var entity: Entity { get throws }

  /// Reads an object. Values are found fastest in the order of the model.
  ///
  /// - Throws: `StoreError` with the code `badValue` where a stored value does not fit its property.
  init(row: inout ObjectRow) throws

  /// Says what an object with this value holds.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a value that cannot be stored.
  func write(to values: inout ObjectValues) throws
}

extension Storable {
  public static var entityName: String { String(describing: Self.self) }
}
