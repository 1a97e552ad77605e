import Daybook
import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct EditingResultsTests {
  private func names(_ results: LiveResults<StoredObject>) throws -> [[String]] {
    try results.fetched().sections.map { $0.rows.map { "\($0["name"])" } }
  }

  @Test func eachEditIsADifference() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let cake = try store.insertRecipes("Cake")[0]
      let context = try store.makeContext()
      let results = try context.liveResults(of: FeedModel.byName)
      let pie = try context.insert("Recipe", ["name": "Apple pie"])
      let inserted = try results.update()
      #expect(inserted?.difference.rows == [.insert(pie, to: RowPath(section: 0, row: 0))])
      #expect(inserted?.causes.isEmpty == true && inserted?.from == 2 && inserted?.to == 2)
      try context.rename(cake, to: "A cake")
      #expect(try results.update()?.difference.rows.count == 1)
      #expect(try names(results) == [["A cake", "Apple pie"]])
      try context.undo()
      #expect(try results.update()?.difference.rows.count == 1)
      #expect(try names(results) == [["Apple pie", "Cake"]])
      context.cancel()
      #expect(try results.update()?.difference.rows == [.delete(pie, from: RowPath(section: 0, row: 0))])
      #expect(try results.update() == nil)
    }
  }

  /// Unique values are looked up in the edits, because their rows keep the old state.
  @Test func aUniqueValueIsFoundWhereTheEditsPutIt() throws {
    var model = FeedModel.model
    model.entities[0].unique = [["name"]]
    try withTemporaryStore(model) { store in
      let ids = try store.insertRecipes("Cake", "Pie")
      let context = try store.makeContext()
      func found(_ name: String) throws -> [ObjectID] {
        let request = Request(entity: "Recipe", filter: Filter(.path("name"), .equal, .value(.string(name))))
        let (rows, count) = (try context.liveResults(of: request).fetched().rows.map(\.id), try context.fetch(request))
        #expect(count.rows.map(\.id) == rows)
        return rows
      }
      try context.rename(ids[0], to: "Tart")
      try context.rename(ids[1], to: "Cake")
      #expect(try found("Tart") == [ids[0]])
      #expect(try found("Cake") == [ids[1]])
      #expect(try found("Pie").isEmpty)
      // Commits of other writers are not visible either.
      context.cancel()
      try store.write { try $0.rename(ids[0], to: "Crumble") }
      #expect(try found("Cake") == [ids[0]])
      #expect(try found("Crumble").isEmpty)
    }
  }

  @Test func whatIsShownStaysUntilItIsUpdated() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("A", "B", "C")
      let context = try store.makeContext()
      let results = try context.liveResults(of: FeedModel.byName)
      try context.delete(ids[1])
      try context.rename(ids[0], to: "Z")
      #expect(try names(results) == [["A", "B", "C"]])
      #expect(try results.row(at: RowPath(section: 0, row: 1)).id == ids[1])
      let change = try results.update()
      #expect(change?.difference.rows.count == 2)
      #expect(try names(results) == [["C", "Z"]])
    }
  }

  @Test func aRebaseIsADifferenceWithItsCauses() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let cake = try store.insertRecipes("Cake")[0]
      let context = try store.makeContext()
      let results = try context.liveResults(of: FeedModel.byName)
      try context.set(cake, ["servings": 3])
      try results.update()
      let pie = try store.insertRecipes("Apple pie")[0]
      #expect(try results.update() == nil)
      try context.rebase()
      let change = try results.update()
      #expect(change?.difference.rows == [.insert(pie, to: RowPath(section: 0, row: 0))])
      #expect(change?.causes == [pie: [3]] && change?.from == 2 && change?.to == 3)
    }
  }

  @Test func savingIsNoDifferenceWhereNothingElseChanged() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let context = try store.makeContext()
      let results = try context.liveResults(of: FeedModel.byName)
      try context.insert("Recipe", ["name": "Cake"])
      try results.update()
      try context.save()
      #expect(try results.update() == nil)
      #expect(try names(results) == [["Cake"]])
      #expect(results.position == 1 || results.position == 2)
    }
  }

  @Test func resultsOfANestedContextFollowBoth() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let context = try store.makeContext()
      let form = context.makeContext()
      let (lower, upper) = (try context.liveResults(of: FeedModel.byName), try form.liveResults(of: FeedModel.byName))
      let cake = try context.insert("Recipe", ["name": "Cake"])
      #expect(try upper.update()?.difference.rows.count == 1)
      #expect(try lower.update()?.difference.rows.count == 1)
      try form.rename(cake, to: "Tart")
      #expect(try lower.update() == nil)
      #expect(try upper.update()?.difference.rows.count == 1)
      try form.save()
      #expect(try upper.update() == nil)
      #expect(try lower.update()?.difference.rows.count == 1)
      #expect(try names(lower) == names(upper))
    }
  }

  @Test func rowsKeepTheirPlacesWhileTheOrderIsHeld() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b", "c")
      let context = try store.makeContext()
      let results = try context.liveResults(of: FeedModel.byName)
      try results.freezeOrder()
      var shown = try results.ids
      try context.rename(ids[0], to: "z")
      let renamed = try #require(try results.update())
      #expect(renamed.difference.rows == [.update(ids[0], from: [0, 0], to: [0, 0])])
      #expect(try results.row(at: RowPath(section: 0, row: 0))["name"] == "z")
      shown = try shown.applying(renamed.difference)
      let new = try context.insert("Recipe", ["name": "aa"])
      #expect(try results.update() == nil)
      try context.delete(ids[1])
      let deleted = try #require(try results.update())
      #expect(deleted.difference.rows == [.delete(ids[1], from: [0, 1])])
      shown = try shown.applying(deleted.difference)
      #expect(try results.ids == shown)
      #expect(results.isOrderFrozen)
      let released = try #require(try results.thawOrder())
      // Of the two rows that changed places, the one with the smaller old path stays.
      #expect(Set(released.difference.rows.map(\.id)) == [ids[2], new])
      #expect(try shown.applying(released.difference) == results.ids)
      #expect(try names(results) == [["aa", "c", "z"]])
      #expect(!results.isOrderFrozen)
      // Cancelling is handled like editing: restored rows wait too.
      try results.freezeOrder()
      context.cancel()
      #expect(try results.update()?.difference.rows.contains(.delete(new, from: [0, 0])) == true)
      #expect(try results.ids.sections.map(\.rows) == [[ids[2], ids[0]]])
      #expect(try results.thawOrder()?.difference.rows.contains(.insert(ids[1], to: [0, 1])) == true)
      #expect(try names(results) == [["a", "b", "c"]])
    }
  }

  @Test func newRowsAreShownAtTheEndWhileTheOrderIsHeld() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("b", "c")
      let context = try store.makeContext()
      let results = try context.liveResults(of: FeedModel.byName)
      try results.freezeOrder(appendingNewRows: true)
      var shown = try results.ids
      try context.rename(ids[0], to: "z")
      let new = try context.insert("Recipe", ["name": "a"])
      let change = try #require(try results.update())
      #expect(Set(change.difference.rows) == [.update(ids[0], from: [0, 0], to: [0, 0]), .insert(new, to: [0, 2])])
      shown = try shown.applying(change.difference)
      #expect(try results.ids == shown)
      #expect(try names(results) == [["z", "c", "a"]])
      // A new row that goes again goes from where it was shown.
      let undone = try context.undo() ? results.update() : nil
      #expect(undone?.difference.rows == [.delete(new, from: [0, 2])])
      try context.redo()
      shown = try shown.applying(#require(undone).difference).applying(#require(try results.update()).difference)
      let released = try #require(try results.thawOrder())
      #expect(try shown.applying(released.difference) == results.ids)
      #expect(try names(results) == [["a", "c", "z"]])
    }
  }

  @Test func differencesComeAsASequence() async throws {
    try await withTemporaryStore(FeedModel.model) { store in
      let context = try store.makeContext()
      let results = try context.liveResults(of: FeedModel.byName)
      let task = Task { () -> Int in
        var count = 0
        for try await change in results.changes {
          count += change.difference.rows.count
          if count == 3 { break }
        }
        return count
      }
      for name in ["A", "B", "C"] {
        try context.insert("Recipe", ["name": .string(name)])
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(try await task.value == 3)
    }
  }
}
