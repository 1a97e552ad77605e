#if Macros

import DaybookMacros

/// The entities of the articles, in their own namespace.
enum Guide {
  enum Course: String, ScalarValue { case starter, main, dessert }

  struct Nutrition: CodableValue, Hashable {
    var energy = 0.0
  }

  @Index("type.name", "createdAt:desc")
  @Entity struct Recipe: Hashable {
    @Name var name: String
    var servings = 4
    var note: String?
    var course: Course = .main
    var nutrition: Nutrition?
    @Relationship(inverse: \RecipeType.recipes) var type: RecipeType.ID?
    @Relationship(inverse: \Ingredient.recipe, onDelete: .cascade, ordered: true)
    var ingredients: Related<Ingredient>
    @Derived(count: \Recipe.ingredients) var ingredientCount: Int
  }

  @Entity struct RecipeType: Hashable {
    @Name @Unique var name: String
    var recipes: Related<Recipe>
  }

  @Unique("recipe", "name")
  @Entity struct Ingredient: Hashable {
    @Name var name: String
    var amount = 1.0
    var recipe: Recipe.ID
  }

  @Event struct RecipeCooked: Hashable {
    var about: Recipe.ID
    var servings: Int
    var verdict: String?
  }

  @MainActor final class RecipeList {
    let recipes: ObservedResults<Record<Recipe>>

    init(_ store: Store) throws {
      recipes = try ObservedResults(of: Recipe.all.sorted(by: \.name), in: store)
    }

    func title(_ row: Int) throws -> String { try recipes.row(at: RowPath(section: 0, row: row)).name }
  }
}

#endif
