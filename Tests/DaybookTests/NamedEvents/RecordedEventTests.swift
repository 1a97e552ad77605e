import DaybookTestSupport
import DaybookTools
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// What a recorded event is, and what it moves.
@Suite(.hangLimit) struct RecordedEventTests {
  private func withRecipe(_ body: (Store, ObjectID) throws -> Void) throws {
    try withTemporaryStore(RecordingModel.model) { store in
      try body(store, try store.insertRecipes("cake")[0])
    }
  }

  @Test func itNamesWhatHappenedWithItsValuesAndDefaults() throws {
    try withRecipe { store, cake in
      let position = try store.write(author: "cook") { tx in
        try tx.record("RecipeCooked", about: cake, ["servings": 6, "verdict": "good"])
        return tx.position
      }
      let commit = try #require(try store.lastCommit())
      #expect(commit.position == position && commit.author == "cook")
      let event = try #require(commit.events.first)
      #expect(event.kind == .recorded && event.entity == "Recipe" && event.object == cake)
      #expect(event.previous == 2 && event.former == nil)
      #expect(
        event.content
          == .recorded(
            name: "RecipeCooked",
            fields: [
              NamedValue(name: "servings", type: .integer, value: 6),
              NamedValue(name: "verdict", type: .string, value: "good"),
              NamedValue(name: "pans", type: .integer, value: 1),
            ]))
    }
  }

  @Test func itStandsWithTheChangesThatItExplains() throws {
    try withTemporaryStore(RecordingModel.model) { store in
      try store.given { tx in
        try tx.insert("Recipe", ["name": "cake"])
      }.when { tx, cake in
        try tx.set(cake, ["servings": 8])
        try tx.record("RecipeCooked", about: cake, ["servings": 6])
        try tx.rename(cake, to: "torte")
      }.then { cake in
        [
          .set(cake, ["servings": 8]), .recorded("RecipeCooked", about: cake, ["servings": 6, "pans": 1]),
          .renamed(cake, to: "torte"),
        ]
      }
    }
  }

  @Test func itIsInTheObjectsChain() throws {
    try withRecipe { store, cake in
      try store.cook(cake)
      try store.cook(cake)
      try store.write { try $0.rename(cake, to: "torte") }
      var history = try store.history(of: cake)
      var previous: [Position?] = []
      while let commit = try history.next() { previous += commit.events.map(\.previous) }
      #expect(previous == [nil, 2, 3, 4])
    }
  }

  @Test func itMovesNothingOfTheObject() throws {
    try withRecipe { store, cake in
      let (before, hash) = (try store.get(cake), try store.read { try $0.stateHash() })
      let recently = Request(entity: "Recipe", sort: [SortTerm(path: ["changedAt"], .descending)])
      let results = try store.fetch(recently)
      try store.cook(cake)
      #expect(try store.get(cake) == before)
      #expect(try store.get(cake)?.changedAt == before?.changedAt)
      #expect(try store.read { try $0.stateHash() } == hash)
      #expect(try store.fetch(recently).rows == results.rows)
      #expect(try store.difference(of: FeedModel.byName, from: 2).isEmpty)
      #expect(try store.difference(of: recently, from: 2).isEmpty)
      #expect(try store.difference(of: FeedModel.byName, from: 1, to: 3).causes == [cake: [2]])
      #expect(try store.blame(of: cake).lines.allSatisfy { $0.position == 2 })
    }
  }

  @Test func itTouchesNothing() throws {
    try withRecipe { store, cake in
      for _ in 0..<3 { try store.cook(cake) }
      func holds(_ condition: AppendCondition) throws -> [Position]? {
        do {
          try store.write(CommitInfo(when: condition)) { _ in }
          return nil
        } catch let error as StoreError where error.code == .conditionFailed {
          return error.conflict?.positions
        }
      }
      #expect(try holds(.untouched(cake, since: 2)) == nil)
      #expect(try holds(.unchanged(FeedModel.byName, since: 2)) == nil)
      #expect(try holds(.untouched(cake, since: 1)) == [2])
      try store.write { tx in
        try tx.record("RecipeCooked", about: cake, ["servings": 1])
        try tx.set(cake, ["servings": 2])
      }
      try store.cook(cake)
      #expect(try holds(.untouched(cake, since: 2)) == [6])
      #expect(try holds(.untouched(cake, since: 6)) == nil)
      let tag = try store.write { tx in
        let tag = try tx.insert("Tag", ["name": "sweet"])
        try tx.relate(cake, "tags", to: tag)
        return tag
      }
      try store.cook(cake)
      #expect(try holds(.untouched(cake, since: 7)) == [8])
      #expect(try holds(.untouched(tag, since: 8)) == nil)
      try store.write { try $0.delete(cake) }
      try store.cook(cake)
      #expect(try holds(.untouched(cake, since: 9)) == [10])
      #expect(try holds(.untouched(cake, since: 10)) == nil)
    }
  }

  @Test func itIsAboutAnObjectThatExistsOrDid() throws {
    try withRecipe { store, cake in
      try store.write { try $0.delete(cake) }
      try store.cook(cake)
      #expect(try store.lastCommit()?.events.first?.previous == 3)
      // Inserted before, or after, in the same commit.
      let (pie, tart) = (ObjectID(high: 5, low: 1), ObjectID(high: 5, low: 2))
      try store.write { tx in
        try tx.insert("Recipe", ["name": "pie"], id: pie)
        try tx.record("RecipeCooked", about: pie, ["servings": 2])
        try tx.record("RecipeCooked", about: tart, ["servings": 3])
        try tx.insert("Recipe", ["name": "tart"], id: tart)
      }
      #expect(try store.lastCommit()?.events.map(\.previous) == [nil, nil, nil, nil])
      try store.write { tx in
        try tx.record("RecipeCooked", about: pie, ["servings": 2])
        try tx.delete(pie)
        try tx.record("RecipeCooked", about: pie, ["servings": 2])
      }
      let refused = #expect(throws: StoreError.self) { try store.cook(ObjectID(high: 9, low: 9)) }
      #expect(refused?.code == .notFound)
      #expect(try store.position == 6)
      // A commit that inserts and deletes the object has an object that existed.
      let brief = ObjectID(high: 5, low: 3)
      try store.write { tx in
        try tx.insert("Recipe", ["name": "brief"], id: brief)
        try tx.delete(brief)
        try tx.record("RecipeCooked", about: brief, ["servings": 2])
      }
      for position in 1...7 { #expect(try store.at(Position(UInt64(position))).fetch(FeedModel.byName).position > 0) }
    }
  }

  @Test func aWrongEventIsRefusedAndLeavesNoTrace() throws {
    try withRecipe { store, cake in
      let tag = try store.write { try $0.insert("Tag", ["name": "sweet"]) }
      let cases: [(StoreError.Code, String, ObjectID, [String: Value])] = [
        (.notFound, "Fried", cake, [:]), (.notFound, "RecipeCooked", cake, ["servings": 1, "colour": 2]),
        (.badValue, "RecipeCooked", cake, ["servings": "6"]), (.constraint, "RecipeCooked", cake, [:]),
        (.constraint, "RecipeCooked", cake, ["servings": .null]),
        (.constraint, "RecipeCooked", cake, ["servings": 1, "pans": .null]),
        (.badValue, "RecipeCooked", tag, ["servings": 1]), (.badValue, "Bought", cake, [:]),
      ]
      for (code, name, id, values) in cases {
        let error = #expect(throws: StoreError.self) {
          try store.write { try $0.record(name, about: id, values) }
        }
        #expect(error?.code == code, "\(name) \(values): \(error as Any)")
        // A closure may continue after a verb that was refused.
        try store.write { tx in
          try? tx.record(name, about: id, values)
          try tx.set(cake, ["weight": .double(Double(try store.position.number))])
        }
      }
      let twice = #expect(throws: StoreError.self) {
        try store.write { try $0.builder.recordEvent("RecipeCooked", about: cake, [("servings", 1), ("servings", 2)]) }
      }
      #expect(twice?.code == .badValue)
      var log = try store.log(from: 2)
      var kinds: Set<Event.Kind> = []
      while let commit = try log.next() { kinds.formUnion(commit.events.map(\.kind)) }
      #expect(!kinds.contains(.recorded))
      #expect(try store.position == 11)
      #expect(try store.format == (StoreFormat(version: 2, readableBy: 1)))
    }
  }

  @Test func itStaysWhenItsObjectIsDeletedAndReturns() throws {
    try withRecipe { store, cake in
      try store.cook(cake, servings: 1)
      try store.write { try $0.delete(cake) }
      try store.cook(cake, servings: 2)
      try store.write { _ = try $0.insert("Recipe", ["name": "again"], id: cake) }
      var history = try store.history(of: cake)
      var kinds: [Event.Kind] = []
      while let commit = try history.next() { kinds += commit.events.map(\.kind) }
      #expect(kinds == [.inserted, .recorded, .deleted, .recorded, .inserted])
      #expect(try store.at(5).get(cake) == nil)
      #expect(try store.at(3).get(cake)?["name"] == "cake")
    }
  }

  @Test func aRevertLeavesIt() throws {
    try withRecipe { store, cake in
      try store.write { tx in
        try tx.set(cake, ["servings": 8])
        try tx.record("RecipeCooked", about: cake, ["servings": 6])
      }
      // Only the change is undone, and what was recorded since is no conflict.
      try store.cook(cake)
      #expect(try store.undo(.commit(3))[0].position == 5)
      #expect(try store.lastCommit()?.events.map(\.kind) == [.set])
      // A commit that only recorded has nothing to be undone, and its object may have changed or gone since.
      try store.write { try $0.delete(cake) }
      #expect(try store.undo(.commit(4))[0].position == 6)
      #expect(try store.undo(.commit(6))[0].position == 7)
      #expect(try store.get(cake)?["name"] == "cake")
      // Nor does an event of the inserted object keep its insertion from being undone.
      let pie = try store.insertRecipes("pie")[0]
      try store.cook(pie)
      #expect(try store.undo(.commit(8))[0].position == 10)
      #expect(try store.get(pie) == nil)
      #expect(try store.undo(.commit(10))[0].position == 11)
      #expect(try store.get(pie)?["name"] == "pie")
    }
  }

  @Test func anEventTypeThatIsRemovedKeepsItsEvents() throws {
    try withRecipe { store, cake in
      try store.cook(cake)
      try store.apply(FeedModel.model)
      let error = #expect(throws: StoreError.self) { try store.cook(cake) }
      #expect(error?.code == .notFound)
      var log = try store.log(from: 3, to: 3)
      guard case .recorded("RecipeCooked", let fields)? = try log.next()?.events.first?.content else {
        Issue.record("The event cannot be read.")
        return
      }
      #expect(fields.map(\.name) == ["servings", "pans"])
      try store.write { try $0.rename(cake, to: "torte") }
      try store.apply(RecordingModel.model)
      try store.cook(cake, servings: 9)
      #expect(try store.at(2).get(cake)?["name"] == "cake")
    }
  }

  @Test func aFeedAndALiveResultDoNotMove() throws {
    try withRecipe { store, cake in
      let live = try store.liveResults(of: FeedModel.byName)
      try store.cook(cake)
      #expect(try live.update()?.isEmpty ?? true)
      try store.write { try $0.rename(cake, to: "torte") }
      #expect(try live.update()?.isEmpty == false)
    }
  }
}
