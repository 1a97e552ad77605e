import ApplicationSupport
import DaybookMacros
import DaybookTools
import Foundation

/// Recipes with pictures, and with ingredients in an order that a person chose.
package func application() throws -> Application {
  Application(
    "recipes", title: "Recipes", summary: "Recipes with pictures, ingredients in order, and kitchen tables.",
    model: try recipeModel(),
    files: [
      "recipes.js": PackageResources.recipes_js, "detail.js": PackageResources.detail_js,
      "edit.js": PackageResources.edit_js, "kitchen.js": PackageResources.kitchen_js,
      "recipes.css": PackageResources.recipes_css,
    ],
    lists: [
      NamedList("recipes") { input in
        try recipes(matching: input.text("text")).sectioned(by: \.name, .initial).sorted(by: \.name)
      },
      NamedList("recipe") { input in
        let id: Recipe.ID = try input.id("recipe")
        return Recipe.where { $0.id == id }
      },
      NamedList("ingredients") { input in ingredients(of: try input.id("recipe")) },
      NamedList("types", RecipeType.all.sorted(by: \.name)),
      NamedList(
        "cooked",
        CookedMonth.all.sectioned(by: \.month, direction: .descending).sorted(by: \.times, .descending)
          .sorted(by: \.name)),
      NamedList("months of recipe") { input in
        let recipe: Recipe.ID = try input.id("recipe")
        return CookedMonth.where { $0.recipe == recipe }.sorted(by: \.month, .descending)
      },
    ],
    forms: [recipeForm],
    actions: [
      // Its ingredients and its photo go with it, by the delete rules of the model.
      Action("delete recipe") { tx, input in try tx.delete(input.id("object") as Recipe.ID) },
      Action("cooked") { tx, input in try tx.record(Cooked(about: input.id("recipe"), day: input.time("day"))) },
      // An undo restores what a commit changed, and an event changes nothing: what takes it back is another event.
      Action("not cooked") { tx, input in
        try tx.record(NotCooked(about: input.id("recipe"), day: input.time("day")))
      },
    ],
    projections: [CookedMonths()], create: copyReadyMadeStore)
}

package func recipeModel() throws -> Model {
  try Model(
    Recipe.self, Ingredient.self, RecipeType.self, Photo.self, events: Cooked.self, NotCooked.self)
}

/// The recipes whose name or overview contains a text, without regard to case and accents.
func recipes(matching text: String) throws -> Request<Record<Recipe>> {
  if text.isEmpty { return Recipe.all }
  return Recipe.all.where(
    try Filter(parsing: "name, overview CONTAINS[cd] $text", variables: ["text": .string(text)]))
}

/// The ingredients of a recipe, in their order.
func ingredients(of recipe: Recipe.ID) -> Request<Record<Ingredient>> {
  Ingredient.where { $0.recipe == recipe }.sorted(byPlaceIn: \.recipe, of: recipe)
}

/// Makes the store at the first start, of the events that ship with the program.
///
/// An interrupted start leaves no store that lacks recipes: it gets its name when it is complete.
@Sendable private func copyReadyMadeStore(to path: String) throws {
  guard let file = Bundle.module.url(forResource: "recipes", withExtension: "jsonl", subdirectory: "ReadyMade") else {
    throw StoreError(.notFound, "The ready-made recipes are missing beside the program.")
  }
  let unfinished = "\(path).unfinished"
  try? FileManager.default.removeItem(atPath: unfinished)  // It is there only after an interrupted start.
  var pieces = [[UInt8](try Data(contentsOf: file))]
  let importer = Importer(to: unfinished)
  _ = try importer.run { pieces.popLast() }
  try FileManager.default.moveItem(atPath: unfinished, toPath: path)
}
