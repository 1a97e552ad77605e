import ApplicationSupport
import DaybookMacros
import DaybookTestSupport
import Foundation
import Testing

@testable import Recipes

/// The recipes: the ready-made store, the order of ingredients, pictures, and the search.
@Suite(.hangLimit) struct RecipesTests {
  private func withRecipes(_ body: (Store) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    let store = try Recipes.application().openStore(in: directory.path, options: TestJournal.options())
    try body(store)
    try closeAndVerify(store)
  }

  private func recipe(_ name: String, in store: Store) throws -> Record<Recipe> {
    try #require(try store.fetch(Recipe.where { $0.name == name }).rows.first)
  }

  @Test func theFirstStartCopiesEightRecipesWithPictures() throws {
    try withRecipes { store in
      #expect(try store.count(Recipe.all) == 8)
      for recipe in try store.fetch(Recipe.all).rows {
        let photo = try #require(try recipe.related(\.photo))
        #expect(try Photo(photo.data).kind == photo.kind)
        #expect(try #require(recipe.thumbnail).count < photo.data.count)
        #expect(try recipe.ingredients.fetch().count >= 5)
        #expect(recipe.type != nil && recipe.minutes != nil && recipe.instructions != nil)
      }
      // The model of the ready-made store is the one of the application: opening it wrote nothing.
      #expect(try store.position == Position(10))
    }
  }

  @Test func anInterruptedFirstStartIsBegunAnew() throws {
    let directory = try TemporaryDirectory()
    let unfinished = directory.path("recipes.daybook.unfinished")
    try FileManager.default.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
    try Data("half".utf8).write(to: URL(filePath: unfinished + "/journal"))
    let store = try Recipes.application().openStore(in: directory.path, options: TestJournal.options())
    #expect(try store.count(Recipe.all) == 8)
    try closeAndVerify(store)
    #expect(!FileManager.default.fileExists(atPath: unfinished))
    let again = try Recipes.application().openStore(in: directory.path, options: TestJournal.options())
    #expect(try again.position == Position(10))
    try closeAndVerify(again)
  }

  @Test func aMovedIngredientIsOneMoveOfTheList() throws {
    try withRecipes { store in
      let pie = try recipe("Apple pie", in: store)
      let request = ingredients(of: pie.id)
      let before = try store.fetch(request).rows.map(\.id)
      let difference = try store.difference(
        of: request, from: store.position,
        to: try store.write { tx in
          try tx.relate(pie.id, \.ingredients, to: before[3], at: .before(before[0]))
          return tx.position
        })
      #expect(
        difference.difference.rows
          == [.move(before[3], from: RowPath(section: 0, row: 3), to: RowPath(section: 0, row: 0))])
      #expect(
        try store.fetch(request).rows.map(\.name)
          == ["sugar", "flour", "cold butter", "tart apples", "cinnamon", "lemon", "egg"])
    }
  }

  @Test func aDeletedRecipeTakesItsIngredientsAndItsPhoto() throws {
    try withRecipes { store in
      let pie = try recipe("Apple pie", in: store)
      let (parts, photos) = (try store.count(Ingredient.all), try store.count(Photo.all))
      try store.write { try $0.delete(pie.id) }
      #expect(try store.count(Ingredient.all) == parts - 7)
      #expect(try store.count(Photo.all) == photos - 1)
    }
  }

  @Test(arguments: [
    ("cake", ["Chocolate cake", "Pancakes"]), ("CRUST", ["Apple pie"]),
    ("tomato", ["Greek salad", "Margherita pizza", "Tomato soup"]),
    ("Ratatouillé", ["Ratatouille"]), ("\" OR name != \"", []), ("", nil),
  ])
  func theSearchFindsTextsInNameAndOverview(text: String, names: [String]?) throws {
    try withRecipes { store in
      let found = try store.fetch(recipes(matching: text).sorted(by: \.name)).rows.map(\.name)
      let all = try store.fetch(Recipe.all.sorted(by: \.name)).rows.map(\.name)
      #expect(found == names ?? all)
    }
  }

  @Test func anEmptyNameAndNoMinutesAreRefusedAndAFileThatIsNoPicture() throws {
    try withRecipes { store in
      let pie = try recipe("Apple pie", in: store)
      #expect { try store.write { try $0.rename(pie.id, to: "") } } throws: {
        ($0 as? StoreError)?.failure?.rule == .attribute(.minimumLength(1))
      }
      #expect(throws: StoreError.self) { try store.write { try $0.set(pie.id, \.minutes, 0) } }
      #expect(throws: StoreError.self) { try Photo(Data("GIF89a".utf8)) }
    }
  }
}
