#if Macros

import DaybookMacros

// The projection of the article about projections that has names in place of structs.

struct RecipeYears: Projection {
  let name = "recipe-years"
  let version = 1

  let entities = [
    DerivedEntity(
      Entity(
        name: "RecipeYear",
        attributes: [
          Attribute(name: "year", type: .string),
          Attribute(name: "recipes", type: .integer, defaultValue: .integer(0)),
        ],
        relationships: [Relationship(name: "type", target: "RecipeType")]),
      key: ["type", "year"])
  ]

  func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    for id in commit.inserted("Recipe") {
      guard let recipe = try commit.after.get(id), let type = recipe.target("type") else { continue }
      try rows.update("RecipeYear", key: [.uuid(type), .string(recipe.createdAt.year)]) {
        $0["recipes"] = .integer(try $0.integer("recipes") + 1)
      }
    }
  }
}

#endif
