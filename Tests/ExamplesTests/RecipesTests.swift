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
      #expect(try store.position == Position(18))
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
    #expect(try again.position == Position(18))
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

  private func cooked(in store: Store) throws -> [String] {
    try store.fetch(CookedMonth.all.sorted(by: \.month).sorted(by: \.name)).rows.map {
      "\($0.month) \($0.name): \($0.times), \($0.last?.day ?? "never")"
    }
  }

  private static let cookedAtFirst = [
    "2026-01 Pancakes: 1, 2026-01-18", "2026-01 Tomato soup: 1, 2026-01-27", "2026-02 Margherita pizza: 1, 2026-02-14",
    "2026-02 Pancakes: 2, 2026-02-22", "2026-02 Tomato soup: 1, 2026-02-19", "2026-03 Greek salad: 1, 2026-03-07",
    "2026-03 Margherita pizza: 1, 2026-03-13",
  ]

  @Test func `what was cooked follows from the events, and is taken back by events`() throws {
    try withRecipes { store in
      #expect(try cooked(in: store) == Self.cookedAtFirst)
      let pie = try recipe("Apple pie", in: store).id
      let (first, second) = (try #require(Timestamp("2026-04-01")), try #require(Timestamp("2026-04-02")))
      for day in [first, second, second] { try store.write { try $0.record(Cooked(about: pie, day: day)) } }
      #expect(try cooked(in: store).last == "2026-04 Apple pie: 3, 2026-04-02")
      var lasts: [String?] = []
      // The last one was never cooked.
      for day in [second, second, first, first] {
        try store.write { try $0.record(NotCooked(about: pie, day: day)) }
        lasts.append(try cooked(in: store).last)
      }
      let march = Self.cookedAtFirst.last
      #expect(lasts == ["2026-04 Apple pie: 2, 2026-04-02", "2026-04 Apple pie: 1, 2026-04-01", march, march])
      #expect(try store.fetch(CookedDay.where { $0.recipe == pie }).rows.isEmpty)
      #expect(try store.at(Position(20)).fetch(CookedMonth.where { $0.recipe == pie }).rows.map(\.times) == [2])
    }
  }

  /// The program is started again in a later version.
  @Test func `a store from the time before recipes were cooked gets the events`() throws {
    let directory = try TemporaryDirectory()
    let former = try Store.create(
      at: directory.path("recipes.daybook"),
      model: try Model(Recipe.self, Ingredient.self, RecipeType.self, Photo.self))
    let soup = try former.write { try $0.insert(Recipe(name: "Soup")) }
    former.close()
    for position in 3...4 as ClosedRange<UInt64> {
      let store = try Recipes.application().openStore(in: directory.path)
      #expect(try store.position == Position(position))
      if position == 3 { try store.write { try $0.record(Cooked(about: soup, day: .init(microseconds: 0))) } }
      #expect(try cooked(in: store) == ["1970-01 Soup: 1, 1970-01-01"])
      try closeAndVerify(store)
    }
  }

  @Test func `what was cooked has the last name of its recipe`() throws {
    try withRecipes { store in
      let pancakes = try recipe("Pancakes", in: store).id
      try store.write { try $0.rename(pancakes, to: "Crêpes") }
      try store.write { try $0.delete(pancakes) }
      #expect(try cooked(in: store).filter { $0.contains("Crêpes") }.count == 2)
      let row = try #require(try store.fetch(CookedMonth.where { $0.name == "Crêpes" }).rows.first)
      // The key keeps the identity of the deleted recipe, to which the link leads again when it is back.
      #expect(row.recipe == pancakes)
      #expect(try store.count(CookedMonth.where { $0.recipe.name == "Crêpes" }) == 0)
      _ = try store.undo(.last())
      #expect(try store.count(CookedMonth.where { $0.recipe.name == "Crêpes" }) == 2)
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
