import ApplicationSupport
import DaybookMacros
import Foundation

/// The form of a recipe: its values, ingredients, type and photo are pending edits until it is saved as one commit.
let recipeForm = Form(
  "recipe", for: Recipe.self, new: { _ in Recipe(name: "") },
  lists: [
    FormList("ingredients") { recipe in ingredients(of: recipe) },
    FormList("types") { _ in RecipeType.all.sorted(by: \.name) },
    FormList("photo") { recipe in Photo.where { $0.recipe == recipe } },
  ],
  actions: [
    FormAction("add ingredient", addIngredient), FormAction("change ingredient", changeIngredient),
    FormAction("delete ingredient") { tx, _, input in try tx.delete(input.id("ingredient") as Ingredient.ID) },
    FormAction("move ingredient", moveIngredient),
    FormAction("choose type", chooseType),
    FormAction("add type") { tx, recipe, input in
      try tx.relate(recipe, \.type, to: tx.insert(RecipeType(name: input.text("name"))))
    },
    FormAction("change type") { tx, _, input in
      try tx.rename(input.id("type") as RecipeType.ID, to: input.text("name"))
    },
    FormAction("delete type") { tx, _, input in try tx.delete(input.id("type") as RecipeType.ID) },
    FormAction("choose photo", choosePhoto),
    FormAction("remove photo") { tx, recipe, _ in try removePhoto(tx, of: recipe) },
  ])

/// Adds an ingredient at the end.
@Sendable private func addIngredient(_ tx: borrowing Transaction, _ recipe: Recipe.ID, _ input: Input) throws {
  try tx.insert(Ingredient(name: input.text("name"), amount: input.text("amount"), recipe: recipe))
}

/// Changes the name of an ingredient, its amount, or both: what the page sent.
@Sendable private func changeIngredient(_ tx: borrowing Transaction, _ recipe: Recipe.ID, _ input: Input) throws {
  let ingredient: Ingredient.ID = try input.id("ingredient")
  if let name = input.json("name").stringValue { try tx.rename(ingredient, to: name) }
  if let amount = input.json("amount").stringValue { try tx.set(ingredient, \.amount, amount) }
}

/// Moves an ingredient before another one, or to the end.
@Sendable private func moveIngredient(_ tx: borrowing Transaction, _ recipe: Recipe.ID, _ input: Input) throws {
  let moved: Ingredient.ID = try input.id("ingredient")
  let target: Ingredient.ID? = try input.optionalID("before")
  try tx.relate(recipe, \.ingredients, to: moved, at: target.map { .before($0) } ?? .last)
}

/// Chooses a type, or none.
@Sendable private func chooseType(_ tx: borrowing Transaction, _ recipe: Recipe.ID, _ input: Input) throws {
  if let type: RecipeType.ID = try input.optionalID("type") {
    try tx.relate(recipe, \.type, to: type)
  } else if let present = try tx.target(of: recipe, \.type) {
    try tx.unrelate(recipe, \.type, from: present)
  }
}

/// Stores the bytes of a picture file as they are, and the small picture beside them.
@Sendable private func choosePhoto(_ tx: borrowing Transaction, _ recipe: Recipe.ID, _ input: Input) throws {
  let photo = try Photo(bytes(of: input, "photo"))
  try removePhoto(tx, of: recipe)
  try tx.relate(recipe, \.photo, to: tx.insert(photo))
  try tx.set(recipe, \.thumbnail, bytes(of: input, "thumbnail"))
}

private func removePhoto(_ tx: borrowing Transaction, of recipe: Recipe.ID) throws {
  if let present = try tx.target(of: recipe, \.photo) { try tx.delete(present) }
  try tx.set(recipe, \.thumbnail, nil)
}

/// Returns the bytes that the page sent in base64.
private func bytes(of input: Input, _ name: String) throws -> Data {
  guard let data = Data(base64Encoded: try input.text(name)) else {
    throw StoreError(.badValue, "The \(name) is not in base64.")
  }
  return data
}
