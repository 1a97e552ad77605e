import DaybookMacros
import Foundation

@Entity struct Recipe {
  @Name @Index @Attribute(.length(1...200), order: .natural) var name: String
  @Attribute(.length(...500)) var overview: String?
  /// The preparation time.
  @Attribute(.range(1...10_080)) var minutes: Int?
  var instructions: String?
  /// A small picture for lists, made in the page.
  var thumbnail: Data?
  @Relationship(inverse: \RecipeType.recipes) var type: RecipeType.ID?
  @Relationship(inverse: \Photo.recipe, onDelete: .cascade) var photo: Photo.ID?
  /// The relationship keeps their order, which replaces a number in each ingredient.
  @Relationship(inverse: \Ingredient.recipe, onDelete: .cascade, ordered: true, most: 100)
  var ingredients: Related<Ingredient>
}

@Entity struct Ingredient {
  @Name @Attribute(.length(1...200)) var name: String
  @Attribute(.length(...60)) var amount: String?
  var recipe: Recipe.ID
}

@Entity struct RecipeType {
  @Name @Unique @Attribute(.length(1...60), order: .natural) var name: String
  var recipes: Related<Recipe>
}

/// The large picture is an object of its own, so that lists do not read it.
@Entity struct Photo {
  /// The bytes of the file that a person chose.
  var data: Data
  @Attribute(.oneOf("image/jpeg", "image/png")) var kind: String
  var recipe: Recipe.ID?
}

extension Photo {
  /// Makes a photo of a file's bytes.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a file that is no PNG and no JPEG.
  init(_ data: Data) throws {
    let kinds: [(kind: String, start: [UInt8])] = [
      ("image/jpeg", [0xff, 0xd8, 0xff]), ("image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ]
    guard let kind = kinds.first(where: { data.starts(with: $0.start) })?.kind else {
      throw StoreError(.badValue, "The file is no PNG and no JPEG picture.", advice: "Choose another file.")
    }
    self.init(data: data, kind: kind, recipe: nil)
  }
}
