#if Macros

import DaybookMacros
import DaybookTestSupport
import Testing

/// The code that several articles share, compiled and run unchanged.
@Suite(.hangLimit) struct GuideTests {
  typealias Recipe = Guide.Recipe
  typealias RecipeType = Guide.RecipeType
  typealias Ingredient = Guide.Ingredient
  typealias RecipeCooked = Guide.RecipeCooked

  @Test func objectsAreWrittenAndAskedFor() throws {
    let recipes = try Model(Recipe.self, RecipeType.self, Ingredient.self)
    try withTemporaryStore(recipes) { store in
      let (cake, dessert) = try store.write(author: "editor") { tx in
        let dessert = try tx.insert(RecipeType(name: "Dessert"))
        let cake = try tx.insert(Recipe(name: "Cake", course: .dessert))
        let sugar = try tx.insert(Ingredient(name: "sugar", recipe: cake))
        let flour = try tx.insert(Ingredient(name: "flour", amount: 3, recipe: cake))
        try tx.relate(cake, \.type, to: dessert)
        try tx.relate(cake, \.ingredients, to: flour, at: .before(sugar))
        try tx.set(cake, \.servings, 8)
        try tx.rename(cake, to: "Chocolate cake")
        return (cake, dessert)
      }
      #expect(try store.get(cake)?.type == dessert)

      if var recipe = try store.get(cake) {
        recipe.note = "with cherries"
        try store.write { [recipe] tx in try tx.set(recipe) }
      }
      #expect(try store.get(cake)?.note == "with cherries")

      var printed: [String] = []
      func print(_ name: String, _ names: [String]) { printed.append("\(name) \(names)") }
      func print(_ name: String, _ type: String, _ names: [String]) { printed.append("\(name) \(type) \(names)") }
      let request = Recipe.where { $0.type.name == "Dessert" && $0.servings > 4 }
        .sorted(by: \.name)
        .sectioned(by: \.type.name)
      for section in try store.fetch(request).sections {
        print(section.name, section.rows.map(\.name))
      }

      let results = try store.fetch(Recipe.all.prefetching(\.type, \.ingredients))
      for recipe in results.rows {
        print(recipe.name, try recipe.related(\.type)?.name ?? "-", try recipe.ingredients.fetch().map(\.name))
      }
      #expect(
        printed == [#"Dessert ["Chocolate cake"]"#, #"Chocolate cake Dessert ["flour", "sugar"]"#])
    }
  }

  @Test func itsEventIsRecordedAndRead() throws {
    let model = try Model(Recipe.self, RecipeType.self, Ingredient.self, events: RecipeCooked.self)
    try withTemporaryStore(model) { store in
      let cake = try store.write { try $0.insert(Recipe(name: "Cake")) }
      var printed: [String] = []
      func print(_ servings: Int, _ verdict: String) { printed.append("\(servings) \(verdict)") }

      try store.write { try $0.record(RecipeCooked(about: cake, servings: 6)) }

      var history = try store.history(of: cake)
      while let commit = try history.next() {
        for event in commit.events {
          if let cooked = try event.decoded(as: RecipeCooked.self) { print(cooked.servings, cooked.verdict ?? "") }
        }
      }
      #expect(printed == ["6 "])
    }
  }

  @Test func itsFeedRuns() async throws {
    let recipes = try Model(Recipe.self, RecipeType.self, Ingredient.self)
    try await withTemporaryStore(recipes) { store in
      try await store.write { tx in
        let dessert = try tx.insert(RecipeType(name: "Dessert"))
        try tx.insert(Recipe(name: "Cake", servings: 8, type: dessert))
      }
      let request = Recipe.where { $0.type.name == "Dessert" && $0.servings > 4 }
      let follower = Task {
        var position = Position.empty
        var printed: [String] = []
        func print(_ name: String) {
          printed.append(name)
          // A consumer ends the feed by ending its task.
          withUnsafeCurrentTask { $0?.cancel() }
        }
        for try await change in store.changes(of: request, from: position) {
          for row in try change.rows() { print(row.name) }
          position = change.to
        }
        return (printed, position)
      }
      let (printed, position) = try await follower.value
      #expect(printed == ["Cake"])
      #expect(position == 2)
    }
  }

  @Test @MainActor func itsListIsCurrentFromItsFirstFrame() throws {
    let recipes = try Model(Recipe.self, RecipeType.self, Ingredient.self)
    try withTemporaryStore(recipes) { store in
      try store.write { tx in
        for name in ["Pie", "Cake"] { try tx.insert(Recipe(name: name)) }
      }
      let list = try Guide.RecipeList(store)
      #expect(try [list.title(0), list.title(1)] == ["Cake", "Pie"])
    }
  }

  @Test func itsTestsRun() throws {
    let recipes = try Model(Recipe.self, RecipeType.self, Ingredient.self)
    try withTemporaryStore(recipes, options: .repeatable()) { store in
      let byName = Recipe.all.sorted(by: \.name)
      let cake = try store.write { try $0.insert(Recipe(name: "Cake")) }
      try store.expectDifference(of: byName, rows: [.delete(cake, from: RowPath(section: 0, row: 0))]) {
        try store.write { try $0.delete(cake) }
      }
      try store.given { tx in
        try tx.insert(Recipe(name: "Pie"))
      }.when { tx, pie in
        try tx.rename(pie, to: "Apple pie")
      }.then { pie in
        [.renamed(pie, to: "Apple pie")]
      }
    }
  }

  @Test func itsEntityByHandIsOne() throws {
    let entity = try Note.entity
    #expect(entity.attributes.map(\.name) == ["text"])
    #expect(entity.relationships.map(\.target) == ["Recipe"])
    let filter = try Filter(parsing: #"recipe.name == "Cake""#)
    #expect(Note.where { $0.recipe.name == "Cake" }.untyped.filter == filter)
  }
}

#endif
