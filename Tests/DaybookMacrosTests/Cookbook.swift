#if Macros

import DaybookMacros
import Foundation

// The entities of these tests, with every kind of attribute and relationship.

enum Course: String, ScalarValue, CaseIterable { case starter, main, dessert }

enum Difficulty: Int, ScalarValue {
  case easy = 1
  case hard
}

struct Nutrition: CodableValue, Hashable {
  var energy = 0.0
  var minerals: [String: Double] = [:]
}

@Index("type.name", "createdAt:desc")
@Group("recipesByType", by: "type.name", "createdAt.month", show: "count", "sum:servings")
@Group("recipesByCourse", by: "course")
@Entity struct Recipe: Hashable {
  @Name var name: String
  @Index var servings = 4
  var note: String?
  var course: Course = .main
  var difficulty: Difficulty?
  var nutrition: Nutrition?
  @Relationship(inverse: \RecipeType.recipes) var type: RecipeType.ID?
  @Relationship(inverse: \Ingredient.recipe, onDelete: .cascade, ordered: true)
  var ingredients: Related<Ingredient>
  @Relationship(inverse: \Tag.recipes) var tags: Related<Tag>
  @Relationship(inverse: \Photo.recipe, onDelete: .cascade) var photo: Photo.ID?
  @Derived(count: \Recipe.ingredients) var ingredientCount: Int
  @Derived(sum: \Recipe.ingredients, of: \Ingredient.amount) var weight: Double
  @Derived(minimum: \Recipe.ingredients, of: \Ingredient.amount) var least: Double?
  @Derived(maximum: \Recipe.ingredients, of: \Ingredient.amount) var most: Double?

  var isForMany: Bool { servings > 8 }
}

@Entity struct RecipeType: Hashable {
  @Name @Unique var name: String
  @Relationship(onDelete: .deny) var recipes: Related<Recipe>
}

@Unique("recipe", "name")
@Entity struct Ingredient: Hashable {
  @Name var name: String
  var amount = 0.0
  var recipe: Recipe.ID
}

@Entity struct Tag: Hashable {
  @Name @Attribute(order: .natural) var name: String
  @Relationship(ordered: true) var recipes: Related<Recipe>
}

@Entity struct Photo: Hashable {
  var image: Data
  var recipe: Recipe.ID?
}

@Entity("Node") struct TreeNode: Hashable {
  @Name var name: String
  var parent: TreeNode.ID?
  @Relationship(onDelete: .cascade) var children: Related<TreeNode>
}

/// An attribute of each type, required and optional.
@Entity struct Sample: Hashable {
  var string = "a"
  var integer = -1
  var int8: Int8 = 8
  var int16: Int16 = 16
  var int32: Int32 = 32
  var int64: Int64 = 64
  var uint8: UInt8 = 8
  var uint16: UInt16 = 16
  var uint32: UInt32 = 32
  var double = 1.5
  var float: Float = 2.5
  var decimal: Decimal = 12.25
  var boolean = true
  var timestamp: Timestamp = Timestamp(microseconds: 1)
  var date: Date = Date(timeIntervalSince1970: 0.5)
  var uuid: UUID = UUID(uuidString: "0190163D-8694-739B-AEA5-966C26F8AD91")!
  var identity: ObjectID = .init("0190163d-8694-739b-aea5-966c26f8ad92")!
  var data: Data = Data([1, 2])
  var bytes: [UInt8] = [3]
  var url: URL = URL(string: "https://example.org/a")!
  var words: [String] = ["b", "a"]
  var numbers: [String: Int] = [:]
  var letters: Set<String> = []
  var codable: Nutrition = Nutrition(energy: 1)
  var text: Course = .main
  var number: Difficulty = .easy
  var `default`: Bool = false
  var optionalString: String?
  var optionalInteger: Int?
  var optionalDouble: Double?
  var optionalDecimal: Decimal?
  var optionalBoolean: Bool?
  var optionalDate: Date?
  var optionalUUID: UUID?
  var optionalData: Data?
  var optionalCodable: Nutrition?
  var optionalWords: [String]?
  var optionalText: Course?
}

let cookbook: [any Storable.Type] = [
  Recipe.self, RecipeType.self, Ingredient.self, Tag.self, Photo.self, TreeNode.self, Sample.self,
]

#endif
