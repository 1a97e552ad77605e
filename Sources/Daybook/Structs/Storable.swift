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
public protocol Storable: Sendable {
  /// The names of its attributes and relationships, at which key paths begin.
  associatedtype Fields: EntityFields where Fields.Object == Self

  /// The name of the entity in the model; by default the name of the type.
  static var entityName: String { get }

  /// The declaration of the entity.
  ///
  /// The inverse of a relationship may be omitted (empty) if the other entity names it, or if it is unambiguous;
  /// `Model(Recipe.self, …)` fills it in.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a default that cannot be stored.
  static var entity: Entity { get throws }

  /// Reads an object. Values are found fastest in the order of the model.
  ///
  /// - Throws: `StoreError` with the code `badValue` if a stored value does not fit its property.
  init(row: inout ObjectRow) throws

  /// Writes the values and links to store for an object with this value.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a value that cannot be stored.
  func write(to values: inout ObjectValues) throws
}

extension Storable {
  public static var entityName: String { String(describing: Self.self) }

  /// A request for all objects of the entity.
  public static var all: Request<Record<Self>> { Request() }

  /// Returns a request for the objects that match a condition.
  ///
  ///     Recipe.where { $0.servings > 4 }
  ///     Task.where { $0.isDone }
  public static func `where`(_ condition: (Fields) -> some FilterConvertible) -> Request<Record<Self>> {
    all.where(condition)
  }

  /// Returns the names of the path to a field.
  static func names(of field: KeyPath<Fields, some FieldReference>) -> [String] {
    Fields(at: .object)[keyPath: field].fieldPath.names
  }

  /// Returns the name of a field of the entity itself.
  ///
  /// - Throws: `StoreError` with the code `badRequest` for a field of a related object.
  static func name(of field: KeyPath<Fields, some FieldReference>) throws -> String {
    let names = names(of: field)
    guard names.count == 1 else {
      throw StoreError(
        .badRequest, "“\(names.joined(separator: "."))” is not a field of \(entityName) itself.",
        advice: "Change the object that has it.")
    }
    return names[0]
  }
}
