import DaybookEngine
import DaybookModel

/// A struct that is an entity of a projection, with the values of a derived object as its properties.
///
///     struct RecipeMonth {
///       var type: RecipeType.ID
///       var month: String
///       var recipes = 0
///       var last: Timestamp?
///     }
///
///     nonisolated extension RecipeMonth: Derivable {
///       typealias ID = EntityID<RecipeMonth>
///
///       struct Fields: EntityFields {
///         typealias Object = RecipeMonth
///         let fieldPath: FieldPath
///         init(at path: FieldPath) { fieldPath = path }
///         var type: ToOneField<RecipeType> { ToOneField(fieldPath, "type") }
///         var month: Field<String> { Field(fieldPath, "month") }
///         var recipes: Field<Int> { Field(fieldPath, "recipes") }
///         var last: Field<Timestamp?> { Field(fieldPath, "last") }
///       }
///
///       static var entity: DerivedEntity {
///         get throws {
///           DerivedEntity(
///             Entity(
///               name: "RecipeMonth",
///               attributes: [
///                 try Attribute("month", as: String.self), try Attribute("recipes", as: Int.self, default: 0),
///                 try Attribute("last", as: Timestamp?.self),
///               ],
///               relationships: [Relationship("type", toOne: RecipeType.self, isOptional: false)]),
///             key: ["type", "month"])
///         }
///       }
///
///       static func key(type: RecipeType.ID, month: String) -> EntityKey<RecipeMonth> { EntityKey(type, month) }
///
///       init(row: inout ObjectRow) throws {
///         type = try row.target("type")
///         month = try row.value("month")
///         recipes = try row.value("recipes")
///         last = try row.value("last")
///       }
///
///       func write(to values: inout ObjectValues) throws {
///         values.relate("type", to: type)
///         try values.set("month", month)
///         try values.set("recipes", recipes)
///         try values.set("last", last)
///       }
///     }
///
/// The macro `@Entity` generates everything except the stored properties, if a property has `@Key`. The struct is read as
/// a ``Storable`` one is, and written by its projection alone, with ``DerivedRows``: it is in no `Model(...)`.
public protocol Derivable: Fetchable {
  /// The declaration of the entity, with its key.
  ///
  /// A relationship without an inverse leads to an object of the store; see ``DerivedEntity``.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a default that cannot be stored.
  static var entity: DerivedEntity { get throws }

  /// Writes the values and to-one links of an object, including its key.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a value that cannot be stored.
  func write(to values: inout ObjectValues) throws
}
