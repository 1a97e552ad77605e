import Testing

@testable import DaybookModel

/// The parts that are kept, numbered and built over changes of a model.
@Suite(.hangLimit) struct EvolvedModelTests {
  @Test func keepsTagsAndNumbersOverRenames() throws {
    let before = try ResolvedModel(creating: recipes())
    let change = try ModelEvolutionTests.change {
      $0["Recipe"].renamedFrom = "Recipe"
      $0["Recipe"].name = "Dish"
      for entity in $0.entities.indices {
        for number in $0.entities[entity].relationships.indices
        where $0.entities[entity].relationships[number].target == "Recipe" {
          $0.entities[entity].relationships[number].target = "Dish"
        }
      }
      $0["Dish"].changeAttribute("name") {
        $0.name = "title"
        $0.renamedFrom = "name"
      }
      $0["Dish"].nameAttribute = "title"
      $0["Dish"].unique = [["title"]]
      $0["RecipeType"].changeRelationship("recipes") {
        $0.name = "dishes"
        $0.renamedFrom = "recipes"
      }
      $0["Dish"].changeRelationship("type") {
        $0.name = "kind"
        $0.renamedFrom = "type"
        $0.inverse = "dishes"
      }
      $0["RecipeType"].changeRelationship("dishes") { $0.inverse = "kind" }
      $0["Dish"].indexes[0] = Index([.init(path: ["kind", "name"]), .init(path: ["title"])])
    }
    #expect(
      change.steps == [
        "rename entity Recipe to Dish", "rename attribute Dish.name to title", "rename relationship Dish.type to kind",
        "rename relationship RecipeType.recipes to dishes",
      ])
    #expect(change.newIndexes.isEmpty && change.removedIndexTags.isEmpty)
    #expect(change.newConstraints.isEmpty && change.removedConstraintTags.isEmpty && change.newDerived.isEmpty)
    #expect(change.model.nextTag == before.nextTag)
    #expect(change.model.entities[0].indexes.map(\.tag) == before.entities[0].indexes.map(\.tag))
    #expect(change.model.entity(named: "Dish") == 0 && change.model.entity(named: "Recipe") == nil)
    #expect(change.model.entities[0].attribute(named: "title") == 0)
    // Completed renames are no part of the resulting model.
    #expect(change.model.model.json.text.contains("renamedFrom") == false)
  }

  @Test func aDoneRenameMayStayInTheModelFile() throws {
    let first = try ResolvedModel(creating: recipes())
    let renamed = try recipes().changed {
      $0["Recipe"].changeAttribute("note") {
        $0.name = "remark"
        $0.renamedFrom = "note"
      }
    }
    let second = try first.evolved(to: renamed).model
    #expect(try second.evolved(to: renamed).isEmpty)
    // The former name can be used for another attribute.
    let third = renamed.changed {
      $0["Recipe"].attributes.append(Attribute(name: "note", type: .date, isOptional: true))
    }
    let change = try second.evolved(to: third)
    #expect(change.steps == ["add attribute Recipe.note (date, optional)"])
    #expect(try change.model.evolved(to: third).isEmpty)
    // A store that never had the former name adds the new one.
    let fresh = try ResolvedModel(creating: recipes().changed { $0["Recipe"].attributes.remove(at: 2) })
    #expect(try fresh.evolved(to: renamed).steps == ["add attribute Recipe.remark (string, optional)"])
  }

  @Test func namesMayShiftInOneChange() throws {
    let change = try ModelEvolutionTests.change {
      $0["Recipe"].attributes[2].name = "remark"
      $0["Recipe"].attributes[2].renamedFrom = "note"
      $0["Ingredient"].attributes[1].name = "quantity"
      $0["Ingredient"].attributes[1].renamedFrom = "amount"
      $0["Ingredient"].attributes[0].name = "amount"
      $0["Ingredient"].attributes[0].renamedFrom = "name"
      $0["Ingredient"].nameAttribute = "amount"
    }
    #expect(
      change.steps == [
        "rename attribute Recipe.note to remark", "rename attribute Ingredient.name to amount",
        "rename attribute Ingredient.amount to quantity",
      ])
  }

  @Test func olderObjectsKeepTheDefaultThatAnAttributeWasAddedWith() throws {
    let first = try ResolvedModel(creating: recipes())
    #expect(first.entities[0].attributes[1].valueWhenMissing == .null)
    let with4 = try recipes().changed {
      $0["Recipe"].attributes.append(Attribute(name: "stars", type: .integer, defaultValue: 4))
    }
    let second = try first.evolved(to: with4).model
    #expect(second.entities[0].attributes[4].valueWhenMissing == 4)
    let with5 = with4.changed {
      $0["Recipe"].changeAttribute("stars") {
        $0.defaultValue = 5
        $0.isOptional = true
      }
    }
    let third = try ResolvedModel(stored: second.evolved(to: with5).model.storedJSON)
    #expect(third.entities[0].attributes[4].valueWhenMissing == 4)
    #expect(third.entities[0].attributes[4].defaultValue == 5)
    // An entity that is new in the change has no older objects.
    let change = try ModelEvolutionTests.change {
      $0.entities.append(Entity(name: "Cook", attributes: [Attribute(name: "stars", type: .integer, defaultValue: 4)]))
    }
    #expect(change.model.entities[4].attributes[0].valueWhenMissing == .null)
  }

  @Test func listsWhatIsToBeBuiltAndDropped() throws {
    let before = try ResolvedModel(creating: recipes())
    let change = try ModelEvolutionTests.change {
      $0["Recipe"].changeAttribute("name") { $0.order = .codepoint }
      $0["Recipe"].changeAttribute("ingredientCount") { $0.derivation = .count(relationship: "tags") }
      $0["Recipe"].indexes.append(Index([.init(path: ["ingredientCount"])]))
      $0["Recipe"].unique = [["name", "type"]]
      $0.entities.append(Entity(name: "Cook", attributes: [Attribute(name: "n", type: .string)], unique: [["n"]]))
    }
    #expect(change.newIndexes.map { [$0.entity, $0.index] } == [[0, 1], [0, 3], [4, 0]])
    #expect(change.removedIndexTags == [before.entities[0].indexes[1].tag])
    #expect(change.newConstraints.map { [$0.entity, $0.constraint] } == [[0, 0], [4, 0]])
    #expect(change.removedConstraintTags == [before.entities[0].constraints[0].tag])
    #expect(change.newDerived.map { [$0.entity, $0.attribute] } == [[0, 4]])
    let recipe = change.model.entities[0]
    #expect(recipe.attributes.map(\.name) == ["name", "servings", "note", "ingredientCount", "ingredientCount"])
    #expect(recipe.attributes.map(\.isRetired) == [false, false, false, true, false])
    #expect(recipe.indexes[3].terms[0].path.field == .attribute(4))
    #expect(recipe.indexes[2].tag == before.entities[0].indexes[2].tag)
  }

  @Test func anOrderThatDerivedValuesFollowRedefinesThem() throws {
    let first = try recipes().changed {
      $0["Recipe"].attributes.append(
        Attribute(name: "first", type: nil, derivation: .minimum(relationship: "ingredients", attribute: "name")))
      $0["Recipe"].indexes.append(Index([.init(path: ["first"])]))
    }
    let change = try ResolvedModel(creating: first).evolved(
      to: first.changed { $0["Ingredient"].changeAttribute("name") { $0.order = .natural } })
    #expect(
      change.steps == [
        "change the order of Ingredient.name from codepoint to natural",
        "redefine attribute Recipe.first (minimum of ingredients.name)", "rebuild index Recipe [first]",
      ])
  }

  @Test func aRemovedEntityLeavesItsPlace() throws {
    let change = try ModelEvolutionTests.change {
      $0["Recipe"].relationships.removeAll { $0.name == "type" }
      $0["Recipe"].indexes = []
      $0.entities.removeAll { $0.name == "RecipeType" }
      $0.entities.append(Entity(name: "Cook"))
    }
    #expect(change.model.entities.map(\.name) == ["Recipe", "RecipeType", "Ingredient", "Tag", "Cook"])
    #expect(change.model.entities.map(\.isRetired) == [false, true, false, false, false])
    let type = change.model.entities[1]
    #expect(type.attributes.allSatisfy(\.isRetired) && type.relationships.allSatisfy(\.isRetired))
    #expect(change.removedIndexTags.count == 3)
    // The name may be used again, for another entity.
    let again = try change.model.evolved(
      to: change.model.model.changed { $0.entities.append(Entity(name: "RecipeType")) })
    #expect(again.model.entity(named: "RecipeType") == 5)
    #expect(again.model.checkInvariants() == [])
  }

  @Test func aModelOfAnotherStoreMayBeEdited() throws {
    let other = try ResolvedModel(creating: recipes()).evolved(
      to: recipes().changed {
        $0["Recipe"].attributes.append(Attribute(name: "stars", type: .integer, defaultValue: 4))
      }
    ).model.model
    let resolved = try ResolvedModel(creating: other)
    #expect(resolved.checkInvariants() == [])
    #expect(resolved.entities[0].attributes[4].valueWhenMissing == .null)
    #expect(resolved.entities[0].attributes[4].tag == Tag(7))
  }

  @Test func aOneWayRelationshipKeepsItsLinksUnderEachName() throws {
    let first = try ResolvedModel(
      creating: Model(entities: [
        Entity(name: "Page"),
        Entity(name: "Book", relationships: [Relationship(name: "pages", target: "Page", isMany: true)]),
      ]))
    #expect(first.checkInvariants() == [])
    #expect(first.neededVersion == 6)
    let hidden = try #require(first.entities[0].relationships.first)
    #expect(hidden.isHidden && hidden.isMany && !hidden.isOwner && hidden.name == "Book.pages")
    #expect(first.entities[0].relationship(named: hidden.name) == nil)
    #expect(first.model.entities.map(\.relationships.count) == [0, 1])
    #expect(first.model.entities[1].relationships[0].inverse == "")
    #expect(!first.model.text.contains("inverse"))

    // Renamed with its entity.
    var renamed = first.model
    renamed["Book"].relationships[0] = Relationship(name: "sheets", renamedFrom: "pages", target: "Page", isMany: true)
    renamed.entities[1].name = "Volume"
    renamed.entities[1].renamedFrom = "Book"
    let second = try first.evolved(to: renamed)
    #expect(second.steps == ["rename entity Book to Volume", "rename relationship Volume.pages to sheets"])
    #expect(second.model.entities[0].relationships.map(\.name) == ["Volume.sheets"])
    #expect(second.model.entities[0].relationships[0].tag == hidden.tag)

    // A former name may stay in the file, also when another entity has it.
    renamed.entities.append(
      Entity(name: "Book", relationships: [Relationship(name: "pages", target: "Page", isMany: true)]))
    let other = try second.model.evolved(to: renamed)
    #expect(other.steps == ["add entity Book", "add relationship Book.pages (to-many Page, one-way)"])
    #expect(other.model.entities[0].relationships.map(\.name) == ["Volume.sheets", "Book.pages"])
    #expect(try other.model.evolved(to: renamed).isEmpty)

    // Named: an inverse to many is the hidden one.
    var named = second.model.model
    named["Volume"].relationships[0].inverse = "volumes"
    named["Page"].relationships = [Relationship(name: "volumes", target: "Volume", inverse: "sheets", isMany: true)]
    let third = try second.model.evolved(to: named)
    #expect(third.steps == ["give Volume.sheets the inverse Page.volumes"])
    #expect(third.model.entities[0].relationships.map(\.tag) == [hidden.tag])
    #expect(third.model.neededVersion == 1)
    #expect(third.model.entities[1].relationships[0].isOwner)

    // Hidden again, and removed.
    let fourth = try third.model.evolved(to: second.model.model)
    #expect(fourth.steps == ["make relationship Volume.sheets one-way"])
    #expect(fourth.model.entities[0].relationships.map(\.tag) == [hidden.tag])
    var without = fourth.model.model
    without["Volume"].relationships = []
    let fifth = try fourth.model.evolved(to: without)
    #expect(fifth.steps == ["remove relationship Volume.sheets"])
    for change in [second, third, fourth, fifth] {
      #expect(change.model.checkInvariants() == [])
      #expect(try ResolvedModel(stored: change.model.storedJSON).summary == change.model.summary)
    }

    // An inverse to one would own the links.
    named["Page"].relationships[0].isMany = false
    #expect {
      try second.model.evolved(to: named)
    } throws: { "\($0)".contains("Page.volumes: is to-many and cannot become to-one") }
  }
}
