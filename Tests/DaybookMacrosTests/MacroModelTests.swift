#if Macros

import DaybookMacros
import DaybookTestSupport
import Foundation
import Testing

@Suite(.hangLimit) struct MacroModelTests {
  @Test func structsDescribeTheModelThatTheModelFileDescribes() throws {
    let model = try Model(cookbook)
    let text = try Model(parsing: Array(cookbookFile.utf8))
    #expect(model.text == text.text)
    #expect(model == text)
  }

  @Test func aStoreOfTheModelFileIsReadAndWrittenByStructs() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let file = try Model(parsing: Array(cookbookFile.utf8))
    let id: ObjectID
    do {
      let store = try Store(at: path, model: file)
      id = try store.write {
        try $0.insert("Recipe", ["name": "Cake", "course": "dessert", "difficulty": 2])
      }
      store.close()
    }
    let store = try Store(at: path, model: Model(cookbook))
    let cake = try #require(try store.get(Recipe.ID(id)))
    #expect(cake.value == Recipe(name: "Cake", course: .dessert, difficulty: .hard))
    try store.write { try $0.set(cake.id, \.note, "sweet") }
    try closeAndVerify(store)
    let again = try Store(at: path, model: file)
    #expect(try again.get(id)?["note"] == "sweet")
    #expect(try again.get(id)?["servings"] == 4)
  }

  @Test func everyAttributeTypeIsReadAsItWasWritten() throws {
    let first = Sample()
    var second = Sample(
      string: "", integer: .min, int8: .min, int16: .max, int32: .min, int64: .max, uint8: .max, uint16: .max,
      uint32: .max, double: -.infinity, float: .leastNormalMagnitude, decimal: Decimal(string: "-0.000123")!,
      boolean: false, words: [], numbers: ["x": 1, "a": 2], letters: ["z", "y"],
      codable: Nutrition(energy: 0.1, minerals: ["Fe": 3]), text: .starter, number: .hard, default: true)
    second.optionalString = "s"
    second.optionalInteger = 0
    second.optionalDouble = 0.1
    second.optionalDecimal = 1
    second.optionalBoolean = false
    second.optionalDate = Date(timeIntervalSince1970: -1.25)
    second.optionalUUID = second.uuid
    second.optionalData = Data()
    second.optionalCodable = Nutrition()
    second.optionalWords = []
    second.optionalText = .dessert
    try withTemporaryStore(Model(cookbook)) { store in
      let (a, b) = try store.write { (try $0.insert(first), try $0.insert(second)) }
      #expect(try store.get(a)?.value == first)
      #expect(try store.get(b)?.value == second)
      let head = try store.position
      try store.write { try $0.set(a, to: first) }
      try store.write { try $0.set(b, to: second) }
      #expect(try store.position == head, "writing what is there already is no change")
      try store.write { try $0.set(a, to: second) }
      #expect(try store.get(a)?.value == second)
    }
  }

  @Test func objectsThatAreInsertedWithoutTheStructHaveItsDefaults() throws {
    try withTemporaryStore(Model(cookbook)) { store in
      let id = try store.write { tx in
        try tx.insert(
          "Sample",
          [
            "timestamp": .date(Timestamp(microseconds: 1)), "date": .date(Timestamp(microseconds: 500_000)),
            "uuid": .uuid(ObjectID("0190163d-8694-739b-aea5-966c26f8ad91")!),
            "identity": .uuid(ObjectID("0190163d-8694-739b-aea5-966c26f8ad92")!), "data": .data([1, 2]),
            "url": "https://example.org/a", "codable": .data(Array(#"{"energy":1,"minerals":{}}"#.utf8)),
          ])
      }
      #expect(try store.get(Sample.ID(id))?.value == Sample())
    }
  }

  @Test func everyKindOfRelationshipLeadsBothWays() throws {
    try withTemporaryStore(Model(cookbook)) { store in
      let cake = try store.write { tx in
        let dessert = try tx.insert(RecipeType(name: "Dessert"))
        let photo = try tx.insert(Photo(image: Data([1])))
        let cake = try tx.insert(Recipe(name: "Cake", type: dessert, photo: photo))
        let flour = try tx.insert(Ingredient(name: "flour", amount: 3, recipe: cake))
        let sugar = try tx.insert(Ingredient(name: "sugar", amount: 1, recipe: cake))
        try tx.relate(cake, \.ingredients, to: sugar, at: .before(flour))
        let quick = try tx.insert(Tag(name: "quick", recipes: [cake]))
        #expect(try tx.targets(of: cake, \.tags) == [quick])
        return cake
      }
      let recipe = try #require(try store.get(cake))
      #expect(try recipe.ingredients.fetch().map(\.name) == ["sugar", "flour"])
      #expect(try recipe.related(\.type)?.name == "Dessert")
      #expect(try recipe.related(\.photo)?.recipe == cake)
      #expect(try recipe.related(\.tags).first?.related(\.recipes).map(\.id) == [cake])
      #expect(recipe.ingredientCount == 2)
      #expect(recipe.weight == 4)
      #expect(recipe.least == 1)
      #expect(recipe.most == 3)
      try store.write { try $0.delete(cake) }
      #expect(try store.count(Ingredient.all) == 0)
      #expect(try store.count(Photo.all) == 0)
      #expect(try store.count(Tag.all) == 1)
    }
  }

  @Test func aTreeOfOneEntityFindsItsInverses() throws {
    try withTemporaryStore(Model(TreeNode.self)) { store in
      let leaf = try store.write { tx in
        let root = try tx.insert(TreeNode(name: "root"))
        return try tx.insert(TreeNode(name: "leaf", parent: root))
      }
      let root = try #require(try store.get(leaf)?.related(\.parent))
      #expect(try root.children.ids() == [leaf])
      #expect(try store.get(leaf.objectID)?.entity == "Node")
    }
  }
}

#endif
