/// Makes a struct an entity: each stored property becomes an attribute or a relationship.
///
///     @Entity struct Recipe {
///       @Name var name: String
///       @Index var servings = 4
///       var note: String?
///       @Relationship(inverse: \RecipeType.recipes) var type: RecipeType.ID?
///       @Relationship(inverse: \Ingredient.recipe, onDelete: .cascade, ordered: true)
///       var ingredients: Related<Ingredient>
///       @Derived(count: \Recipe.ingredients) var ingredientCount: Int
///     }
///
/// A property of a type `Other.ID` or `Other.ID?` is a to-one relationship, required or optional; a property of a type
/// `Related<Other>` is a to-many relationship. All others are attributes, of any type that is an ``AttributeValue``.
/// Computed and static properties are ignored.
///
/// The initial value of a property is the default of new values. If it is a constant (a literal, or an enumeration's
/// case such as `.main`), it is also the default of the attribute in the model, so that objects inserted without the
/// struct receive it too.
///
/// The macro generates the type's `ID` and `Fields`, an initialiser with all stored properties unless the struct has
/// its own, and the requirements of ``Storable``.
///
/// One side of a relationship names its inverse, which determines the other side: two key paths that refer to each
/// other are a circle for the compiler. Neither side has to name it if only one relationship leads back.
///
/// - Parameters:
///   - name: The name of the entity in the model; the name of the struct if it is omitted.
///   - renamedFrom: The entity's name in the previous model.
@attached(
  member, names: named(ID), named(Fields), named(entityName), named(entity), named(init), named(write))
@attached(extension, conformances: Storable)
public macro Entity(_ name: String? = nil, renamedFrom: String? = nil) =
  #externalMacro(module: "DaybookMacrosPlugin", type: "EntityMacro")
