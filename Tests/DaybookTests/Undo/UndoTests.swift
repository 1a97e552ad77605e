import DaybookTestSupport
import DaybookTools
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Undo and redo of commits, one sentence of their rules after the other.
@Suite(.hangLimit) struct UndoTests {
  private func last(_ store: Store) throws -> Commit {
    var log = try store.log(reversed: true, limit: 1)
    return try #require(try log.next())
  }

  private func servings(_ store: Store, _ id: ObjectID) throws -> Value? { try store.get(id)?["servings"] }

  private func expect(
    _ code: StoreError.Code, _ parts: String..., at location: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    do {
      try body()
      Issue.record("nothing was thrown", sourceLocation: location)
    } catch let error as StoreError {
      #expect(error.code == code, "\(error)", sourceLocation: location)
      for part in parts { #expect(error.message.contains(part), "\(error)", sourceLocation: location) }
    } catch {
      Issue.record(error, sourceLocation: location)
    }
  }

  @Test func undoTakesTheLastCommitOfTheAuthorAndNamesIt() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.write(author: "a") { tx in
        try ["x", "y"].map { try tx.insert("Recipe", ["name": .string($0)]) }
      }
      try store.write(author: "a") { try $0.set(ids[0], ["servings": 1]) }
      try store.write(author: "b") { try $0.set(ids[1], ["servings": 2]) }
      let outcome = try store.undo(.last(of: "a"))
      #expect(outcome == [UndoOutcome(position: 5, targets: 3...3, omissions: [])])
      #expect(try servings(store, ids[0]) == .null && servings(store, ids[1]) == 2)
      let commit = try last(store)
      #expect(commit.undoes == [3] && commit.redoes == [] && commit.author == "a" && commit.message == "Undo 3")
      #expect(try store.redo(.last(of: "a")) == [UndoOutcome(position: 6, targets: 3...3, omissions: [])])
      #expect(try servings(store, ids[0]) == 1)
      #expect(try last(store).redoes == [3] && last(store).undoes == [])
    }
  }

  @Test func withoutAnAuthorAnyCommitIsTaken() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("x")[0]
      try store.write(author: "b") { try $0.set(id, ["servings": 2]) }
      #expect(try store.undo(options: UndoOptions(CommitInfo(author: "c"))).map(\.targets.lowerBound) == [3])
      #expect(try last(store).author == "c")
      #expect(try store.undo().map(\.targets.lowerBound) == [2])
      #expect(try last(store).author == nil && store.get(id) == nil)
      // The model is never undone.
      expect(.notFound, "no commit to undo") { try store.undo() }
      #expect(try store.redo(.last(2)).map(\.targets.lowerBound) == [2, 3])
      #expect(try servings(store, id) == 2)
      expect(.notFound, "no commit to redo") { try store.redo() }
    }
  }

  @Test func stepsAreWrittenTogetherOrNotAtAll() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("x")[0]
      for number in 1...4 { try store.write(author: "a") { try $0.set(id, ["servings": .integer(Int64(number))]) } }
      expect(.notFound, "only 4 of a to undo", "not 5") { try store.undo(.last(5, of: "a")) }
      expect(.badRequest) { try store.undo(.last(0)) }
      #expect(try store.position == 6)
      #expect(try store.undo(.last(3, of: "a")).map(\.targets.lowerBound) == [6, 5, 4])
      #expect(try servings(store, id) == 1 && store.position == 9)
      #expect(try store.redo(.last(2, of: "a")).map(\.targets.lowerBound) == [4, 5])
      #expect(try servings(store, id) == 3)
      // The second step is in conflict, so the first is not written either.
      try store.write(author: "b") { try $0.rename(id, to: "y") }
      try store.write(author: "a") { try $0.rename(id, to: "z") }
      try store.write(author: "b") { try $0.set(id, ["servings": 9]) }
      let head = try store.position
      expect(.conflict, "Commit 5 cannot be undone", "commit \(head)", "servings is 9", "3 was left") {
        try store.undo(.last(2, of: "a"))
      }
      #expect(try store.position == head && store.get(id)?["name"] == "z")
    }
  }

  @Test func newWorkOfTheAuthorEndsRedoAndWorkOfOthersDoesNot() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("x", "y")
      try store.write(author: "a") { try $0.set(ids[0], ["servings": 1]) }
      try store.undo(.last(of: "a"))
      try store.write(author: "b") { try $0.set(ids[1], ["servings": 1]) }
      try store.redo(.last(of: "a"))
      try store.undo(.last(of: "a"))
      try store.write(author: "a") { try $0.set(ids[1], ["weight": 1.5]) }
      expect(.notFound, "of a to redo") { try store.redo(.last(of: "a")) }
    }
  }

  @Test func theAuthorOfAnUndoIsTheCallersAndItsCommitsAreNoWork() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("x")[0]
      try store.write(author: "a") { try $0.set(id, ["servings": 1]) }
      try store.undo(.last(of: "a"), options: UndoOptions(CommitInfo(author: "admin")))
      #expect(try last(store).author == "admin")
      expect(.notFound) { try store.undo(.last(of: "admin")) }
      #expect(
        try store.redo(.last(of: "a"), options: UndoOptions(CommitInfo(author: "admin"))).map(\.targets.lowerBound) == [
          3
        ])
      #expect(try last(store).author == "admin")
    }
  }

  @Test func aRevertCountsAsAnUndoOfItsCommits() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("x")[0]
      for number in 1...3 { try store.write { try $0.set(id, ["servings": .integer(Int64(number))]) } }
      try store.undo(.commits(4, through: 5))
      #expect(try last(store).undoes == [4, 5] && servings(store, id) == 1)
      // The commit that was undone last is redone first.
      #expect(try store.redo().map(\.targets.lowerBound) == [4])
      #expect(try store.redo().map(\.targets.lowerBound) == [5])
      #expect(try servings(store, id) == 3)
      try store.undo(.commit(5))
      #expect(try store.undo().map(\.targets.lowerBound) == [4])
      try store.undo(.commit(3))
      #expect(try store.undo().map(\.targets.lowerBound) == [2])
    }
  }

  @Test func anUndoWithoutNetEffectIsACommitWithoutEvents() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let store = try Store(at: path, model: FeedModel.model)
    let id = try store.insertRecipes("x")[0]
    try store.write(author: "a") { try $0.set(id, ["servings": 1]) }
    try store.write(author: "b") { try $0.set(id, ["servings": nil]) }
    #expect(try store.undo(.last(of: "a")) == [UndoOutcome(position: 5, targets: 3...3, omissions: [])])
    #expect(try last(store).events.isEmpty && last(store).undoes == [3] && store.position == 5)
    expect(.notFound) { try store.undo(.last(of: "a")) }
    #expect(try store.redo(.last(of: "a")).map(\.position) == [6])
    #expect(try servings(store, id) == 1)
    // No other commit may be empty.
    try store.write { _ in }
    #expect(try store.position == 6)
    let bytes = try Exporter(store).bytes()
    store.close()
    #expect(try Store.verify(at: path).faults == [])
    let copy = directory.path("copy")
    var isRead = false
    _ = try Importer(to: copy).run {
      defer { isRead = true }
      return isRead ? nil : bytes
    }
    #expect(try Store.verify(at: copy).faults == [])
    let opened = try Store(at: copy)
    #expect(try Exporter(opened).bytes() == bytes)
    // The past on both sides of the empty commit, and a rebuild, read it like any other.
    #expect(try opened.at(4).get(id)?["servings"] == .null && opened.at(5).get(id)?["servings"] == .null)
    try opened.rebuild()
    #expect(try servings(opened, id) == 1)
  }

  @Test func undoSurvivesARestart() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    var store = try Store(at: path, model: FeedModel.model)
    let id = try store.insertRecipes("x")[0]
    for number in 1...3 {
      try store.write(author: "a") { try $0.set(id, ["servings": .integer(Int64(number))]) }
    }
    for expected in [2, 1] as [Value] {
      try store.undo(.last(of: "a"))
      store.close()
      store = try Store(at: path)
      #expect(try servings(store, id) == expected)
    }
    for expected in [2, 3] as [Value] {
      try store.redo(.last(of: "a"))
      store.close()
      store = try Store(at: path)
      #expect(try servings(store, id) == expected)
    }
    store.close()
    #expect(try Store.verify(at: path).faults == [])
  }

  @Test func conflictsAreJudgedByWhatIsThereNow() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("x")[0]
      try store.write(author: "a") { try $0.set(id, ["servings": 1]) }
      try store.write(author: "b") { try $0.set(id, ["servings": 2]) }
      expect(.conflict, "commit 4", "servings is 2", "1 was left", "\(id)") { try store.undo(.last(of: "a")) }
      try store.write(author: "b") { try $0.set(id, ["servings": 1]) }
      try store.undo(.last(of: "a"))
      #expect(try servings(store, id) == .null)
      try store.write(author: "b") { try $0.set(id, ["servings": 5]) }
      expect(.conflict, "cannot be redone", "servings is 5", "nil was left") { try store.redo(.last(of: "a")) }
      let outcome = try store.redo(.last(of: "a"), options: .force)
      #expect(try servings(store, id) == 1 && outcome[0].omissions.isEmpty)
    }
  }

  @Test func anInsertedObjectThatGotMoreIsNotDeleted() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let type = try store.write { try $0.insert("RecipeType", ["name": "Dessert"]) }
      let id = try store.write(author: "a") { tx in
        let id = try tx.insert("Recipe", ["name": "x"])
        try tx.relate(id, "type", to: type)
        return id
      }
      try store.write(author: "b") { try $0.set(id, ["servings": 2]) }
      expect(.conflict, "commit 4", "would be deleted", "servings is 2", "nil was left") {
        try store.undo(.last(of: "a"))
      }
      try store.write(author: "b") { try $0.set(id, ["servings": nil]) }
      let tag = try store.write(author: "b") { tx in
        let tag = try tx.insert("Tag", ["name": "t"])
        try tx.relate(tag, "recipes", to: id)
        return tag
      }
      expect(.conflict, "commit 6", "would be deleted", "tags leads to Tag \(tag)") { try store.undo(.last(of: "a")) }
      try store.write(author: "b") { try $0.unrelate(tag, "recipes", from: id) }
      // A link that is missing is nothing that the object got.
      try store.write(author: "b") { try $0.unrelate(id, "type", from: type) }
      try store.undo(.last(of: "a"))
      #expect(try store.get(id) == nil)
      try store.redo(.last(of: "a"))
      #expect(try store.read { try $0.targets(of: id, "type") } == [type])
    }
  }

  @Test func anObjectThatIsGoneIsAConflict() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("x", "y")
      let type = try store.write { try $0.insert("RecipeType", ["name": "Dessert"]) }
      try store.write(author: "a") { tx in
        try tx.set(ids[0], ["servings": 1])
        try tx.set(ids[1], ["servings": 1])
        try tx.relate(ids[1], "type", to: type)
      }
      try store.write(author: "b") { try $0.delete(ids[0]) }
      expect(.conflict, "commit 5", "Recipe \(ids[0]) is gone") { try store.undo(.last(of: "a")) }
      let outcome = try store.undo(.last(of: "a"), options: .force)
      #expect(outcome[0].omissions.count == 1 && outcome[0].omissions[0].contains("\(ids[0]) is gone"))
      #expect(try servings(store, ids[1]) == .null && store.read { try $0.targets(of: ids[1], "type") } == [])
      #expect(try store.get(ids[0]) == nil)
    }
  }

  @Test func aUniqueValueTakenSinceIsAConflict() throws {
    var model = FeedModel.model
    model.entities[0].unique = [["name"]]
    try withTemporaryStore(model) { store in
      let ids = try store.insertRecipes("x", "y")
      try store.write(author: "a") { tx in
        try tx.rename(ids[0], to: "z")
        try tx.set(ids[0], ["servings": 3])
      }
      try store.write(author: "b") { try $0.rename(ids[1], to: "x") }
      expect(.conflict, "commit 4", "same name", "\(ids[1])") { try store.undo(.last(of: "a")) }
      #expect(try store.position == 4)
      let outcome = try store.undo(.last(of: "a"), options: .force)
      #expect(outcome[0].omissions.count == 1 && outcome[0].omissions[0].contains("name of \(ids[0])"))
      #expect(try store.get(ids[0])?["name"] == "z" && servings(store, ids[0]) == .null)
    }
  }

  @Test func placesInAListAreRestored() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b", "c", "d")
      let tag = try store.write { tx in
        let tag = try tx.insert("Tag", ["name": "t"])
        for id in ids { try tx.relate(tag, "recipes", to: id) }
        return tag
      }
      func list() throws -> [ObjectID] { try store.read { try $0.targets(of: tag, "recipes") } }
      let commits: [(borrowing Transaction) throws -> Void] = [
        { try $0.relate(tag, "recipes", to: ids[0], at: .last) },
        { tx in
          try tx.relate(tag, "recipes", to: ids[3], at: .before(ids[0]))
          try tx.relate(tag, "recipes", to: ids[0], at: .last)
        },
        { tx in
          try tx.unrelate(tag, "recipes", from: ids[1])
          try tx.unrelate(tag, "recipes", from: ids[2])
          try tx.unrelate(tag, "recipes", from: ids[3])
        },
        { try $0.delete(ids[1]) }, { try $0.delete(tag) },
        { tx in for id in ids.reversed() { try tx.relate(tag, "recipes", to: id, at: .last) } },
      ]
      for commit in commits {
        let before = try list()
        try store.write(author: "a") { try commit($0) }
        let after = try? list()
        try store.undo(.last(of: "a"))
        #expect(try list() == before)
        try store.redo(.last(of: "a"))
        #expect((try? list()) == after)
        try store.undo(.last(of: "a"))
        #expect(try list() == before)
      }
      try store.write(author: "a") { try $0.relate(tag, "recipes", to: ids[0], at: .last) }
      try store.write(author: "b") { try $0.relate(tag, "recipes", to: ids[0], at: .after(ids[1])) }
      expect(.conflict, "the place of recipes", "\(ids[0])") { try store.undo(.last(of: "a")) }
      try store.undo(.last(of: "a"), options: .force)
      #expect(try list() == ids)
    }
  }

  @Test func aForcedUndoKeepsTheRulesOfTheModel() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let cake = try store.insertRecipes("cake")[0]
      let sugar = try store.write { tx in
        let sugar = try tx.insert("Ingredient", ["name": "sugar"])
        try tx.relate(sugar, "recipe", to: cake)
        return sugar
      }
      try store.write(author: "a") { try $0.delete(sugar) }
      try store.write(author: "b") { try $0.delete(cake) }
      // An ingredient needs a recipe, which is gone.
      expect(.conflict, "Recipe \(cake) is gone") { try store.undo(.last(of: "a")) }
      let outcome = try store.undo(.last(of: "a"), options: .force)[0]
      #expect(outcome.omissions.count == 2 && outcome.omissions[1].contains("needs a recipe"))
      #expect(try store.get(sugar) == nil && last(store).events.isEmpty)
    }
  }

  @Test func anUndoIsRecordedWithTheContextOfItsTask() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("x")
      try CommitContext(author: "bot", message: "oops", correlation: "c").perform { _ = try store.undo() }
      let commit = try last(store)
      #expect(commit.author == "bot" && commit.message == "oops" && commit.correlation == "c" && commit.undoes == [2])
    }
  }

  @Test func anUndoCrossesAChangeOfTheModel() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.write(author: "a") { try $0.insert("Recipe", ["name": "x"]) }
      try store.write(author: "a") { try $0.set(id, ["servings": 1, "weight": 2.5]) }
      var model = FeedModel.model
      model.entities[0].attributes.removeAll { $0.name == "weight" }
      model.entities[0].attributes.append(Attribute(name: "rating", type: .integer, defaultValue: 3))
      try store.apply(model)
      try store.undo(.last(of: "a"))
      #expect(try servings(store, id) == .null && store.get(id)?["rating"] == 3)
      try store.undo(.last(of: "a"))
      #expect(try store.get(id) == nil)
      try store.redo(.last(2, of: "a"))
      #expect(try servings(store, id) == 1 && store.get(id)?["rating"] == 3)
    }
  }

  /// Runs a body with a store of three persons a, b and c, who can be each other's partners or their own.
  private func withPeople(_ body: (Store, _ people: [ObjectID]) throws -> Void) throws {
    let model = Model(entities: [
      Entity(
        name: "Person", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(name: "partner", target: "Person", inverse: "partnerOf", isOptional: true),
          Relationship(name: "partnerOf", target: "Person", inverse: "partner", isOptional: true),
        ])
    ])
    try withTemporaryStore(model) { store in
      let people = try store.write { tx in
        try ["a", "b", "c"].map { try tx.insert("Person", ["name": .string($0)]) }
      }
      try body(store, people)
    }
  }

  private func partner(_ store: Store, of id: ObjectID) throws -> ObjectID? { try store.get(id)?.target("partner") }

  @Test func aPartnerThatAnotherAuthorHasTakenOverIsNoConflictOfAnUndo() throws {
    // The target is the third person, or the one who takes it.
    for target in [2, 0] {
      try withPeople { store, people in
        try store.write(author: "a") { try $0.relate(people[0], "partner", to: people[target]) }
        try store.write(author: "b") { try $0.relate(people[1], "partner", to: people[target]) }
        // Nothing is left of it, so the undo changes nothing.
        let position = try store.undo(.last(of: "a"))[0].position
        var log = try store.log(from: position)
        #expect(try log.next()?.events.isEmpty == true)
        #expect(try partner(store, of: people[1]) == people[target] && partner(store, of: people[0]) == nil)
        // Doing it again would take the partner away.
        expect(.conflict, "partnerOf") { try store.redo(.last(of: "a")) }
        // The commit that took it had taken it away.
        try store.undo(.last(of: "b"))
        #expect(try partner(store, of: people[0]) == people[target] && partner(store, of: people[1]) == nil)
      }
    }
  }

  @Test func aPartnerIsTakenAwayByNoRevertUnlessItIsForced() throws {
    for target in [2, 0] {
      try withPeople { store, people in
        try store.write(author: "a") { try $0.relate(people[0], "partner", to: people[target]) }
        let taken = try store.position
        try store.write(author: "a") { try $0.unrelate(people[0], "partner", from: people[target]) }
        try store.write(author: "b") { try $0.relate(people[1], "partner", to: people[target]) }
        let head = try store.position
        // The leaving alone would give the partner back.
        expect(.conflict, "commit \(head)", "partnerOf") { try store.undo(.commit(taken.next)) }
        expect(.conflict, "commit \(head)", "partnerOf") { try store.undo(.last(of: "a")) }
        #expect(try partner(store, of: people[1]) == people[target])
        // Both together left nothing, and nothing is to be restored.
        #expect(try store.undo(.commits(taken, through: taken.next))[0].position == head)
        #expect(try partner(store, of: people[1]) == people[target])
        try store.undo(.commit(taken.next), options: .force)
        #expect(try partner(store, of: people[0]) == people[target] && partner(store, of: people[1]) == nil)
      }
    }
  }

  @Test func partnersThatACommitExchangedAreExchangedBack() throws {
    try withPeople { store, people in
      try store.write { tx in
        try tx.relate(people[0], "partner", to: people[0])
        try tx.relate(people[1], "partner", to: people[2])
      }
      try store.write { tx in
        try tx.relate(people[0], "partner", to: people[2])
        try tx.relate(people[1], "partner", to: people[0])
      }
      let exchanged = try store.position
      for _ in 0..<2 {
        try store.undo(.commit(exchanged))
        #expect(try partner(store, of: people[0]) == people[0] && partner(store, of: people[1]) == people[2])
        try store.undo(.commit(try store.position))
        #expect(try partner(store, of: people[0]) == people[2] && partner(store, of: people[1]) == people[0])
      }
    }
  }
}
