#if Macros

import DaybookMacros

// The projections with derived entities from the article about projections, typed and with names.

extension Guide {
  @Entity struct RecipeYear {
    @Key var type: RecipeType.ID
    @Key var year: String
    var recipes = 0
    var last: Timestamp?
  }

  struct RecipeYears: Projection {
    let name = "recipe-years"
    let version = 1
    let entities: [DerivedEntity] = [.init(RecipeYear.self)]

    func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
      for id in commit.inserted(Recipe.self) {
        let recipe = try commit.after.require(id)
        guard let type = recipe.type else { continue }
        try rows.update(RecipeYear.key(type: type, year: recipe.createdAt.year)) {
          $0.recipes += 1
          $0.last = recipe.createdAt
        }
      }
    }
  }
}

struct NamedYears: Projection {
  let name = "named-years"
  let version = 1

  let entities = [
    DerivedEntity(
      Entity(
        name: "NamedYear",
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
      try rows.update("NamedYear", key: [.uuid(type), .string(recipe.createdAt.year)]) {
        $0["recipes"] = .integer(try $0.integer("recipes") + 1)
      }
    }
  }
}

#endif
