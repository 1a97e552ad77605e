import Daybook
import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct EditingPreviewTests {
  @Test func aPreviewIsWhatSavingThenDoes() throws {
    // Events contain the times of the replaced state, even within the same commit.
    let clock = FixedClock()
    var options = StoreOptions()
    options.clock = clock.read
    try withTemporaryStore(FeedModel.model, options: options) { store in
      let type = try store.write { try $0.insert("RecipeType", ["name": "Dessert"]) }
      let cake = try store.insertRecipes("Cake", type: type)[0]
      let sugar = try store.write { tx in
        let sugar = try tx.insert("Ingredient", ["name": "Sugar"])
        try tx.relate(sugar, "recipe", to: cake)
        return sugar
      }
      let open = try store.liveResults(of: FeedModel.byType)
      let context = try store.makeContext()
      try context.insert("Recipe", ["name": "Pie"])
      try context.delete(cake)
      let preview = try context.preview(of: [FeedModel.byName])
      #expect(preview.position == 4 && preview.failures.isEmpty && preview.conflicts.isEmpty)
      #expect(preview.deleted == [sugar, cake])
      #expect(try store.position == 4 && store.get(cake) != nil)
      let position = try context.save()
      var log = try store.log(from: position)
      let commit = try #require(try log.next())
      #expect(commit.events == preview.events)
      for request in [FeedModel.byName, FeedModel.byType] {
        #expect(try store.difference(of: request, from: 4, to: 5) == preview.differences[request])
      }
      #expect(try open.update()?.difference == preview.differences[FeedModel.byType]?.difference)
    }
  }

  @Test func aPreviewTellsConflictsAndBrokenRules() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let cake = try store.insertRecipes("Cake")[0]
      let context = try store.makeContext()
      try context.rename(cake, to: "Tart")
      try store.write { try $0.rename(cake, to: "Pie") }
      let refused = try context.preview()
      #expect(refused.conflicts.count == 1 && refused.events.isEmpty)
      let decided = try context.preview(resolving: .mine)
      #expect(decided.conflicts.count == 1 && decided.events.count == 1)
      try context.insert("Ingredient", ["name": "Salt"])
      #expect(try context.preview(resolving: .mine).failures.map(\.code) == [.constraint])
    }
  }
}
