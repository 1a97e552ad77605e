import Daybook

let model = Model(entities: [
  Entity(
    name: "Recipe", nameAttribute: "name",
    attributes: [Attribute(name: "name", type: .string), Attribute(name: "servings", type: .integer, defaultValue: 1)],
    relationships: [Relationship(name: "type", target: "RecipeType", inverse: "recipes", isOptional: true)],
    indexes: [Index([Index.Term(["type", "name"]), Index.Term(["name"])])]),
  Entity(
    name: "RecipeType", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
    relationships: [
      Relationship(name: "recipes", target: "Recipe", inverse: "type", isMany: true, deleteRule: .deny)
    ]),
])
let store = try Store(at: "recipes.daybook", model: model)
let cake = try store.write(author: "editor") { tx in
  let dessert = try tx.insert("RecipeType", ["name": "Dessert"])
  let cake = try tx.insert("Recipe", ["name": "Cake", "servings": 4])
  try tx.relate(cake, "type", to: dessert)
  return cake
}
try store.write(author: "editor") { try $0.rename(cake, to: "Chocolate cake") }
let request = FetchRequest(
  entity: "Recipe", filter: try Filter(parsing: #"servings >= 4 AND type.name == "Dessert""#),
  sort: [SortTerm(["name"])], section: SectionKey(["type", "name"]))
for section in try store.fetch(request).sections {
  print(section.name, section.objects.map { $0["name"] })
}
