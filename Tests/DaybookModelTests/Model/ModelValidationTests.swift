import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct ModelValidationTests {
  typealias Mistake = (change: @Sendable (inout Model) -> Void, fault: String)

  static let names: [Mistake] = [
    ({ $0.entities[0].name = "" }, "entities[0]: has no name; give it one"),
    (
      { $0.entities[0].name = "1st" },
      "1st: “1st” is not a name; use letters, digits and underscores, and begin with no digit"
    ),
    ({ $0.entities[0].name = "a b" }, "a b: “a b” is not a name"),
    ({ $0.entities[0].name = "a.b" }, "a.b: “a.b” is not a name"),
    (
      { $0.entities[0].name = String(repeating: "é", count: 128) },
      "\(String(repeating: "é", count: 128)): has a name of 256 bytes; 255 are allowed"
    ),
    ({ $0.entities.append(Entity(name: "Tag")) }, "Tag: the model has two entities of this name"),
    ({ $0["Recipe"].attributes[0].name = "" }, "Recipe.attributes[0]: has no name; give it one"),
    ({ $0["Recipe"].attributes[2].name = "id" }, "Recipe.id: “id” is built in"),
    ({ $0["Recipe"].attributes[2].name = "createdAt" }, "Recipe.createdAt: “createdAt” is built in"),
    ({ $0["Recipe"].attributes[2].name = "changedAt" }, "Recipe.changedAt: “changedAt” is built in"),
    ({ $0["Recipe"].attributes[2].name = "Between" }, "Recipe.Between: “Between” is a word of the filter language"),
    ({ $0["Recipe"].attributes[2].name = "servings" }, "Recipe.servings: the entity has two attributes of this name"),
    ({ $0["Recipe"].relationships[2].name = "" }, "Recipe.relationships[2]: has no name"),
    ({ $0["Recipe"].relationships[2].name = "any" }, "Recipe.any: “any” is a word of the filter language"),
    ({ $0["Recipe"].relationships[2].name = "type" }, "Recipe.type: the entity has two relationships of this name"),
    (
      { $0["Recipe"].relationships[2].name = "note" },
      "Recipe.note: the entity has an attribute and a relationship of this name; rename one"
    ),
    ({ $0["Recipe"].renamedFrom = "Recipe" }, "Recipe: “renamedFrom” is its own name; leave it out"),
    (
      {
        $0["Recipe"].attributes[1].renamedFrom = "x"
        $0["Recipe"].attributes[2].renamedFrom = "x"
      }, "Recipe.note: two things are “renamedFrom” “x”"
    ),
    (
      {
        $0["Recipe"].attributes[1].renamedFrom = "note"
        $0["Recipe"].attributes[2].renamedFrom = "servings"
      }, "Recipe.servings: names cannot be exchanged in one change"
    ),
    ({ $0["Recipe"].nameAttribute = "title" }, "Recipe.nameAttribute: the entity has no attribute “title”"),
    (
      { $0["Recipe"].nameAttribute = "servings" },
      "Recipe.nameAttribute: “servings” is an integer; a name is a stored string"
    ),
    (
      { $0["Recipe"].nameAttribute = "ingredientCount" },
      "Recipe.nameAttribute: “ingredientCount” is derived; a name is a stored string"
    ),
  ]

  static let attributes: [Mistake] = [
    ({ $0["Recipe"].attributes[0].type = nil }, "Recipe.name: has no type; give one of string, integer"),
    (
      { $0["Recipe"].attributes[3].type = .integer },
      "Recipe.ingredientCount: a derived attribute has the type of what it is derived from; leave “type” out"
    ),
    (
      { $0["Recipe"].attributes[3].isOptional = true },
      "Recipe.ingredientCount: a derived attribute is never set; leave “optional” out"
    ),
    (
      { $0["Recipe"].attributes[3].defaultValue = 1 },
      "Recipe.ingredientCount: a derived attribute is never set; leave “default” out"
    ),
    ({ $0["Recipe"].attributes[3].order = .natural }, "Recipe.ingredientCount: a derived attribute has the order of"),
    (
      { $0["Recipe"].attributes[1].defaultValue = "four" },
      "Recipe.servings: the default “four” is not an integer: give a whole number"
    ),
    (
      {
        $0["Recipe"].attributes[1].type = .double
        $0["Recipe"].attributes[1].defaultValue = .double(.nan)
      }, "Recipe.servings: the default “NaN” is not a double"
    ),
    (
      { $0["Recipe"].attributes[1].order = .natural },
      "Recipe.servings: only strings can have the order natural; leave “order” out"
    ),
    (
      { $0["Recipe"].attributes[3].derivation = .count(relationship: "steps") },
      "Recipe.ingredientCount: Recipe has no relationship “steps” to derive from"
    ),
    (
      { $0["Recipe"].attributes[3].derivation = .count(relationship: "type") },
      "Recipe.ingredientCount: “type” is to-one; an attribute is derived from a to-many relationship"
    ),
    (
      { $0["Recipe"].attributes[3].derivation = .sum(relationship: "ingredients", attribute: "grams") },
      "Recipe.ingredientCount: Ingredient has no attribute “grams” to derive from"
    ),
    (
      { $0["Recipe"].attributes[3].derivation = .sum(relationship: "ingredients", attribute: "amount") },
      "Recipe.ingredientCount: Ingredient.amount is a string; this can be derived from integer, double, decimal"
    ),
    (
      {
        $0["Ingredient"].attributes[1].type = .boolean
        $0["Recipe"].attributes[3].derivation = .maximum(relationship: "ingredients", attribute: "amount")
      },
      "Recipe.ingredientCount: Ingredient.amount is a boolean; this can be derived from integer, double, decimal, string, date"
    ),
    (
      {
        $0["RecipeType"].attributes.append(
          Attribute(name: "all_", type: nil, derivation: .sum(relationship: "recipes", attribute: "ingredientCount")))
      }, "RecipeType.all_: Recipe.ingredientCount is itself derived; derive from a stored attribute"
    ),
  ]

  static let relationships: [Mistake] = [
    (
      { $0["Recipe"].relationships[1].isOptional = true },
      "Recipe.ingredients: a to-many relationship may always be empty; leave “optional” out"
    ),
    ({ $0["Recipe"].relationships[0].isOrdered = true }, "Recipe.type: only a to-many relationship has an order"),
    (
      { $0["Recipe"].relationships[0].isAcyclic = true },
      "Recipe.type: only a relationship to the same entity can be acyclic"
    ),
    (
      { $0["Recipe"].relationships[1].isAcyclic = true },
      "Recipe.ingredients: only a to-one relationship can be acyclic"
    ),
    (
      { $0["Recipe"].relationships[0].target = "Kind" },
      "Recipe.type: the model has no entity “Kind”; add it to the model, or relate another entity"
    ),
    ({ $0["Recipe"].relationships[0].target = "" }, "Recipe.type: has no target; “to” names the entity"),
    (
      { $0["Recipe"].relationships[0].inverse = "" },
      "RecipeType.recipes: Recipe.type has no inverse; each must name the other"
    ),
    (
      {
        $0["Recipe"].relationships.append(Relationship(name: "twin", target: "Recipe"))
        $0["Recipe"].relationships.append(
          Relationship(name: "twins", target: "Recipe", inverse: "Recipe.twin", isMany: true))
      }, "Recipe.twins: Recipe has no relationship “Recipe.twin”; “inverse” names"
    ),
    (
      { $0["Recipe"].relationships.append(Relationship(name: "Recipe.twin", target: "Recipe")) },
      "Recipe.Recipe.twin: “Recipe.twin” is not a name"
    ),
    (
      { $0["Recipe"].relationships[0].inverse = "dishes" },
      "Recipe.type: RecipeType has no relationship “dishes”; “inverse” names"
    ),
    (
      { $0["Recipe"].relationships[0].inverse = "name" },
      "Recipe.type: RecipeType.name is an attribute; “inverse” names"
    ),
    (
      { $0["Recipe"].relationships[0].target = "Tag" },
      "Recipe.type: Tag.recipes says that its inverse is “tags”; each must name the other"
    ),
    (
      { $0["RecipeType"].relationships[0].target = "Tag" },
      "Recipe.type: its inverse RecipeType.recipes leads to Tag and not back to Recipe"
    ),
    (
      { $0["RecipeType"].relationships[0].inverse = "tags" },
      "Recipe.type: RecipeType.recipes says that its inverse is “tags”; each must name the other"
    ),
    (
      {
        $0["Tag"].relationships.append(
          Relationship(name: "friends", target: "Tag", inverse: "friends", isMany: true, isOrdered: true))
      }, "Tag.friends: is its own inverse and cannot be ordered; leave “ordered” out, or declare a second relationship"
    ),
    (
      {
        $0["Tag"].relationships.append(
          Relationship(name: "partner", target: "Tag", inverse: "partner", isOptional: true, isAcyclic: true))
      }, "Tag.partner: is its own inverse and cannot be acyclic; leave “acyclic” out, or declare a second relationship"
    ),
    (
      {
        $0["Tag"].relationships.append(
          Relationship(name: "partner", target: "Tag", inverse: "partner", isOptional: true))
        $0["Tag"].unique = [["partner"]]
      }, "Tag.unique[0]: “partner” is its own inverse, and both objects have its links; they cannot be unique"
    ),
    (
      {
        $0["Tag"].relationships.append(
          Relationship(name: "friends", target: "Recipe", inverse: "friends", isMany: true))
      }, "Tag.friends: Recipe has no relationship “friends”"
    ),
    (
      {
        $0["Recipe"].relationships[2].isOrdered = true
        $0["Tag"].relationships[0].isOrdered = true
      }, "Recipe.tags: both sides are ordered; leave “ordered” out here or at Tag.recipes"
    ),
  ]

  static let indexes: [Mistake] = [
    ({ $0["Recipe"].unique = [[]] }, "Recipe.unique[0]: is empty"),
    ({ $0["Recipe"].unique = [["name", "name"]] }, "Recipe.unique[0]: “name” is there twice"),
    (
      { $0["Recipe"].unique = [["name", "note"], ["note", "name"]] },
      "Recipe.unique[1]: the same constraint is there twice"
    ),
    ({ $0["Recipe"].unique = [["title"]] }, "Recipe.unique[0]: Recipe has no attribute or to-one relationship “title”"),
    ({ $0["Recipe"].unique = [["id"]] }, "Recipe.unique[0]: Recipe has no attribute or to-one relationship “id”"),
    ({ $0["Recipe"].unique = [["ingredientCount"]] }, "Recipe.unique[0]: “ingredientCount” is derived"),
    (
      {
        $0["Recipe"].attributes[2].type = .codable
        $0["Recipe"].unique = [["note"]]
      }, "Recipe.unique[0]: “note” is codable"
    ),
    ({ $0["Recipe"].unique = [["tags"]] }, "Recipe.unique[0]: “tags” is to-many"),
    (
      {
        $0["RecipeType"].relationships[0].isMany = false
        $0["RecipeType"].unique = [["recipes"]]
      }, "RecipeType.unique[0]: the links of “recipes” belong to its inverse Recipe.type"
    ),
    ({ $0["Recipe"].unique = [(0..<17).map { _ in "name" }] }, "Recipe.unique[0]: has 17 members; 16 are allowed"),
    ({ $0["Recipe"].indexes = [Index([])] }, "Recipe.indexes[0]: is empty"),
    ({ $0["Recipe"].indexes = [Index([.init(path: [])])] }, "Recipe.indexes[0]: a term is empty"),
    (
      { $0["Recipe"].indexes = [Index([.init(path: ["name"], nils: .last)])] },
      "Recipe.indexes[0]: “name” places nil, and an index has it where the direction does"
    ),
    (
      { $0["Recipe"].indexes = [Index([.init(path: ["name"], order: .natural)])] },
      "Recipe.indexes[0]: “name” has an order, and an index has those of its attributes"
    ),
    (
      { $0["Recipe"].indexes = [Index([.init(placeIn: "type", of: ObjectID(high: 1, low: 2))])] },
      "Recipe.indexes[0]: “type” sorts by place, and an index by values"
    ),
    (
      { $0["Recipe"].indexes = [Index([.init(path: ["title"])])] },
      "Recipe.indexes[0]: Recipe has no attribute or relationship “title”"
    ),
    (
      { $0["Recipe"].indexes = [Index([.init(path: ["type", "title"])])] },
      "Recipe.indexes[0]: RecipeType has no attribute or relationship “title”"
    ),
    (
      { $0["Recipe"].indexes = [Index([.init(path: ["tags", "name"])])] },
      "Recipe.indexes[0]: “tags” of Recipe is to-many; a path leads over to-one relationships"
    ),
    ({ $0["Recipe"].indexes = [Index([.init(path: ["tags"])])] }, "Recipe.indexes[0]: “tags” of Recipe is to-many"),
    (
      { $0["Recipe"].indexes = [Index([.init(path: ["name", "name"])])] },
      "Recipe.indexes[0]: “name” is an attribute of Recipe; a path can only end at one"
    ),
    (
      { $0["Recipe"].indexes = [Index([.init(path: ["name"]), .init(path: ["name"], .descending)])] },
      "Recipe.indexes[0]: “name” is there twice"
    ),
    (
      { $0["Recipe"].indexes = [Index([.init(path: ["name"])]), Index([.init(path: ["name"])])] },
      "Recipe.indexes[1]: the same index is there twice"
    ),
    (
      {
        $0["Recipe"].attributes[2].type = .data
        $0["Recipe"].indexes = [Index([.init(path: ["note"])])]
      }, "Recipe.indexes[0]: “note” is data, which has no order"
    ),
    (
      {
        $0["Recipe"].attributes[2].type = .codable
        $0["Recipe"].indexes = [Index([.init(path: ["note"])])]
      }, "Recipe.indexes[0]: “note” is a codable value, which has no order"
    ),
    (
      { $0["Recipe"].indexes = [Index([.init(path: Array(repeating: "type", count: 17))])] },
      "Recipe.indexes[0]: a path has 17 parts; 16 are allowed"
    ),
    (
      { $0["Recipe"].indexes = [Index((0..<17).map { _ in .init(path: ["name"]) })] },
      "Recipe.indexes[0]: has 17 terms; 16 are allowed"
    ),
  ]

  @Test(arguments: (names + attributes + relationships + indexes).indices)
  func findsEachMistake(number: Int) throws {
    let mistake = (Self.names + Self.attributes + Self.relationships + Self.indexes)[number]
    let model = try recipes().changed(mistake.change)
    let error = try #require(throws: ModelError.self) { try ResolvedModel(creating: model) }
    #expect(error.faults.contains { $0.description.hasPrefix(mistake.fault) }, "\(error)")
    // A store reports the same faults when its model changes to this one.
    let before = try ResolvedModel(creating: recipes())
    #expect(throws: error) { try before.evolved(to: model) }
  }

  @Test func reportsAllMistakesAtOnce() throws {
    let model = try recipes().changed {
      $0["Recipe"].attributes[0].name = "like"
      $0["Recipe"].unique = [["nothing"]]
      $0["Ingredient"].relationships[0].target = "Nowhere"
      $0["Tag"].indexes = [Index([.init(path: ["nothing"])])]
    }
    let error = try #require(throws: ModelError.self) { try ResolvedModel(creating: model) }
    #expect(
      error.faults.map(\.place) == [
        "Recipe.like", "Recipe.ingredients", "Recipe.nameAttribute", "Recipe.unique[0]", "Recipe.indexes[0]",
        "Ingredient.recipe", "Tag.indexes[0]",
      ])
  }

  @Test func refusesMoreThingsThanThereAreTags() throws {
    func model(_ count: Int) -> Model {
      Model(entities: [Entity(name: "A", attributes: (0..<count).map { Attribute(name: "a\($0)", type: .integer) })])
    }
    #expect(try ResolvedModel(creating: model(65_532)).nextTag == .max)
    let error = try #require(throws: ModelError.self) { try ResolvedModel(creating: model(65_533)) }
    #expect(error.faults[0].message.hasPrefix("needs tags up to 65535, and a store has 65534"))
  }

  @Test func takesUnusualButRightModels() throws {
    _ = try ResolvedModel(creating: Model(entities: []))
    let model = try recipes().changed {
      $0.entities.append(Entity(name: "Größe_1", attributes: [Attribute(name: "名前", type: .string)]))
      $0["Recipe"].attributes.append(Attribute(name: "photo", type: .data, isOptional: true))
      $0["Recipe"].unique += [["photo"], ["type", "name"]]
      $0["Recipe"].indexes += [
        Index([.init(path: ["type"])]), Index([.init(path: ["id"])]), Index([.init(path: ["createdAt"])]),
        Index([.init(path: ["type", "id"])]),
      ]
      $0["Ingredient"].indexes = [
        Index([.init(path: ["recipe", "type", "name"]), .init(path: ["recipe", "ingredientCount"])])
      ]
    }
    let resolved = try ResolvedModel(creating: model)
    #expect(resolved.checkInvariants() == [])
    #expect(resolved.entities[2].indexes[1].terms[0].path.steps.count == 2)
    #expect(resolved.entities[2].indexes[1].terms[1].type == .integer)
  }
}
