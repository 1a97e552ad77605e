import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Recorded events in editing contexts.
@Suite(.hangLimit) struct RecordedEditingTests {
  private func withRecipe(_ body: (Store, ObjectID) throws -> Void) throws {
    try withTemporaryStore(RecordingModel.model) { store in
      try body(store, try store.insertRecipes("cake")[0])
    }
  }

  private func kinds(_ store: Store) throws -> [Event.Kind]? { try store.lastCommit()?.events.map(\.kind) }

  @Test func savingWritesThem() throws {
    try withRecipe { store, cake in
      let context = try store.makeContext()
      try context.set(cake, ["servings": 8])
      try context.record("RecipeCooked", about: cake, ["servings": 8])
      #expect(context.hasChanges)
      #expect(try context.preview().events.map(\.kind) == [.set, .recorded])
      try context.save()
      #expect(try kinds(store) == [.set, .recorded])
    }
  }

  @Test func aStepThatOnlyRecordsCanBeUndone() throws {
    try withRecipe { store, cake in
      let context = try store.makeContext()
      try context.record("RecipeCooked", about: cake, ["servings": 8])
      #expect(try context.undo() && !context.hasChanges)
      #expect(try context.redo() && context.hasChanges)
      try context.save()
      #expect(try kinds(store) == [.recorded])
    }
  }

  @Test func aNestedContextPassesThemOn() throws {
    try withRecipe { store, cake in
      let context = try store.makeContext()
      let nested = context.makeContext()
      try nested.edit { tx in
        let pie = try tx.insert("Recipe", ["name": "pie"])
        try tx.record("RecipeCooked", about: pie, ["servings": 2])
      }
      try nested.record("RecipeCooked", about: cake, ["servings": 1])
      try nested.save()
      try context.save()
      #expect(try kinds(store) == [.inserted, .recorded, .recorded])
    }
  }

  @Test func theyClashWithNothing() throws {
    try withRecipe { store, cake in
      let context = try store.makeContext()
      try context.rename(cake, to: "torte")
      try context.record("RecipeCooked", about: cake, ["servings": 1])
      try store.cook(cake)
      try store.write { try $0.set(cake, ["servings": 3]) }
      #expect(try context.preview().conflicts.isEmpty)
      try context.rebase()
      try store.cook(cake)
      try context.save()
      #expect(try kinds(store) == [.renamed, .recorded])
      // An object that the context deletes may be recorded about by others.
      let deleting = try store.makeContext()
      try deleting.delete(cake)
      try store.cook(cake)
      try deleting.save()
      #expect(try kinds(store) == [.deleted])
    }
  }

  @Test func theyAreWrittenAboutAnObjectThatOthersDeleted() throws {
    try withRecipe { store, cake in
      let context = try store.makeContext()
      try context.record("RecipeCooked", about: cake, ["servings": 1])
      try store.write { try $0.delete(cake) }
      try context.save()
      #expect(try kinds(store) == [.recorded])
    }
  }

  @Test func anObjectThatIsRevivedIsFoundBehindItsEvents() throws {
    try withRecipe { store, cake in
      let context = try store.makeContext()
      try context.rename(cake, to: "torte")
      try context.record("RecipeCooked", about: cake, ["servings": 1])
      try store.write { try $0.delete(cake) }
      try store.cook(cake)
      try store.cook(cake)
      try context.save(resolving: .mine)
      #expect(try store.get(cake)?["name"] == "torte")
      #expect(try kinds(store) == [.inserted, .renamed, .recorded])
    }
  }

  @Test func oneAboutAnObjectThatNeverExistedIsRefused() throws {
    try withRecipe { store, _ in
      let context = try store.makeContext()
      let error = #expect(throws: StoreError.self) {
        try context.record("RecipeCooked", about: ObjectID(high: 3, low: 3), ["servings": 1])
      }
      #expect(error?.code == .notFound)
      #expect(!context.hasChanges)
    }
  }

  @Test func oneRecordedBeforeItsObjectIsInsertedIsWritten() throws {
    try withRecipe { store, _ in
      let (context, pie) = (try store.makeContext(), ObjectID(high: 3, low: 3))
      try context.edit { tx in
        try tx.record("RecipeCooked", about: pie, ["servings": 1])
        try tx.insert("Recipe", ["name": "pie"], id: pie)
      }
      try store.insertRecipes("other")
      try context.save()
      #expect(try kinds(store).map { Set($0) } == [.inserted, .recorded])
    }
  }

  @Test func oneOfARemovedTypeKeepsTheContextFromSaving() throws {
    try withRecipe { store, cake in
      let context = try store.makeContext()
      try context.record("RecipeCooked", about: cake, ["servings": 1])
      try store.apply(FeedModel.model)
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.editingConflicts.map(\.kind) == [.removedByModel("RecipeCooked")])
      #expect(context.hasChanges)
    }
  }
}
