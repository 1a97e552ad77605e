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
/// A property of a type `Other.ID` or `Other.ID?` is a to-one relationship, required or not; one of a type
/// `Related<Other>` a to-many. All others are attributes: of any type that is an ``AttributeValue``. Computed and static
/// properties are left alone.
///
/// What a property is initialised with is the default of new values. If it is a constant (a literal, or an enumeration's
/// case as `.main`), it is the default of the attribute in the model as well, so that objects that are inserted without
/// the struct get it too.
///
/// The macro writes the type's `ID` and `Fields`, an initialiser with all stored properties unless the struct has one
/// of its own, and what ``Storable`` asks for.
///
/// One side of a relationship names its inverse, the other side follows from it: two key paths that lead to each other
/// are a circle to the compiler. Neither has to where only one relationship leads back.
///
/// - Parameters:
///   - name: The name of the entity in the model; that of the struct if it is left out.
///   - renamedFrom: What the entity was called in the model before.
@attached(
  member, names: named(ID), named(Fields), named(entityName), named(entity), named(init), named(write))
@attached(extension, conformances: Storable)
public macro Entity(_ name: String? = nil, renamedFrom: String? = nil) =
  #externalMacro(module: "DaybookMacrosPlugin", type: "EntityMacro")
