import DaybookMacros
import ExampleSupport

/// The first screen: all recipes by name, with their types and ingredients.
struct RecipeList {
  private let recipes: EntityLiveResults<Recipe>
  private let view = ListView<Recipe>("Recipes") { recipe in
    let ingredients = try recipe.ingredients.fetch().map(\.name).joined(separator: ", ")
    let picture = recipe.thumbnail?.lines.first ?? "    "
    return "\(picture) \(recipe.name) (\(try recipe.related(\.type)?.name ?? "no type")): \(ingredients)"
  }

  init(_ store: Store) throws {
    // A cell shows more than the recipe's own values, so the request names the paths whose changes update the row.
    recipes = try store.liveResults(
      of: Recipe.all.sorted(by: \.name).showing(\.name, \.thumbnail, \.type.name, \.ingredients)
        .prefetching(\.type, \.ingredients))
    try view.show(recipes)
  }

  func refresh() throws { try view.perform(recipes.update()) }
}

/// The second screen: the ingredients of one recipe, in the order that a user chose.
struct IngredientList {
  private let store: Store
  private let recipe: Recipe.ID
  private let ingredients: EntityLiveResults<Ingredient>
  private let view = ListView<Ingredient>("Ingredients") { "\($0.amount ?? "") \($0.name)" }

  init(of recipe: Recipe.ID, in store: Store) throws {
    (self.store, self.recipe) = (store, recipe)
    ingredients = try store.liveResults(of: store.childrenRequest(of: recipe, \.ingredients))
    try view.show(ingredients)
  }

  func refresh() throws { try view.perform(ingredients.update()) }

  /// Moves the ingredient of one row before the ingredient of another.
  func drag(row: Int, before other: Int) throws {
    let moved = try ingredients.row(at: RowPath(section: 0, row: row)).id
    let target = try ingredients.row(at: RowPath(section: 0, row: other)).id
    try store.write(author: "Paolo") { try $0.relate(recipe, \.ingredients, to: moved, at: .before(target)) }
  }
}
