import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Checks of an application's own.
@Suite(.hangLimit) struct ValidationTests {
  private func options() -> StoreOptions {
    var options = StoreOptions()
    options.validate("Recipe") { recipe, reader in
      if recipe["name"] == "Poison" { throw ValidationFailure("nobody eats this", fields: ["name"]) }
      let ingredients = try reader.targets(of: recipe.id, "ingredients").compactMap { try reader.get($0) }
      if ingredients.contains(where: { $0["name"] == "Poison" }) { throw ValidationFailure("it is poisoned") }
    }
    return options
  }

  @Test func aCheckRefusesACommit() throws {
    try withTemporaryStore(FeedModel.model, options: options()) { store in
      let error = #expect(throws: StoreError.self) { try store.insertRecipes("Poison") }
      #expect(error?.code == .constraint && error?.message.hasSuffix("nobody eats this.") ?? false)
      #expect(error?.failure?.rule == .validation && error?.failure?.fields == ["name"])
      #expect(error?.failure?.value == "Poison")
      try store.insertRecipes("Cake")
      #expect(try store.position == 2)
    }
  }

  @Test func itSeesTheStateAfterTheCommitAndRunsForLinkedObjects() throws {
    try withTemporaryStore(FeedModel.model, options: options()) { store in
      let cake = try store.insertRecipes("Cake")[0]
      let error = #expect(throws: StoreError.self) {
        try store.write { try $0.relate($0.insert("Ingredient", ["name": "Poison"]), "recipe", to: cake) }
      }
      #expect(error?.failure?.object == cake)
      try store.write { tx in
        let poison = try tx.insert("Ingredient", ["name": "Poison"])
        try tx.relate(poison, "recipe", to: cake)
        try tx.delete(poison)
      }
    }
  }

  @Test func aPreviewRunsIt() throws {
    try withTemporaryStore(FeedModel.model, options: options()) { store in
      let context = try store.makeContext()
      try context.insert("Recipe", ["name": "Poison"])
      #expect(try context.preview().failures.map(\.failure?.rule) == [.validation])
    }
  }

  @Test func itCanFetchWhatTheCommitWrote() throws {
    var options = StoreOptions()
    options.validate("Recipe") { _, reader in
      let count = try reader.fetch(Request(entity: "Recipe")).rows.count
      if count > 2 { throw ValidationFailure("there are \(count) recipes") }
    }
    try withTemporaryStore(FeedModel.model, options: options) { store in
      try store.insertRecipes("a", "b")
      let error = #expect(throws: StoreError.self) { try store.insertRecipes("c") }
      #expect(error?.message.contains("there are 3 recipes") ?? false)
    }
  }
}
