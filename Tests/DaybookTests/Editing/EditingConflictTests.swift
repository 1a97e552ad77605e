import Daybook
import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct EditingConflictTests {
  /// A store with a recipe, its type and two ingredients, a context, and the ids.
  private func withContext(
    _ body: (Store, EditingContext, _ cake: ObjectID, _ type: ObjectID, _ parts: [ObjectID]) throws -> Void
  ) throws {
    try withTemporaryStore(FeedModel.model) { store in
      let type = try store.write { try $0.insert("RecipeType", ["name": "Dessert"]) }
      let cake = try store.insertRecipes("Cake", type: type)[0]
      let parts = try store.write { tx in
        try ["Sugar", "Flour"].map { name in
          let id = try tx.insert("Ingredient", ["name": .string(name)])
          try tx.relate(id, "recipe", to: cake)
          return id
        }
      }
      try body(store, try store.makeContext(), cake, type, parts)
    }
  }

  private func conflicts(_ context: EditingContext) throws -> [EditingConflict] {
    do {
      try context.save()
      return []
    } catch let error as StoreError where error.code == .conflict {
      return error.editingConflicts
    }
  }

  @Test func differentAttributesOfOneObjectDoNotConflict() throws {
    try withContext { store, context, cake, _, _ in
      try context.set(cake, ["servings": 4])
      try store.write { try $0.rename(cake, to: "Tart") }
      #expect(try conflicts(context).isEmpty)
      #expect(try store.get(cake)?["name"] == "Tart" && store.get(cake)?["servings"] == 4)
    }
  }

  @Test func aValueThatIsGivenAgainIsNoEdit() throws {
    try withContext { store, context, cake, _, _ in
      try context.set(cake, ["servings": 4, "name": "Cake", "weight": .null])
      try store.write { try $0.set(cake, ["name": "Tart", "weight": 2.5]) }
      #expect(try conflicts(context).isEmpty)
      #expect(try store.get(cake)?["name"] == "Tart" && store.get(cake)?["weight"] == 2.5)
    }
  }

  @Test func theSameChangeIsNoConflict() throws {
    try withContext { store, context, cake, type, _ in
      try context.set(cake, ["servings": 4])
      try context.unrelate(cake, "type", from: type)
      try store.write { tx in
        try tx.set(cake, ["servings": 4])
        try tx.unrelate(cake, "type", from: type)
      }
      let head = try store.position
      #expect(try conflicts(context).isEmpty)
      #expect(try store.position == head)
    }
  }

  @Test func anAttributeThatBothChangedIsDecidedByThePolicy() throws {
    for (policy, expected) in [
      (ConflictPolicy.mine, Value.integer(4)), (.theirs, 8), (.decide { _ in .value(6) }, 6),
      (.decide { $0.positions == [5] ? .mine : .theirs }, 4),
    ] {
      try withContext { store, context, cake, _, _ in
        try context.set(cake, ["servings": 4, "weight": 1.5])
        try store.write { try $0.set(cake, ["servings": 8]) }
        let found = try conflicts(context)
        #expect(found.map(\.kind) == [.attribute("servings", mine: 4, theirs: 8)])
        #expect(found.first?.positions == [5] && found.first?.object == cake && found.first?.entity == "Recipe")
        #expect(context.hasChanges)
        try context.save(resolving: policy)
        #expect(try store.get(cake)?["servings"] == expected)
        #expect(try store.get(cake)?["weight"] == 1.5)
      }
    }
  }

  @Test func aNameThatBothChangedIsAConflict() throws {
    try withContext { store, context, cake, _, _ in
      try context.rename(cake, to: "Tart")
      try store.write { try $0.rename(cake, to: "Pie") }
      #expect(try conflicts(context).map(\.kind) == [.attribute("name", mine: "Tart", theirs: "Pie")])
      try context.save(resolving: .theirs)
      #expect(try store.get(cake)?["name"] == "Pie")
    }
  }

  @Test func aTargetThatBothChangedIsAConflict() throws {
    for (policy, isMine) in [(ConflictPolicy.mine, true), (.theirs, false)] {
      try withContext { store, context, cake, _, _ in
        let soup = try context.insert("RecipeType", ["name": "Soup"])
        try context.relate(soup, "recipes", to: cake)
        let salad = try store.write { tx in
          let salad = try tx.insert("RecipeType", ["name": "Salad"])
          try tx.relate(cake, "type", to: salad)
          return salad
        }
        #expect(try conflicts(context).map(\.kind) == [.target("type", mine: soup, theirs: salad)])
        try context.save(resolving: policy)
        #expect(try store.get(cake)?.target("type") == (isMine ? soup : salad))
      }
    }
  }

  @Test func linksOfAToManyRelationshipConflictOneByOne() throws {
    try withContext { store, context, cake, _, _ in
      let tags = try store.write { tx in
        let tags = try ["quick", "sweet"].map { try tx.insert("Tag", ["name": .string($0)]) }
        try tx.relate(cake, "tags", to: tags[0])
        return tags
      }
      try context.rebase()
      try context.unrelate(cake, "tags", from: tags[0])
      try context.relate(cake, "tags", to: tags[1])
      try store.write { tx in
        try tx.unrelate(cake, "tags", from: tags[0])
        try tx.relate(cake, "tags", to: tags[0])
      }
      let found = try conflicts(context)
      #expect(found.count == 1 && found.first?.positions.count == 2)
      try context.save(resolving: .theirs)
      #expect(try Set(store.read { try $0.targets(of: cake, "tags") }) == Set(tags))
    }
  }

  @Test func anObjectThatOthersDeletedComesBackOrStaysGone() throws {
    try withContext { store, context, cake, type, parts in
      try context.set(cake, ["servings": 4])
      try store.write { try $0.delete(cake) }
      #expect(try conflicts(context).map(\.kind) == [.deletedByOthers])
      let left = try store.makeContext(at: 4)
      try left.set(cake, ["servings": 5])
      let other = try left.insert("Recipe", ["name": "Pie"])
      try left.save(resolving: .theirs)
      #expect(try store.get(cake) == nil && store.get(other) != nil)
      try context.save(resolving: .mine)
      let back = try store.get(cake)
      #expect(back?["name"] == "Cake" && back?["servings"] == 4 && back?.target("type") == type)
      // They were deleted with the cake, and are not restored.
      #expect(try store.get(parts[0]) == nil)
    }
  }

  @Test func anObjectThatComesBackInARebaseIsSaved() throws {
    try withContext { store, context, cake, type, _ in
      try context.set(cake, ["servings": 4])
      try store.write { try $0.delete(cake) }
      try context.rebase(resolving: .mine)
      #expect(try context.get(cake)?.target("type") == type)
      try context.save()
      #expect(try store.get(cake)?["servings"] == 4)
    }
  }

  @Test func anObjectThatIsDeletedHereStaysIfOthersChangedIt() throws {
    for (policy, isThere) in [(ConflictPolicy.theirs, true), (.mine, false)] {
      try withContext { store, context, cake, _, parts in
        try context.delete(cake)
        // An object that is deleted by a rule.
        try store.write { try $0.rename(parts[1], to: "Rye") }
        let found = try conflicts(context)
        #expect(found.map(\.kind) == [.deletedHere] && found.first?.object == parts[1])
        try context.save(resolving: policy)
        #expect(try (store.get(cake) != nil) == isThere)
        #expect(try (store.get(parts[1]) != nil) == isThere)
      }
    }
  }

  @Test func aDeleteTakesWhatOthersAddedByItsRule() throws {
    try withContext { store, context, cake, type, _ in
      try context.delete(type)
      let pie = try store.insertRecipes("Pie")[0]
      _ = try conflicts(context)
      #expect(try store.get(type) == nil && store.get(cake) != nil && store.get(pie) != nil)
    }
  }

  @Test func whatBothDeletedIsGone() throws {
    try withContext { store, context, cake, _, _ in
      try context.delete(cake)
      try store.write { try $0.delete(cake) }
      let head = try store.position
      #expect(try conflicts(context).isEmpty)
      #expect(try store.position == head && store.get(cake) == nil)
    }
  }

  @Test func aPlaceBesideSomethingThatLeftIsTheEndOfTheList() throws {
    try withContext { store, context, cake, _, parts in
      let eggs = try context.edit { tx in
        let eggs = try tx.insert("Ingredient", ["name": "Eggs"])
        try tx.relate(cake, "ingredients", to: eggs, at: .before(parts[0]))
        return eggs
      }
      try store.write { try $0.delete(parts[0]) }
      try context.save()
      #expect(try store.read { try $0.targets(of: cake, "ingredients") } == [parts[1], eggs])
    }
  }

  @Test func aRebaseRefusesAsASaveDoesAndChangesNothing() throws {
    try withContext { store, context, cake, _, _ in
      try context.set(cake, ["servings": 4])
      try store.write { try $0.set(cake, ["servings": 8]) }
      let error = #expect(throws: StoreError.self) { try context.rebase() }
      #expect(error?.code == .conflict && error?.editingConflicts.count == 1)
      #expect(context.position == 4)
      #expect(try context.get(cake)?["servings"] == 4)
      try context.rebase(resolving: .theirs)
      #expect(try context.get(cake)?["servings"] == 8)
      #expect(!context.hasChanges)
    }
  }
}
