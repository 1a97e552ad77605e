#if Macros

import DaybookMacros
import DaybookTestSupport
import Foundation
import Testing

/// The code of the article about projections.
@Suite(.hangLimit) struct ProjectionArticleTests {
  typealias Recipe = Guide.Recipe
  typealias RecipeType = Guide.RecipeType
  typealias Ingredient = Guide.Ingredient
  typealias RecipeCooked = Guide.RecipeCooked
  typealias CookedMonth = Guide.CookedMonth
  typealias CookedMonths = Guide.CookedMonths
  typealias Favourite = Guide.Favourite
  typealias Favourites = Guide.Favourites

  private func openStore(at path: String) throws -> Store {
    let model = try Model(Recipe.self, RecipeType.self, Ingredient.self, events: RecipeCooked.self)
    var options = StoreOptions()
    options.projections = [CookedMonths(), Favourites()]
    let store = try Store(at: path, model: model, options: options)
    return store
  }

  /// Writes a dessert and a soup, and returns them.
  private func fill(_ store: Store) throws -> (cake: Recipe.ID, soup: Recipe.ID) {
    try store.write(author: "editor") { tx in
      let dessert = try tx.insert(RecipeType(name: "Dessert"))
      return (try tx.insert(Recipe(name: "Cake", type: dessert)), try tx.insert(Recipe(name: "Soup")))
    }
  }

  private func cook(_ recipe: Recipe.ID, servings: Int, in store: Store) throws {
    let info = CommitInfo(author: "chef", happenedAt: Timestamp("2026-03-14T12:00:00Z"))
    try store.write(info) { try $0.record(RecipeCooked(about: recipe, servings: servings)) }
  }

  @Test func rowsAreAList() async throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(at: directory.path("recipes.daybook"))
    let (cake, soup) = try fill(store)
    try await store.write(author: "chef") { tx in
      try tx.record(RecipeCooked(about: cake, servings: 6, verdict: "too sweet"))
    }
    for servings in [2, 4] { try cook(soup, servings: servings, in: store) }

    try await store.projection("cooked-months").wait(for: store.position)

    var printed: [String] = []
    func print(_ section: String, _ month: String, _ name: String, _ servings: Int) {
      printed.append("\(section) \(name) \(servings)")
    }
    func print(_ servings: Int, _ causes: [Position]) { printed.append("\(servings) \(causes)") }
    let byType = CookedMonth.where { $0.servings > 4 }
      .sorted(by: \.servings, .descending).sectioned(by: \.recipe.type.name)
    let found = try store.fetch(byType)
    for section in found.sections {
      for row in section.rows { print(section.name, row.month, try row.related(\.recipe)?.name ?? "", row.servings) }
    }

    let then = try store.at(4).fetch(byType)
    let change = try store.difference(of: byType, from: 4, to: found.position)
    for row in try change.rows() { print(row.servings, change.causes[row.id] ?? []) }
    #expect(then.rows.map(\.recipe) == [cake])
    #expect(printed == [" Soup 6", "Dessert Cake 6", "6 [5]"])

    try await expectFavourite(soup, after: cake, in: store)
    try closeAndVerify(store)
  }

  /// Expects the favourite of a month, which changes when another recipe has more servings.
  private func expectFavourite(_ soup: Recipe.ID, after cake: Recipe.ID, in store: Store) async throws {
    try await store.projection("favourites").wait(for: store.position)
    let march = Favourite.where { $0.month == "2026-03" }
    #expect(try store.fetch(march.where { $0.row.recipe.name == "Soup" }).count == 1)
    try cook(cake, servings: 9, in: store)
    try await store.projection("favourites").wait(for: store.position)
    #expect(try store.fetch(march.where { $0.row.recipe.name == "Cake" }).count == 1)
    #expect(try store.at(5).fetch(march.where { $0.row.recipe.name == "Soup" }).count == 1)
  }

  @Test func rowsAreFollowedAndResumed() async throws {
    let directory = try TemporaryDirectory()
    let store = try openStore(at: directory.path("recipes.daybook"))
    let (cake, soup) = try fill(store)
    try cook(cake, servings: 6, in: store)
    try await store.projection("cooked-months").wait(for: store.position)
    let (first, saved) = try await follow(store, from: FeedCursor(.empty), having: SectionedIDs(unsectioned: []))
    #expect(first.count == 1)

    try cook(soup, servings: 5, in: store)
    try await store.projection("cooked-months").wait(for: store.position)
    let text = "\(saved)"
    let resumed = try #require(FeedCursor(text))
    let (list, last) = try await follow(store, from: resumed, having: first)
    #expect(try list == store.fetch(CookedMonth.all).ids)
    #expect(try last.position == store.position)
    try closeAndVerify(store)
  }

  /// Follows the rows up to the next difference, which continues those that the caller has.
  private func follow(
    _ store: Store, from cursor: FeedCursor, having known: SectionedIDs<CookedMonth.ID>
  ) async throws -> (SectionedIDs<CookedMonth.ID>, FeedCursor) {
    let request = CookedMonth.all
    let follower = Task {
      var list = known
      // A consumer ends the feed by ending its task.
      var saved = cursor { didSet { withUnsafeCurrentTask { $0?.cancel() } } }
      for try await change in store.changes(of: request, from: saved) {
        list = change.isReset ? try store.at(change.to).fetch(request).ids : try list.applying(change.difference)
        saved = change.cursor
      }
      return (list, saved)
    }
    return try await follower.value
  }

  @Test func rowsAreReadByTheirNames() async throws {
    var options = StoreOptions()
    options.projections = [RecipeYears()]
    let recipes = try Model(Recipe.self, RecipeType.self, Ingredient.self)
    try await withTemporaryStore(recipes, options: options) { store in
      _ = try fill(store)
      try await store.projection("recipe-years").wait(for: store.position)
      let request = Request(
        entity: "RecipeYear", filter: try Filter(parsing: "recipes > 0"), sort: [try SortTerm(parsing: "recipes:desc")],
        section: try SectionKey(parsing: "type.name"))
      let found = try store.fetch(request)
      #expect(found.sections.map(\.name) == ["Dessert"])
      #expect(found.rows.map { $0["recipes"] } == [.integer(1)])
    }
  }
}

#endif
