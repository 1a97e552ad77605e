import Daybook
import DaybookTestSupport
import DaybookTools
import Foundation
import Testing

@Suite(.hangLimit) struct EditingContextTests {
  private func hash(_ store: Store) throws -> String { "\(try store.statistics().stateHash)" }

  private func names(_ results: Results<StoredObject>) -> [String] { results.rows.map { "\($0["name"])" } }

  @Test func pendingEditsAreSeenInTheContextAlone() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let cake = try store.insertRecipes("Cake")[0]
      let context = try store.makeContext()
      try context.rename(cake, to: "Tart")
      let pie = try context.insert("Recipe", ["name": "Pie"])
      #expect(names(try context.fetch(FeedModel.byName)) == ["Pie", "Tart"])
      #expect(try context.get(pie)?["name"] == "Pie")
      #expect(names(try store.fetch(FeedModel.byName)) == ["Cake"])
      #expect(try store.get(pie) == nil)
      #expect(try store.position == 2)
      #expect(context.hasChanges && context.position == 2)
    }
  }

  @Test func pendingLinksAreCounted() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let (cake, quick, soft) = try store.write { tx in
        (
          try tx.insert("Recipe", ["name": "Cake"]), try tx.insert("Tag", ["name": "quick"]),
          try tx.insert("Tag", ["name": "soft"])
        )
      }
      let context = try store.makeContext()
      let byCount = Request(entity: "Recipe", sort: [SortTerm(path: ["tagCount"], .descending)])
      let rows = try context.liveResults(of: byCount)
      try context.relate(cake, "tags", to: quick)
      let pie = try context.insert("Recipe", ["name": "Pie"])
      for tag in [quick, soft] { try context.relate(pie, "tags", to: tag) }
      try context.relate(pie, "tags", to: context.insert("Tag", ["name": "new"]))
      #expect(try context.get(cake)?["tagCount"] == 1 && context.get(pie)?["tagCount"] == 3)
      try rows.update()
      #expect(try rows.fetched().rows.map(\.id) == [pie, cake])
      for text in ["tags.@count == 3", "tagCount == 3"] {
        let request = Request(entity: "Recipe", filter: try Filter(parsing: text))
        #expect(try context.fetch(request).rows.map(\.id) == [pie])
      }
      try context.delete(quick)
      #expect(try context.get(cake)?["tagCount"] == 0 && context.get(pie)?["tagCount"] == 2)
      #expect(try store.get(cake)?["tagCount"] == 0 && store.get(pie) == nil)
      try context.undo()
      #expect(try context.get(pie)?["tagCount"] == 3)
    }
  }

  @Test func savingMakesOneCommit() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let context = try store.makeContext()
      let type = try context.insert("RecipeType", ["name": "Dessert"])
      let cake = try context.insert("Recipe", ["name": "Cake"])
      try context.relate(cake, "type", to: type)
      try context.set(cake, ["servings": 4])
      let position = try context.save(author: "editor", message: "New cake")
      #expect(position == 2 && context.position == 2 && !context.hasChanges)
      var log = try store.log(from: 2)
      let commit = try log.next()
      #expect(commit?.author == "editor" && commit?.message == "New cake")
      #expect(commit?.events.map(\.kind) == [.inserted, .inserted, .related, .set])
      #expect(try store.get(cake)?["servings"] == 4)
      #expect(try context.save() == 2)
      #expect(!context.canUndo)
    }
  }

  @Test func cancellingLeavesNoTraceNotEvenOfANewObject() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let cake = try store.insertRecipes("Cake")[0]
      let before = try hash(store)
      let context = try store.makeContext()
      let pie = try context.insert("Recipe", ["name": "Pie"])
      try context.delete(cake)
      context.cancel()
      #expect(try hash(store) == before)
      #expect(try store.position == 2)
      #expect(try context.get(pie) == nil)
      #expect(names(try context.fetch(FeedModel.byName)) == ["Cake"])
      #expect(throws: StoreError.self) { try store.history(of: pie) }
    }
  }

  @Test func stepsAreUndoneAndDoneAgain() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let context = try store.makeContext()
      let cake = try context.insert("Recipe", ["name": "Cake"])
      try context.edit { tx in
        try tx.rename(cake, to: "Tart")
        try tx.set(cake, ["servings": 2])
      }
      #expect(try context.undo())
      #expect(try context.get(cake)?["name"] == "Cake")
      #expect(try context.get(cake)?["servings"] == .null)
      #expect(try context.undo())
      #expect(try context.get(cake) == nil)
      #expect(try !context.undo())
      #expect(try context.redo() && context.redo())
      #expect(try context.get(cake)?["servings"] == 2)
      #expect(try !context.redo())
      try context.undo()
      try context.rename(cake, to: "Pie")
      #expect(!context.canRedo)
      try context.save()
      #expect(try store.get(cake)?["name"] == "Pie")
    }
  }

  @Test func aVerbThatFailsLeavesTheContextAsItWas() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let context = try store.makeContext()
      let cake = try context.insert("Recipe", ["name": "Cake"])
      #expect(throws: StoreError.self) {
        try context.edit { tx in
          try tx.rename(cake, to: "Tart")
          try tx.set(cake, ["servings": "many"])
        }
      }
      #expect(try context.get(cake)?["name"] == "Cake")
      #expect(throws: StoreError.self) { try context.delete(ObjectID(UUID())) }
    }
  }

  @Test func aFormMayBeIncompleteUntilItIsSaved() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let context = try store.makeContext()
      let sugar = try context.insert("Ingredient")
      let refused = try context.preview()
      #expect(refused.failures.map(\.code) == [.constraint, .constraint] && refused.events.isEmpty)
      #expect(throws: StoreError.self) { try context.save() }
      #expect(context.hasChanges)
      try context.rename(sugar, to: "Sugar")
      let cake = try context.insert("Recipe", ["name": "Cake"])
      try context.relate(sugar, "recipe", to: cake)
      try context.save()
      #expect(try store.read { try $0.targets(of: cake, "ingredients") } == [sugar])
    }
  }

  @Test func whatOthersCommitIsSeenAfterARebase() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let cake = try store.insertRecipes("Cake")[0]
      let context = try store.makeContext()
      try context.set(cake, ["servings": 4])
      try store.insertRecipes("Pie")
      try store.write { try $0.rename(cake, to: "Tart") }
      #expect(names(try context.fetch(FeedModel.byName)) == ["Cake"])
      #expect(try context.rebase() == 4)
      #expect(names(try context.fetch(FeedModel.byName)) == ["Pie", "Tart"])
      #expect(try context.get(cake)?["servings"] == 4)
      #expect(try context.undo())
      #expect(try context.get(cake)?["servings"] == .null)
      try context.redo()
      #expect(try context.save() == 5)
    }
  }

  @Test func aContextOnAnEarlierPositionEditsWhatWasThere() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let cake = try store.insertRecipes("Cake")[0]
      try store.write { try $0.set(cake, ["servings": 3]) }
      try store.insertRecipes("Pie")
      let context = try store.makeContext(at: 2)
      #expect(names(try context.fetch(FeedModel.byName)) == ["Cake"])
      #expect(try context.get(cake)?["servings"] == .null)
      try context.rename(cake, to: "Tart")
      try context.save()
      #expect(try store.get(cake)?["servings"] == 3)
      #expect(names(try store.fetch(FeedModel.byName)) == ["Pie", "Tart"])
      #expect(throws: StoreError.self) { try store.makeContext(at: 0) }
      #expect(throws: StoreError.self) { try store.makeContext(at: 99) }
    }
  }

  @Test func aNestedContextSavesAsOneStepOfTheLowerOne() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let context = try store.makeContext()
      let cake = try context.insert("Recipe", ["name": "Cake"])
      let form = context.makeContext()
      try form.rename(cake, to: "Tart")
      let sugar = try form.edit { tx in
        let sugar = try tx.insert("Ingredient", ["name": "Sugar"])
        try tx.relate(sugar, "recipe", to: cake)
        return sugar
      }
      #expect(try form.targets(of: cake, "ingredients") == [sugar])
      #expect(try context.get(cake)?["name"] == "Cake")
      #expect(throws: StoreError.self) { try context.rename(cake, to: "Pie") }
      #expect(throws: StoreError.self) { try context.save() }
      try form.save()
      #expect(try context.get(cake)?["name"] == "Tart")
      #expect(try context.undo())
      #expect(try context.get(cake)?["name"] == "Cake" && context.get(sugar) == nil)
      try context.redo()
      try form.delete(sugar)
      form.cancel()
      #expect(try form.targets(of: cake, "ingredients") == [sugar])
      #expect(try store.position == 1)
      try context.save()
      #expect(try store.read { try $0.targets(of: cake, "ingredients") } == [sugar])
    }
  }

  @Test func contextsBesideEachOtherDoNotEditAtOnce() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let context = try store.makeContext()
      let (a, b) = (context.makeContext(), context.makeContext())
      try a.insert("Recipe", ["name": "Cake"])
      #expect(throws: StoreError.self) { try b.insert("Recipe", ["name": "Pie"]) }
      try a.save()
      try b.insert("Recipe", ["name": "Pie"])
      #expect(names(try b.fetch(FeedModel.byName)) == ["Cake", "Pie"])
      try b.save()
      #expect(names(try context.fetch(FeedModel.byName)) == ["Cake", "Pie"])
    }
  }

  @Test func editingWithinAnEditIsRefused() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let context = try store.makeContext()
      #expect(throws: StoreError.self) {
        try context.edit { _ in try context.insert("Recipe", ["name": "Cake"]) }
      }
      #expect(!context.hasChanges)
    }
  }

  @Test func aCommitIdMakesARepeatedSaveHarmless() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = ObjectID(UUID())
      let context = try store.makeContext()
      try context.insert("Recipe", ["name": "Cake"])
      try context.save(CommitInfo(commitID: id))
      let again = try store.makeContext(at: 1)
      try again.insert("Recipe", ["name": "Cake"])
      #expect(try again.save(CommitInfo(commitID: id)) == 2)
      #expect(names(try store.fetch(FeedModel.byName)) == ["Cake"])
    }
  }

  @Test func aSpanThatIsTooLargeToKeepExpiresTheViewAndNotTheEdits() throws {
    var options = StoreOptions()
    options.viewOfPastLimitInBytes = 2_000
    try withTemporaryStore(FeedModel.model, options: options) { store in
      let cake = try store.insertRecipes("Cake")[0]
      let context = try store.makeContext()
      try context.rename(cake, to: "Tart")
      for number in 0..<40 { try store.insertRecipes("Recipe \(number)") }
      for _ in 0..<2 {
        let error = #expect(throws: StoreError.self) { try context.get(cake) }
        #expect(error?.code == .expired)
      }
      try context.save()
      #expect(try store.get(cake)?["name"] == "Tart")
      #expect(try context.get(cake)?["name"] == "Tart")
    }
  }

  @Test func aSaveWithoutEditsMovesTheContextToTheReturnedPosition() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let cake = try store.insertRecipes("Cake")[0]
      for isUndone in [false, true] {
        let context = try store.makeContext()
        let results = try context.liveResults(of: FeedModel.byName)
        let before = try results.count
        if isUndone {
          try context.rename(cake, to: "Tart")
          try context.undo()
        }
        try store.insertRecipes("Bread")
        let head = try store.position
        #expect(try context.save() == head && context.position == head)
        #expect(try store.position == head)
        #expect(!context.canRedo && !context.hasChanges)
        #expect(try results.update()?.to == head)
        #expect(try results.count == before + 1 && results.ids == store.fetch(FeedModel.byName).ids)
        try context.rename(cake, to: "Pie \(isUndone)")
        #expect(try context.save() == head.next)
      }
    }
  }

  @Test func aSaveThatIsAnsweredWithAnEarlierCommitResetsTheResults() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let cake = try store.insertRecipes("Cake")[0]
      let info = CommitInfo(commitID: ObjectID(high: 7, low: 7))
      try store.commit(info) { try $0.rename(cake, to: "Tart") }
      try store.insertRecipes("Bread")
      let context = try store.makeContext()
      let results = try context.liveResults(of: FeedModel.byName)
      try context.rename(cake, to: "Pie")
      #expect(try context.save(info) == 3 && context.position == 3)
      #expect(try results.update()?.isReset == true)
      #expect(try names(results.fetched()) == ["Tart"] && names(context.fetch(FeedModel.byName)) == ["Tart"])
    }
  }
}
