#if Macros

import DaybookMacros

@Entity struct Recipe {
  @Name var name: String
  var servings = 4
  @Relationship(inverse: \RecipeType.recipes) var type: RecipeType.ID?
}

@Entity struct RecipeType {
  @Name var name: String
  var recipes: Related<Recipe>
}

let store = try Store(at: "recipes.daybook", model: try Model(Recipe.self, RecipeType.self))
let (cake, dessert) = try store.write(author: "editor") { tx in
  let dessert = try tx.insert(RecipeType(name: "Dessert"))
  let cake = try tx.insert(Recipe(name: "Cake"))
  try tx.set(cake, \.servings, 6)
  try tx.relate(cake, \.type, to: dessert)
  return (cake, dessert)
}

let byType = Recipe.where { $0.servings >= 4 }.sorted(by: \.name).sectioned(by: \.type.name)
let results = try store.fetch(byType)
for section in results.sections {
  print(section.name, section.rows.map(\.name))
}

// Another writer, in this process or in another, commits ...
try await store.write(author: "chef") { tx in
  try tx.insert(Recipe(name: "Apple pie", type: dessert))
  try tx.rename(cake, to: "Chocolate cake")
}
// ... and a follower of the request receives which sections and rows came, went, moved and changed.
for try await change in store.changes(of: byType, from: results.position) {
  let names = try Dictionary(uniqueKeysWithValues: change.rows().map { ($0.id, $0.name) })
  for row in change.difference.rows {
    let places = "\(row.from?.description ?? "new") → \(row.to?.description ?? "gone")"
    print("position \(change.to): \(places)", names[row.id] ?? "")
  }
  break
}

#endif
