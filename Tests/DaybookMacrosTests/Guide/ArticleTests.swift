#if Macros

import DaybookMacros
import DaybookTestSupport
import Foundation
import Testing

/// The code of the articles in `Daybook.docc`, compiled and run unchanged.
@Suite(.hangLimit) struct ArticleTests {
  typealias Recipe = Guide.Recipe
  typealias RecipeType = Guide.RecipeType
  typealias Ingredient = Guide.Ingredient

  @Test(arguments: [
    ("Daybook", 1), ("GettingStarted", 8), ("Modelling", 18), ("EntitiesByHand", 2), ("WritingCommits", 8),
    ("Requests", 5), ("FollowingResults", 6), ("Differences", 1), ("EditingContexts", 4), ("Projections", 11),
    ("TestingPrograms", 1),
    ("Guarantees", 1), ("History", 5), ("UndoAndRedo", 2), ("WhyItHappened", 4), ("AskingTheJournal", 2),
    ("BeyondOneMachine", 5), ("ForCoreDataUsers", 3), ("ForGRDBUsers", 4),
  ])
  func theCodeOfAnArticleIsTheCodeOfTheseTests(name: String, blockCount: Int) throws {
    let page = try GuidePage("Sources/Daybook/Daybook.docc/\(name).md")
    #expect(page.blocks.count == blockCount)
    try page.expectCode()
  }

  @Test func aModelIsFollowedByALaterOne() throws {
    try withTemporaryStore(try Model(Version1.Errand.self)) { store in
      let errand = try store.write { try $0.insert(Version1.Errand(name: "Buy flour")) }

      let later = try Model(Version2.Errand.self)
      for step in try store.plan(later) { print(step) }
      try store.apply(later, info: CommitInfo(author: "editor"))

      let request = Version2.Errand.where { $0.minutes < 15 && $0.isDone == false }
      #expect(try store.fetch(request).rows.map(\.title) == ["Buy flour"])
      #expect(try store.at(2).get(errand)?.name == "Buy flour")
    }
  }

  @Test func aStoreGetsTheModelOfTheProgramThatOpensIt() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("errands.daybook")
    let former = try Store(at: path, model: try Model(Version1.Errand.self))
    try former.write { try $0.insert(Version1.Errand(name: "Buy flour")) }
    former.close()

    var options = StoreOptions()
    options.appliesModel = true
    let store = try Store(at: path, model: try Model(Version2.Errand.self), options: options)

    #expect(try store.position == 3)
    #expect(try store.fetch(Version2.Errand.all).rows.map(\.title) == ["Buy flour"])
    try closeAndVerify(store)
  }

  @Test func writesAreCommits() async throws {
    let recipes = try Model(Recipe.self, RecipeType.self, Ingredient.self)
    try await withTemporaryStore(recipes) { store in
      let cake = try await store.write(author: "editor", message: "For Sunday") { tx in
        let type = try tx.insert(RecipeType(name: "Dessert"))
        let cake = try tx.insert(Recipe(name: "Cake"))
        try tx.set(cake, \.note, "by Anna")
        try tx.relate(cake, \.type, to: type)
        let sugar = try tx.insert(Ingredient(name: "sugar", recipe: cake))
        let flour = try tx.insert(Ingredient(name: "flour", amount: 3, recipe: cake))
        try tx.relate(cake, \.ingredients, to: flour, at: .before(sugar))
        try tx.rename(cake, to: "Chocolate cake")
        return cake
      }
      #expect(try store.get(cake)?.ingredientCount == 2)
      try writeMore(store, cake)
      #expect(try store.get(cake) == nil)
      #expect(try store.count(Ingredient.all) == 0)
      #expect(try store.fetch(Recipe.all.sorted(by: \.name)).rows.map(\.name) == ["Pancakes", "Pie", "Tart"])
    }
  }

  private func writeMore(_ store: Store, _ cake: Recipe.ID) throws {
    let seen = try store.position
    if let recipe = try store.get(cake), recipe.servings < 8 {
      try store.write(CommitInfo(when: .untouched(cake, since: seen))) { tx in
        try tx.set(cake, \.servings, 8)
      }
    }
    #expect(throws: StoreError.self) {
      try store.write(CommitInfo(when: .untouched(cake, since: seen))) { try $0.set(cake, \.servings, 9) }
    }

    let order = UUID()
    let info = CommitInfo(author: "shop", commitID: ObjectID(order))
    let first = try store.commit(info) { tx in
      try tx.insert(Recipe(name: "Pie"))
    }
    #expect(first.result != nil)
    let again = try store.commit(info) { try $0.insert(Recipe(name: "Pie")) }
    #expect(again == .alreadyCommitted(position: first.position))

    try store.batch { batch in
      for name in ["Tart", "Pancakes"] {
        try batch.commit { tx in try tx.insert(Recipe(name: name)) }
      }
    }

    do {
      try store.write { tx in
        try tx.delete(cake)
        try tx.insert(RecipeType(name: "Dessert"))
      }
    } catch let error as StoreError where error.code == .constraint {
      print(error.message, error.advice ?? "")
    }
    #expect(try store.get(cake)?.servings == 8)

    try CommitContext(author: "importer", correlation: "run 7").perform {
      let info = CommitInfo(metadata: ["source": "menu.csv", "line": 12], causedBy: .position(first.position))
      try store.write(info) { tx in
        try tx.set(cake, \.note, "from the menu")
      }
    }
    var log = try store.log(reversed: true, limit: 1)
    let commit = try log.next()
    #expect(commit?.author == "importer" && commit?.correlation == "run 7" && commit?.metadata["line"] == 12)

    try store.write { try $0.delete(cake) }
  }

  @Test func resultsAreFollowed() async throws {
    let recipes = try Model(Recipe.self, RecipeType.self, Ingredient.self)
    try await withTemporaryStore(recipes) { store in
      try fill(store)
      let byType = Recipe.all.sorted(by: \.name).sectioned(by: \.type.name)
      let results = try store.fetch(byType)
      #expect(results.sections.map(\.name) == ["", "Dessert"])

      let live = try store.liveResults(of: byType)
      let first = try live.row(at: RowPath(section: 0, row: 0))
      #expect(first.name == "Soup")
      try writeNow(store) { try $0.rename(first.id, to: "Stock") }
      if let change = try live.update() {
        print(change.difference.viewPlan)
      }
      #expect(try live.row(at: RowPath(section: 0, row: 0)).name == "Stock")

      let follower = Task { () -> (SectionedIDs<Recipe.ID>, Position) in
        var position = results.position
        // A consumer ends the feed by ending its task.
        var table = results.ids { didSet { withUnsafeCurrentTask { $0?.cancel() } } }
        for try await change in store.changes(of: byType, from: position) {
          table = change.isReset ? try store.at(change.to).fetch(byType).ids : try table.applying(change.difference)
          position = change.to
        }
        return (table, position)
      }
      let (table, position) = try await follower.value
      #expect(try table == store.at(position).fetch(byType).ids)

      let change = try store.difference(of: byType, from: 1, to: 3)
      for row in try change.rows() {
        print(row.name, change.causes[row.id] ?? [])
      }
      #expect(try change.rows().map(\.name) == ["Stock", "Cake"])
      printSteps(of: change)
    }
  }

  private func printSteps(of change: Change<Difference<Recipe.ID>>) {
    for section in change.difference.sections {
      switch section {
      case .delete(let index, let name): print("section \(index) “\(name)” is gone")
      case .insert(let index, let name): print("section \(index) “\(name)” is new")
      }
    }
    for row in change.difference.rows {
      switch row {
      case .delete(let id, let from): print(id, "left", from)
      case .insert(let id, let to): print(id, "came to", to)
      case .move(let id, let from, let to): print(id, "moved from", from, "to", to)
      case .update(let id, let from, let to): print(id, "changed at", from, "now at", to)
      }
    }
  }

  @Test func requestsAreFollowedTogether() async throws {
    let model = try Model(Recipe.self, RecipeType.self, Ingredient.self)
    try await withTemporaryStore(model) { store in
      try fill(store)
      let follower = Task { () -> (SectionedIDs<Recipe.ID>, String, Position) in
        var position = try store.position
        var table = try store.fetch(Recipe.all.sorted(by: \.name)).ids
        // A consumer ends the feed by ending its task.
        var title = "" { didSet { withUnsafeCurrentTask { $0?.cancel() } } }
        let recipes = Recipe.all.sorted(by: \.name)
        for try await (change, count) in store.changes(of: recipes, recipes.count(), from: position) {
          table = try table.applying(change.difference)
          title = "\(count.value) recipes"
          position = change.to
        }
        return (table, title, position)
      }
      let (table, title, position) = try await follower.value
      #expect(try table == store.at(position).fetch(Recipe.all.sorted(by: \.name)).ids)
      #expect(title == "\(table.count) recipes")
    }
  }

  @Test func thePastIsRead() throws {
    let recipes = try Model(Recipe.self, RecipeType.self, Ingredient.self)
    try withTemporaryStore(recipes) { store in
      let cake = try fill(store)
      try store.write(author: "chef") { try $0.rename(cake, to: "Chocolate cake") }
      let byName = Recipe.all.sorted(by: \.name)

      let then = store.at(2)
      print(try then.fetch(byName).rows.map(\.name), try then.get(cake)?.servings ?? 0)
      #expect(try then.get(cake)?.name == "Cake")

      var history = try store.history(of: cake, reversed: true)
      while let commit = try history.next() {
        print(commit.position, commit.author ?? "unknown", commit.events)
      }

      for line in try store.blame(of: cake).lines {
        print(line.position, line.author ?? "unknown", line.name, line.value)
      }
      #expect(try store.blame(of: cake).lines.first { $0.name == "name" }?.author == "chef")

      try store.undo(.commit(3))
      #expect(try store.get(cake)?.name == "Cake")

      try store.redo(.last(of: "chef"))
      try store.undo(.last(of: "chef"), options: UndoOptions(CommitInfo(author: "editor")))
      #expect(try store.get(cake)?.name == "Cake")

      let verification = try store.verify()
      print(verification.isSound, verification.commitCount, verification.faults)
      #expect(verification.isSound && verification.commitCount == 6)

      var replay = try store.replay(of: byName, from: 2)
      while let change = try replay.next() {
        print(change.to, change.difference)
      }
    }
  }

  @Test func editsAreHeldInAContext() throws {
    let recipes = try Model(Recipe.self, RecipeType.self, Ingredient.self)
    try withTemporaryStore(recipes) { store in
      let cake = try fill(store)

      let context = try store.makeContext()
      let pie = try context.insert(Recipe(name: "Pie"))
      try context.set(cake, \.servings, 8)
      try context.set(cake, \.servings, 12)
      try context.undo()
      #expect(try context.get(cake)?.servings == 8 && store.get(cake)?.servings == 4)

      let sheet = context.makeContext()
      try sheet.rename(pie, to: "Apple pie")
      try sheet.save()

      let preview = try context.preview()
      print(preview.conflicts, preview.failures, preview.events)
      #expect(preview.events.count == 3 && preview.failures.isEmpty)

      try store.write { try $0.set(cake, \.servings, 6) }
      try context.save(
        author: "editor",
        resolving: .decide { conflict in
          if case .attribute("servings", _, let theirs) = conflict.kind { .value(theirs) } else { .mine }
        })
      #expect(try store.get(cake)?.servings == 6 && store.get(pie)?.name == "Apple pie")
    }
  }

  @Test func coreDataUsersFindTheirWay() throws {
    let recipes = try Model(Recipe.self, RecipeType.self, Ingredient.self)
    try withTemporaryStore(recipes) { store in
      let cake = try fill(store)

      let request = Recipe.where { $0.type.name == "Dessert" && $0.ingredients.count > 0 }
        .sorted(by: \.servings, .descending)
        .prefetching(\.type, \.ingredients)
      for recipe in try store.fetch(request).rows {
        print(recipe.name, try recipe.related(\.type)?.name ?? "none", try recipe.ingredients.fetch().count)
      }
      #expect(try store.count(request) == 1)

      if var recipe = try store.get(cake) {
        recipe.servings += 2
        try store.write(author: "editor") { tx in try tx.set(recipe) }
      }
      #expect(try store.get(cake)?.servings == 6)

      let ingredients = try store.fetch(store.childrenRequest(of: cake, \.ingredients))
      print(ingredients.rows.map(\.name))
      #expect(ingredients.rows.map(\.name) == ["sugar"])
    }
  }

  @Test func gRDBUsersFindTheirWay() throws {
    let recipes = try Model(Recipe.self, RecipeType.self, Ingredient.self)
    try withTemporaryStore(recipes) { store in
      let cake = try fill(store)

      let text = try Filter(parsing: #"type.name == "Dessert" AND servings BETWEEN {2, 8}"#)
      let desserts = try store.fetch(Recipe.all.where(text).limited(to: 10))
      print(desserts.rows.map(\.name))
      #expect(desserts.rows.map(\.id) == [cake])

      let search = try Filter(parsing: "name, type.name CONTAINS[cd] $text", variables: ["text": "dess"])
      print(try store.fetch(Recipe.all.where(search)).rows.map(\.name))
      #expect(try store.fetch(Recipe.all.where(search)).rows.map(\.id) == [cake])

      let total = try store.value(of: Recipe.all.sum(\.servings))
      print(total.value, total.position)
      #expect(total.value == 8)

      let (titles, head) = try store.read { reader in
        (try reader.fetch(Recipe.all).rows.map(\.name), reader.position)
      }
      #expect(titles.count == 2 && head == 2)
    }
  }

  @Test func aStoreIsVerifiedAgainstWhatIsKnown() throws {
    try withTemporaryStore(try Model(Version1.Errand.self)) { store in
      try store.write { try $0.insert(Version1.Errand(name: "Buy flour")) }

      let known = try store.verify()
      if let head = known.hash {
        print(try store.verify(expecting: [known.head: head]).isSound)
      }
      #expect(known.hash != nil && known.head == 2)
    }
  }

  @Test func relatedObjectsMeetConditions() throws {
    let recipes = try Model(Recipe.self, RecipeType.self, Ingredient.self)
    try withTemporaryStore(recipes) { store in
      let cake = try fill(store)
      let rich = Recipe.where { $0.ingredients.count { $0.amount > 2 } >= 3 }
      let sweet = Recipe.where { $0.ingredients.any { $0.name == "sugar" && $0.amount > 2 } }
      let lists = try (store.liveResults(of: rich), store.liveResults(of: sweet))
      try store.write { tx in
        for name in ["flour", "milk", "eggs"] { try tx.insert(Ingredient(name: name, amount: 3, recipe: cake)) }
      }
      #expect(try store.fetch(rich).rows.map(\.id) == [cake] && store.fetch(sweet).rows.isEmpty)
      #expect(try lists.0.update()?.difference.rows.count == 1 && lists.1.update() == nil)
    }
  }

  @Test func objectsAreGrouped() throws {
    let recipes = try Model(Recipe.self, RecipeType.self, Ingredient.self)
    try withTemporaryStore(recipes) { store in
      _ = try fill(store)
      _ = try store.write { try $0.insert(Recipe(name: "Stew")) }
      let byType = Recipe.where { $0.servings > 0 }
        .grouped(by: \.type.name, \.createdAt.month) { ($0.count, $0.sum(\.servings), $0.max(\.name)) }
        .having { $0.count > 1 }
        .sorted(by: \.count, .descending)
      for group in try store.fetch(byType).rows {
        print(group.key, group["count"], group["sum:servings"])
      }
      let group = try #require(try store.fetch(byType).rows.first)
      #expect(group.key[0] == .null && group["count"] == 2 && group["max:name"] == "Stew")
    }
  }

  /// Writes a dessert with an ingredient, and a soup without a type.
  @discardableResult
  private func fill(_ store: Store) throws -> Recipe.ID {
    try store.write(author: "editor") { tx in
      let dessert = try tx.insert(RecipeType(name: "Dessert"))
      let cake = try tx.insert(Recipe(name: "Cake", type: dessert))
      try tx.insert(Ingredient(name: "sugar", recipe: cake))
      try tx.insert(Recipe(name: "Soup"))
      return cake
    }
  }

  /// Calls the synchronous write, even where both writes are available.
  private func writeNow<Result>(_ store: Store, _ body: (borrowing Transaction) throws -> Result) throws {
    _ = try store.write(body)
  }
}

#endif
