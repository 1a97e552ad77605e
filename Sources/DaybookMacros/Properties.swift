/// Says more of a property that is an attribute.
///
///     @Attribute(renamedFrom: "title", order: .natural) var name: String
///
/// - Parameters:
///   - renamedFrom: What the attribute was called in the model before.
///   - order: How strings are ordered; by code points if it is left out.
@attached(peer)
public macro Attribute(renamedFrom: String? = nil, order: StringOrder = .codepoint) =
  #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Says that a string is the name of an object: changing it is a `renamed` event, and trees print it.
@attached(peer)
public macro Name() = #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Says that no two objects share a value; on the struct, that they share no combination of values.
///
///     @Unique("recipe", "name") @Entity struct Ingredient { ... }
///
/// A value that is nil never collides.
///
/// - Parameter fields: On a struct, the names of attributes and to-one relationships. On a property, none.
@attached(peer)
public macro Unique(_ fields: String...) = #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Keeps the objects sorted by a property; on the struct, by several values.
///
///     @Index("type.name", "createdAt:desc") @Entity struct Recipe { ... }
///
/// - Parameter terms: On a struct, paths over to-one relationships, each with `:desc` behind it if it descends. On a
///   property, none.
@attached(peer)
public macro Index(_ terms: String...) = #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Says more of a property that is a relationship.
///
///     @Relationship(inverse: \Ingredient.recipe, onDelete: .cascade, ordered: true)
///     var ingredients: Related<Ingredient>
///
/// - Parameters:
///   - inverse: The property of the other struct that leads back. It is left out where the other names this one, and may
///     be where only one can be meant.
///   - onDelete: What happens to the related objects when the object is deleted.
///   - ordered: Whether the related objects have an order that people choose; for to-many relationships only.
///   - renamedFrom: What the relationship was called in the model before.
@attached(peer)
public macro Relationship(
  inverse: AnyKeyPath? = nil, onDelete: DeleteRule = .nullify, ordered: Bool = false, renamedFrom: String? = nil
) = #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Says that the store keeps a property: the number of related objects.
///
///     @Derived(count: \Recipe.ingredients) var ingredientCount: Int
@attached(peer)
public macro Derived(count: AnyKeyPath, renamedFrom: String? = nil) =
  #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Says that the store keeps a property: the sum of an attribute of related objects, 0 without any.
///
///     @Derived(sum: \Recipe.ingredients, of: \Ingredient.amount) var weight: Double
@attached(peer)
public macro Derived(sum: AnyKeyPath, of: AnyKeyPath, renamedFrom: String? = nil) =
  #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Says that the store keeps a property: the least value of an attribute of related objects, nil without any.
@attached(peer)
public macro Derived(minimum: AnyKeyPath, of: AnyKeyPath, renamedFrom: String? = nil) =
  #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")

/// Says that the store keeps a property: the greatest value of an attribute of related objects, nil without any.
@attached(peer)
public macro Derived(maximum: AnyKeyPath, of: AnyKeyPath, renamedFrom: String? = nil) =
  #externalMacro(module: "DaybookMacrosPlugin", type: "PropertyMacro")
