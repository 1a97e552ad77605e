#if Macros

import DaybookMacros
import DaybookTestSupport
import Testing

/// The code of the articles "Why it happened" and "Asking the journal".
@Suite(.hangLimit) struct AskingArticleTests {
  typealias Recipe = Guide.Recipe
  typealias RecipeCooked = Guide.RecipeCooked

  private static let model = Result {
    try Model(Recipe.self, Guide.RecipeType.self, Guide.Ingredient.self, events: RecipeCooked.self)
  }

  @Test func commitsSayWhyTheyWereWritten() throws {
    try withTemporaryStore(try AskingArticleTests.model.get()) { store in
      let order = try store.write(CommitInfo(author: "shop", correlation: "order 4711")) { tx in
        try tx.insert(Recipe(name: "Cake"))
      }
      let reasons = CommitInfo(author: "billing", metadata: ["ticket": "A-17"], causedBy: 2, correlation: "order 4711")
      try store.write(reasons) { tx in
        try tx.set(order, \.servings, 12)
      }
      let cake = order
      try store.write(author: "chef") { tx in
        try tx.record(RecipeCooked(about: cake, servings: 6, verdict: "too sweet"))
      }
      try store.write(CommitInfo(causedBy: 3)) { try $0.delete(cake) }
      for entry in try store.trace(of: 5).entries {
        print(String(repeating: "  ", count: entry.depth), entry.position, entry.message ?? "")
      }
      #expect(try store.trace(of: 5).entries.map(\.position) == [2, 3, 5])
    }
  }

  @Test func theJournalIsAsked() throws {
    try withTemporaryStore(try AskingArticleTests.model.get()) { store in
      let cakes = try store.write { tx in try ["Cake", "Pie", "Tart"].map { try tx.insert(Recipe(name: $0)) } }
      for servings in [8, 3, 0] {
        try store.write(author: "anna") { tx in for cake in cakes { try tx.set(cake, \.servings, servings) } }
      }
      let filter = CommitFilter(
        entity: "Recipe", kind: .set, author: "anna", condition: try Filter(parsing: "event.servings >= 8"))
      var log = try store.log(where: filter)
      while let commit = try log.next() { print(commit.position, commit.message ?? "") }
      var again = try store.log(where: filter)
      #expect(try again.next()?.position == 3)
      #expect(try again.next() == nil)

      let soldOut = Request(entity: "Recipe", filter: try Filter(parsing: "servings == 0"))
      let position = try store.bisect(soldOut) { $0 >= 3 }
      #expect(position == 5)
    }
  }
}

#endif
