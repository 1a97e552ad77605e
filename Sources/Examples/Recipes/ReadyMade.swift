import DaybookMacros
import Foundation

func recipeModel() throws -> Model { try Model(Recipe.self, Ingredient.self, RecipeType.self, Image.self) }

/// Creates the store delivered with the application: one file among its resources.
func makeReadyMadeStore(in directory: String, to file: String) throws {
  let store = try Store.create(at: "\(directory)/kitchen.daybook", model: recipeModel())
  try store.write(author: "kitchen") { tx in
    let dessert = try tx.insert(RecipeType(name: "Dessert"))
    let drink = try tx.insert(RecipeType(name: "Drink"))
    try tx.add(Recipe(name: "Lemonade", type: drink), made: ["4 lemons", "1 l water", "2 spoons sugar"])
    let picture = Picture("  ! !  \n(#####)\n(~~~~~)\n(#####)\n\\_____/")
    try tx.add(
      Recipe(name: "Birthday cake", type: dessert), made: ["200 g flour", "3 eggs", "100 g sugar"], picture: picture)
  }
  try store.backup(to: file)
}

/// Opens the application's store; the first start copies the ready-made one.
func openRecipes(at path: String, readyMade file: String) throws -> Store {
  if !FileManager.default.fileExists(atPath: path) {
    try StoreCopy.restore(file, to: path)
    print("   The ready-made store was copied.")
  }
  return try Store(at: path, model: recipeModel())
}

extension Writing where Self: ~Copyable {
  /// Adds a recipe with its ingredients in order; the last word of each is its name.
  @discardableResult
  func add(_ recipe: Recipe, made ingredients: [String], picture: Picture? = nil) throws -> Recipe.ID {
    var recipe = recipe
    recipe.thumbnail = picture?.thumbnail
    let id = try insert(recipe)
    for text in ingredients {
      let words = text.split(separator: " ")
      let amount = words.dropLast().joined(separator: " ")
      try insert(Ingredient(name: String(words.last ?? ""), amount: amount, recipe: id))
    }
    if let picture { try insert(Image(data: picture, recipe: id)) }
    return id
  }
}
