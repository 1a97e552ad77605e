import DaybookMacros
import ExampleSupport

runExample { directory in
  let (path, readyMade) = ("\(directory)/recipes.daybook", "\(directory)/ready-made.backup")
  try makeReadyMadeStore(in: directory, to: readyMade)

  tell("The application starts for the first time.")
  let store = try openRecipes(at: path, readyMade: readyMade)
  let recipes = try RecipeList(store)
  guard let cake = try store.fetch(Recipe.where { $0.name == "Birthday cake" }).rows.first else { return }

  tell("Paolo opens the cake: the ingredients are there, without a query of their own.")
  for (number, ingredient) in try cake.ingredients.fetch().enumerated() {
    print("   \(number + 1). \(ingredient.amount ?? "") \(ingredient.name)")
  }
  for line in try cake.related(\.image)?.data.lines ?? [] { print("      \(line)") }

  tell("He drags the sugar to the top: one link changes, and no number of any ingredient.")
  let ingredients = try IngredientList(of: cake.id, in: store)
  try ingredients.drag(row: 2, before: 0)
  try ingredients.refresh()

  tell("He adds a recipe, and calls it otherwise.")
  let pancakes = try store.write(author: "Paolo") {
    try $0.add(Recipe(name: "Pancakes", type: cake.type), made: ["2 eggs", "100 g flour", "200 ml milk"])
  }
  try recipes.refresh()
  try store.write(author: "Paolo") { try $0.rename(pancakes, to: "American pancakes") }
  try recipes.refresh()

  tell("He deletes the cake.")
  func printCounts() throws {
    print("   Ingredients: \(try store.count(Ingredient.all)), images: \(try store.count(Image.all))")
  }
  try printCounts()
  try store.write(author: "Paolo") { try $0.delete(cake.id) }
  try recipes.refresh()
  try ingredients.refresh()
  try printCounts()

  tell("The application starts again: nothing is copied, and all is as he left it.")
  store.close()
  _ = try RecipeList(openRecipes(at: path, readyMade: readyMade))
}
