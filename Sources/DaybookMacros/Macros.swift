/// Re-exports Daybook with `import DaybookMacros`.
@_exported import Daybook

#if Macros

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
/// other are a cycle for the compiler. Neither side has to name it if only one relationship leads back.
///
/// A struct that is declared to be `Hashable` or `Equatable` is compared by all of its properties but the to-many
/// relationships, whose targets are no part of a value.
///
/// A struct with a ``Key()`` is an entity of a projection, which alone writes its objects: it is ``Derivable`` in place of
/// ``Storable``, and the macro generates the function `key` as well.
///
/// Structs do not inherit: a struct with a `parent` repeats the properties of the parent's struct, and the model has them
/// once.
///
///     @Entity(isAbstract: true) struct Vehicle { @Name var name: String }
///     @Entity(parent: Vehicle.self) struct Car { var name: String; var doors = 4 }
///
/// - Parameters:
///   - name: The name of the entity in the model; the name of the struct if it is omitted.
///   - renamedFrom: The entity's name in the previous model.
///   - parent: The struct of the entity of which this one is a kind.
///   - isAbstract: Whether all objects are of the entity's children.
@attached(
  member, names: named(ID), named(Fields), named(entityName), named(entity), named(key), named(init), named(write),
  named(==), named(hash))
@attached(extension, conformances: Fetchable, Storable, Derivable)
public macro Entity(
  _ name: String? = nil, renamedFrom: String? = nil, parent: (any Storable.Type)? = nil, isAbstract: Bool = false
) =
  #externalMacro(module: "DaybookMacrosPlugin", type: "EntityMacro")

/// Makes a struct a named event: what the application records about an object.
///
///     @Event struct RecipeCooked {
///       var about: Recipe.ID
///       var servings: Int
///       var verdict: String?
///     }
///
///     let model = try Model(Recipe.self, RecipeType.self, events: RecipeCooked.self)
///     try store.write { try $0.record(RecipeCooked(about: cake, servings: 6)) }
///
/// The property `about` holds the id of the object; each other stored property is an attribute, of any type that is an
/// ``AttributeValue``. Computed and static properties are ignored. Initial values are the defaults, as in an
/// ``Entity(_:renamedFrom:parent:isAbstract:)``.
///
/// The macro generates an initialiser with all stored properties unless the struct has its own, and the requirements of
/// ``Recordable``.
///
/// - Parameters:
///   - name: The name of the event in the model; the name of the struct if it is omitted.
///   - renamedFrom: The event's name in the previous model.
@attached(member, names: named(eventName), named(eventType), named(init), named(write))
@attached(extension, conformances: Recordable)
public macro Event(_ name: String? = nil, renamedFrom: String? = nil) =
  #externalMacro(module: "DaybookMacrosPlugin", type: "EventMacro")

/// Sets options of a property that is an attribute.
///
///     @Attribute(.length(1...200), renamedFrom: "title", order: .natural) var name: String
///     @Attribute(.range(1...99)) var servings = 4
///
/// - Parameters:
///   - rules: What the values are checked by at the end of a commit that changes them.
///   - renamedFrom: The attribute's name in the previous model.
///   - order: The order of strings; by code points if it is omitted.
@attached(peer)
public macro Attribute(_ rules: AttributeRules..., renamedFrom: String? = nil, order: StringOrder = .codepoint) =
  #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Marks a string as the name of an object.
///
/// Changing it is a `renamed` event, and trees print it.
@attached(peer)
public macro Name() = #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Makes a property a part of the key of a derived entity: the identity of the objects that a projection writes.
///
///     @Entity struct AuthorMonth {
///       @Key var author: Author.ID
///       @Key var month: String
///       var commits = 0
///       var last: Timestamp?
///     }
///
///     try rows.update(AuthorMonth.key(author: author, month: "2026-03")) { $0.commits += 1 }
///
/// A key has one to four properties: to-one relationships, and attributes of any type but data, floating-point numbers and
/// codable values. Each other attribute is optional or has a constant as its default, and each other to-one relationship is
/// optional. A relationship needs an inverse only within the projection.
@attached(peer)
public macro Key() = #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Makes a property's values unique; on the struct, a combination of values.
///
///     @Unique("recipe", "name") @Entity struct Ingredient { ... }
///
/// A nil value never collides.
///
/// - Parameter fields: On a struct, the names of attributes and to-one relationships. On a property, none.
@attached(peer)
public macro Unique(_ fields: String...) = #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Keeps the objects sorted by a property; on the struct, by several values.
///
///     @Index("type.name", "createdAt:desc") @Entity struct Recipe { ... }
///
/// - Parameter terms: On a struct, paths over to-one relationships, each followed by `:desc` if it descends. On a
///   property, none.
@attached(peer)
public macro Index(_ terms: String...) = #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Keeps groups of the objects up to date with every commit, as an index is kept.
///
///     @Group("recipesByType", by: "type.name", "createdAt.month", show: "count", "sum:servings")
///     @Entity struct Recipe { ... }
///
/// Requests that group all objects by the same keys, and show none but these values, are answered from the kept groups:
/// see ``GroupDeclaration``. A struct may have several `@Group`.
///
/// - Parameters:
///   - name: The name of the groups, which no others of the struct have.
///   - keys: From one to four paths over to-one relationships, each followed by a transform if values are grouped by it:
///     `.day`, `.week`, `.month` or `.year`, in UTC, or `.initial`.
///   - values: What is computed over each group: `count`, or a function and a path, as in `sum:servings`; `count` alone if
///     it is omitted.
@attached(peer)
public macro Group(_ name: String, by keys: String..., show values: String...) =
  #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Declares conditions that each object meets at the end of a commit that changes what they are about.
///
///     @Rule("due == nil OR due >= createdAt") @Entity struct Task { ... }
///
/// - Parameter conditions: Filters, as text.
@attached(peer)
public macro Rule(_ conditions: String...) = #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Sets options of a property that is a relationship.
///
///     @Relationship(inverse: \Ingredient.recipe, onDelete: .cascade, ordered: true)
///     var ingredients: Related<Ingredient>
///
/// - Parameters:
///   - inverse: The property of the other struct that leads back. It is omitted if the other property names this one,
///     and may be omitted if only one property leads back. If none does, the relationship is one-way. It is `.itself` for
///     a relationship of the struct with itself that is its own inverse, which has no order and is not acyclic.
///   - onDelete: The effect on the related objects when the object is deleted.
///   - ordered: Whether the related objects have an order that users choose; for to-many relationships only.
///   - acyclic: Whether a commit that would lead from an object back to itself is refused; for to-one relationships to
///     the same entity only.
///   - least: The least number of related objects; for to-many relationships only.
///   - most: The greatest number of related objects; for to-many relationships only.
///   - renamedFrom: The relationship's name in the previous model.
@attached(peer)
public macro Relationship(
  inverse: AnyKeyPath? = nil, onDelete: DeleteRule = .nullify, ordered: Bool = false, acyclic: Bool = false,
  least: Int? = nil, most: Int? = nil, renamedFrom: String? = nil
) = #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

extension AnyKeyPath {
  /// The inverse of a relationship of a struct with itself that is its own inverse.
  ///
  ///     @Relationship(inverse: .itself) var friends: Related<Person>
  ///     @Relationship(inverse: .itself) var partner: Person.ID?
  ///
  /// A link is made once, and both objects have it. The macro reads the word and not the value: a key path to the property
  /// at which it stands would be the same, but the compiler reports it as a circular reference.
  public static var itself: AnyKeyPath { \Void.self }
}

/// Derives a property: the number of related objects.
///
///     @Derived(count: \Recipe.ingredients) var ingredientCount: Int
@attached(peer)
public macro Derived(count: AnyKeyPath, renamedFrom: String? = nil) =
  #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Derives a property: the sum of an attribute of related objects, 0 without any.
///
///     @Derived(sum: \Recipe.ingredients, of: \Ingredient.amount) var weight: Double
@attached(peer)
public macro Derived(sum: AnyKeyPath, of: AnyKeyPath, renamedFrom: String? = nil) =
  #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Derives a property: the least value of an attribute of related objects, nil if none.
@attached(peer)
public macro Derived(minimum: AnyKeyPath, of: AnyKeyPath, renamedFrom: String? = nil) =
  #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Derives a property: the greatest value of an attribute of related objects, nil if none.
@attached(peer)
public macro Derived(maximum: AnyKeyPath, of: AnyKeyPath, renamedFrom: String? = nil) =
  #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

#endif
