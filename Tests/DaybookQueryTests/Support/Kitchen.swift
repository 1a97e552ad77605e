@testable import DaybookModel

/// The model of most tests.
enum Kitchen {
  static let model = Model(entities: [
    Entity(
      name: "Recipe", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string, isOptional: true),
        Attribute(name: "title", type: .string, isOptional: true, order: .caseInsensitive),
        Attribute(name: "file", type: .string, isOptional: true, order: .natural),
        Attribute(name: "servings", type: .integer, isOptional: true),
        Attribute(name: "price", type: .double, isOptional: true),
        Attribute(name: "cost", type: .decimal, isOptional: true),
        Attribute(name: "vegan", type: .boolean, isOptional: true),
        Attribute(name: "cookedAt", type: .date, isOptional: true),
        Attribute(name: "code", type: .uuid, isOptional: true),
        Attribute(name: "picture", type: .data, isOptional: true),
        Attribute(name: "extra", type: .codable, isOptional: true),
        Attribute(name: "ingredientCount", type: nil, derivation: .count(relationship: "ingredients")),
      ],
      relationships: [
        Relationship(name: "type", target: "RecipeType", inverse: "recipes", isOptional: true),
        Relationship(name: "cover", target: "Photo", inverse: "recipe", isOptional: true),
        Relationship(
          name: "ingredients", target: "Ingredient", inverse: "recipe", isMany: true, isOrdered: true,
          deleteRule: .cascade),
        Relationship(name: "tags", target: "Tag", inverse: "recipes", isMany: true),
      ],
      unique: [["code"], ["name", "type"]],
      indexes: [
        Index([.init(path: ["type", "name"]), .init(path: ["name"])]),
        Index([.init(path: ["servings"], .descending), .init(path: ["title"])]),
        Index([.init(path: ["changedAt"], .descending)]),
        Index([.init(path: ["file"])]),
      ]),
    Entity(
      name: "RecipeType", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string, isOptional: true)],
      relationships: [Relationship(name: "recipes", target: "Recipe", inverse: "type", isMany: true)]),
    Entity(
      name: "Ingredient", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string, isOptional: true),
        Attribute(name: "amount", type: .integer, isOptional: true),
        Attribute(name: "weight", type: .double, isOptional: true),
        Attribute(name: "cost", type: .decimal, isOptional: true),
      ],
      relationships: [Relationship(name: "recipe", target: "Recipe", inverse: "ingredients", isOptional: true)]),
    Entity(
      name: "Tag", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string, isOptional: true)],
      relationships: [Relationship(name: "recipes", target: "Recipe", inverse: "tags", isMany: true)]),
    Entity(
      name: "Photo", attributes: [Attribute(name: "year", type: .integer, isOptional: true)],
      relationships: [Relationship(name: "recipe", target: "Recipe", inverse: "cover", isOptional: true)]),
  ])

  static let resolved: ResolvedModel = {
    do {
      return try ResolvedModel(creating: model)
    } catch {
      fatalError("\(error)")
    }
  }()
}
