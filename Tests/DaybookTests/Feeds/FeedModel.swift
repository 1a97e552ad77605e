import Daybook
import DaybookTestSupport

/// Recipes with ordered ingredients, a type and tags: the model of the feeds' tests.
enum FeedModel {
  static let model = Model(entities: [
    Entity(
      name: "Recipe", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "servings", type: .integer, isOptional: true),
        Attribute(name: "weight", type: .double, isOptional: true),
        Attribute(name: "tagCount", type: nil, derivation: .count(relationship: "tags")),
      ],
      relationships: [
        Relationship(name: "type", target: "RecipeType", inverse: "recipes", isOptional: true),
        Relationship(
          name: "ingredients", target: "Ingredient", inverse: "recipe", isMany: true, isOrdered: true,
          deleteRule: .cascade),
        Relationship(name: "tags", target: "Tag", inverse: "recipes", isMany: true),
      ]),
    Entity(
      name: "RecipeType", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "recipes", target: "Recipe", inverse: "type", isMany: true)]),
    Entity(
      name: "Ingredient", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "recipe", target: "Recipe", inverse: "ingredients")]),
    Entity(
      name: "Tag", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "recipes", target: "Recipe", inverse: "tags", isMany: true, isOrdered: true)]),
  ])

  /// The request for recipes by name.
  static var byName: Request<StoredObject> { Request(entity: "Recipe", sort: [SortTerm(path: ["name"])]) }

  /// The request for recipes by name, in sections by the name of their type.
  static var byType: Request<StoredObject> {
    Request(entity: "Recipe", sort: [SortTerm(path: ["name"])], section: SectionKey(path: ["type", "name"]))
  }
}

extension Store {
  /// Writes on this thread, in asynchronous tests too.
  @discardableResult
  func writeNow<Result>(
    author: String? = nil, _ body: (borrowing Transaction) throws -> Result
  ) throws -> Result {
    try write(author: author, body)
  }

  /// Inserts recipes with these names in one commit.
  @discardableResult
  func insertRecipes(_ names: String..., type: ObjectID? = nil) throws -> [ObjectID] {
    try write { tx in
      try names.map { name in
        let id = try tx.insert("Recipe", ["name": .string(name)])
        if let type { try tx.relate(id, "type", to: type) }
        return id
      }
    }
  }
}

extension LiveResults<StoredObject> {
  /// Returns the names of the rows, by section.
  func names() throws -> [[String]] {
    try fetched().sections.map { section in
      section.rows.map { object in
        if case .string(let name) = object["name"] { name } else { "" }
      }
    }
  }
}
