import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct ModelEvolutionTests {
  /// Returns the steps from the recipes to a changed model.
  static func change(_ change: (inout Model) -> Void) throws -> ModelChange {
    let before = try ResolvedModel(creating: recipes())
    let model = try recipes().changed(change)
    let result = try before.evolved(to: model)
    #expect(result.model.checkInvariants() == [])
    #expect(try ResolvedModel(stored: result.model.storedJSON).summary == result.model.summary)
    #expect(try result.model.evolved(to: model).isEmpty)
    #expect(try result.model.evolved(to: result.model.model).isEmpty)
    return result
  }

  @Test func aChangeThatChangesNothingIsEmpty() throws {
    let before = try ResolvedModel(creating: recipes())
    let change = try before.evolved(to: recipes())
    #expect(change.isEmpty && change.model === before)
    #expect(change.newIndexes.isEmpty && change.removedIndexTags.isEmpty && change.checks.isEmpty)
    let turned = try recipes().changed {
      $0.entities.reverse()
      $0["Recipe"].attributes.reverse()
      $0["Recipe"].relationships.reverse()
      $0["Recipe"].indexes.reverse()
    }
    #expect(try before.evolved(to: turned).isEmpty)
  }

  typealias Step = (change: @Sendable (inout Model) -> Void, steps: [String])

  static let steps: [Step] = [
    (
      {
        $0.entities.append(
          Entity(
            name: "Cook", attributes: [Attribute(name: "name", type: .string)],
            indexes: [Index([.init(path: ["name"])])]))
      },
      ["add entity Cook", "add attribute Cook.name (string)", "add index Cook [name]"]
    ),
    (
      { $0["Recipe"].attributes.insert(Attribute(name: "rating", type: .double, isOptional: true), at: 0) },
      ["add attribute Recipe.rating (double, optional)"]
    ),
    (
      { $0["Recipe"].attributes.append(Attribute(name: "kind", type: .string, defaultValue: "x", order: .natural)) },
      ["add attribute Recipe.kind (string, default “x”, order natural)"]
    ),
    ({ $0["Recipe"].attributes.removeAll { $0.name == "note" } }, ["remove attribute Recipe.note"]),
    (
      {
        $0["Recipe"].changeAttribute("note") {
          $0.name = "remark"
          $0.renamedFrom = "note"
        }
      }, ["rename attribute Recipe.note to remark"]
    ),
    (
      { $0["Recipe"].changeAttribute("servings") { $0.isOptional = true } }, ["make attribute Recipe.servings optional"]
    ),
    (
      { $0["Recipe"].changeAttribute("servings") { $0.defaultValue = 4 } },
      ["change the default of Recipe.servings from 1 to 4"]
    ),
    (
      { $0["Recipe"].changeAttribute("servings") { $0.defaultValue = .null } },
      ["change the default of Recipe.servings from 1 to none"]
    ),
    (
      { $0["Recipe"].changeAttribute("ingredientCount") { $0.derivation = .count(relationship: "tags") } },
      ["redefine attribute Recipe.ingredientCount (count of tags)"]
    ),
    ({ $0["Recipe"].nameAttribute = nil }, ["change the name attribute of Recipe from name to none"]),
    ({ $0["Recipe"].nameAttribute = "note" }, ["change the name attribute of Recipe from name to note"]),
    (
      {
        $0["Tag"].attributes[0].name = "label"
        $0["Tag"].attributes[0].renamedFrom = "name"
        $0["Tag"].nameAttribute = "label"
      }, ["rename attribute Tag.name to label"]
    ),
    (
      { $0["Recipe"].changeRelationship("ingredients") { $0.deleteRule = .deny } },
      ["change the delete rule of Recipe.ingredients from cascade to deny"]
    ),
    (
      { $0["Ingredient"].changeRelationship("recipe") { $0.isOptional = true } },
      ["make relationship Ingredient.recipe optional"]
    ),
    ({ $0["Recipe"].unique.append(["name", "note"]) }, ["add uniqueness constraint Recipe [name, note]"]),
    ({ $0["Recipe"].unique = [] }, ["remove uniqueness constraint Recipe [name]"]),
    (
      { $0["Recipe"].indexes.append(Index([.init(path: ["servings"], .descending)])) },
      ["add index Recipe [servings:desc]"]
    ),
    ({ $0["Recipe"].indexes.removeLast() }, ["remove index Recipe [changedAt:desc]"]),
    (
      { $0["Recipe"].changeAttribute("name") { $0.order = .caseInsensitive } },
      ["change the order of Recipe.name from natural to caseInsensitive", "rebuild index Recipe [type.name, name]"]
    ),
    (
      {
        $0["Recipe"].relationships.removeAll { $0.name == "tags" }
        $0["Tag"].relationships = []
      }, ["remove relationship Recipe.tags", "remove relationship Tag.recipes"]
    ),
    (
      {
        $0["Recipe"].relationships.append(
          Relationship(name: "cooks", target: "RecipeType", inverse: "cooked", isMany: true))
        $0["RecipeType"].relationships.append(
          Relationship(name: "cooked", target: "Recipe", inverse: "cooks", isMany: true, isOrdered: true))
      },
      [
        "add relationship Recipe.cooks (to-many RecipeType)",
        "add relationship RecipeType.cooked (to-many Recipe, ordered)",
      ]
    ),
    (
      {
        $0["Tag"].relationships.append(Relationship(name: "best", target: "Recipe", isOptional: true))
        $0["Tag"].relationships.append(Relationship(name: "kin", target: "Tag", isMany: true, isOrdered: true))
      },
      [
        "add relationship Tag.best (to-one Recipe, one-way, optional)",
        "add relationship Tag.kin (to-many Tag, one-way, ordered)",
      ]
    ),
    (
      {
        $0["Recipe"].changeRelationship("tags") { $0.inverse = "" }
        $0["Tag"].relationships = []
      }, ["make relationship Recipe.tags one-way"]
    ),
    (
      {
        $0["Recipe"].relationships.removeAll { $0.name == "tags" }
        $0.entities.removeLast()
      }, ["remove relationship Recipe.tags", "remove entity Tag"]
    ),
  ]

  @Test(arguments: steps.indices)
  func saysWhatChanges(number: Int) throws {
    #expect(try Self.change(Self.steps[number].change).steps == Self.steps[number].steps)
  }

  static let refused: [(change: @Sendable (inout Model) -> Void, fault: String)] = [
    (
      { $0["Recipe"].attributes.append(Attribute(name: "rating", type: .integer)) },
      "Recipe.rating: is new and required; give it a default, which older objects show too, or make it optional"
    ),
    (
      {
        $0["Recipe"].changeAttribute("servings") {
          $0.type = .string
          $0.defaultValue = "1"
        }
      },
      "Recipe.servings: is an integer and cannot become a string; add an attribute of another name, and copy the values"
    ),
    (
      {
        $0["Recipe"].changeAttribute("ingredientCount") {
          $0.type = .integer
          $0.isOptional = true
          $0.derivation = nil
        }
      }, "Recipe.ingredientCount: is derived and cannot become stored; give the new attribute another name"
    ),
    (
      {
        $0["Recipe"].changeAttribute("servings") {
          $0.type = nil
          $0.defaultValue = .null
          $0.derivation = .count(relationship: "tags")
        }
      }, "Recipe.servings: is stored and cannot become derived"
    ),
    (
      {
        $0["Recipe"].changeRelationship("type") {
          $0.isMany = true
          $0.isOptional = false
        }
        $0["Recipe"].indexes = []
      }, "Recipe.type: is to-one and cannot become to-many; declare a new relationship under another name"
    ),
    (
      { $0["Recipe"].changeRelationship("ingredients") { $0.isOrdered = false } },
      "Recipe.ingredients: is ordered and cannot become unordered"
    ),
    (
      { $0["Recipe"].changeRelationship("tags") { $0.isOrdered = true } },
      "Recipe.tags: is unordered and cannot become ordered"
    ),
    (
      {
        $0["Recipe"].changeRelationship("tags") {
          $0.target = "RecipeType"
          $0.inverse = "dishes"
        }
        $0["Tag"].relationships = []
        $0["RecipeType"].relationships.append(
          Relationship(name: "dishes", target: "Recipe", inverse: "tags", isMany: true))
      },
      "Recipe.tags: leads to Tag and cannot lead to RecipeType; keep it, or remove both sides and declare new ones"
    ),
    (
      {
        $0["Recipe"].changeRelationship("tags") { $0.inverse = "dishes" }
        $0["Tag"].relationships[0].name = "dishes"
      },
      "Recipe.tags: has the inverse “recipes” and cannot have “dishes”"
    ),
    (
      {
        $0["RecipeType"].changeRelationship("recipes") { $0.inverse = "" }
        $0["Recipe"].relationships.removeAll { $0.name == "type" }
        $0["Recipe"].indexes = []
      }, "Recipe.RecipeType.recipes: is to-one and cannot become to-many"
    ),
    (
      {
        $0["Recipe"].attributes[2].renamedFrom = "servings"
        $0["Recipe"].attributes.remove(at: 1)
      }, "Recipe.note: is to be renamed from “servings”, but the store has both"
    ),
    (
      {
        $0["Recipe"].attributes[2].name = "remark"
        $0["Recipe"].attributes[2].renamedFrom = "nota"
      }, "Recipe.remark: is renamed from “nota”, which the store does not have, while “note” is removed"
    ),
  ]

  @Test(arguments: refused.indices)
  func refusesWithAdvice(number: Int) throws {
    let before = try ResolvedModel(creating: recipes())
    let model = try recipes().changed(Self.refused[number].change)
    let error = try #require(throws: ModelError.self) { try before.evolved(to: model) }
    #expect(error.faults.contains { $0.description.hasPrefix(Self.refused[number].fault) }, "\(error)")
  }

  static let checked: [(change: @Sendable (inout Model) -> Void, check: ModelCheck.Condition, fault: String)] = [
    (
      { $0["Recipe"].changeAttribute("note") { $0.isOptional = false } }, .noNulls(entity: 0, attribute: 2),
      "Recipe.note: cannot become required while objects lack it; set it in all objects first"
    ),
    (
      {
        $0["Recipe"].changeAttribute("note") {
          $0.isOptional = false
          $0.defaultValue = ""
        }
      }, .noNulls(entity: 0, attribute: 2), "Recipe.note: cannot become required"
    ),
    (
      { $0["Recipe"].changeRelationship("type") { $0.isOptional = false } }, .noEmptyLinks(entity: 0, relationship: 0),
      "Recipe.type: cannot become required while objects lack it; relate all objects first"
    ),
    (
      {
        $0["Recipe"].relationships.removeAll { $0.name == "tags" }
        $0.entities.removeLast()
      }, .noObjects(entity: 3), "Tag: cannot be removed while it has objects; delete them first"
    ),
    (
      {
        $0["Tag"].relationships.append(Relationship(name: "cook", target: "Cook", inverse: "tags"))
        $0.entities.append(
          Entity(
            name: "Cook", relationships: [Relationship(name: "tags", target: "Tag", inverse: "cook", isMany: true)]))
      },
      .noObjects(entity: 3), "Tag.cook: is new and required, and there are objects without it; make it optional"
    ),
  ]

  @Test(arguments: checked.indices)
  func asksForWhatMustBeTrueOfTheObjects(number: Int) throws {
    let expected = Self.checked[number]
    let change = try Self.change(expected.change)
    #expect(change.checks.map(\.condition) == [expected.check])
    #expect(change.checks[0].fault.description.hasPrefix(expected.fault), "\(change.checks[0].fault)")
  }
}
