import DaybookMacros

@Entity struct Recipe {
  @Name @Index var name: String
  var thumbnail: Picture?
  @Relationship(inverse: \RecipeType.recipes) var type: RecipeType.ID?
  @Relationship(inverse: \Image.recipe, onDelete: .cascade) var image: Image.ID?
  /// The relationship keeps their order, which replaces a number in each ingredient.
  @Relationship(inverse: \Ingredient.recipe, onDelete: .cascade, ordered: true)
  var ingredients: Related<Ingredient>
}

@Entity struct Ingredient {
  @Name var name: String
  var amount: String?
  var recipe: Recipe.ID
}

@Entity struct RecipeType {
  @Name @Unique var name: String
  var recipes: Related<Recipe>
}

/// The large picture is an object of its own, so that lists do not read it.
@Entity struct Image {
  var data: Picture
  var recipe: Recipe.ID?
}

/// A picture in lines of characters. The attribute holds it as data: its JSON.
struct Picture: CodableValue, Hashable {
  var lines: [String]

  init(_ text: String) { lines = text.split(separator: "\n").map(String.init) }

  /// Every second character of the line in the middle.
  var thumbnail: Picture {
    Picture(String(lines[lines.count / 2].enumerated().filter { $0.offset % 2 == 0 }.map(\.element)))
  }
}
