import DaybookModel
import DaybookTestSupport
import DaybookTools
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct AppendConditionTests {
  /// Runs a write with a condition; returns the conflict, or `nil` if the condition held.
  private func conflict(
    _ store: Store, _ condition: AppendCondition, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> AppendConflict? {
    let head = try store.position
    do {
      try store.write(CommitInfo(when: condition)) { try $0.insert("Tag", ["name": "written"]) }
      #expect(try store.position == head.next, sourceLocation: sourceLocation)
      return nil
    } catch let error as StoreError where error.code == .conditionFailed {
      #expect(try store.position == head, sourceLocation: sourceLocation)
      #expect(error.conflict?.head == head, sourceLocation: sourceLocation)
      return error.conflict
    }
  }

  @Test func anUntouchedObjectLetsTheCommitThrough() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b")
      try store.write { try $0.rename(ids[1], to: "c") }
      #expect(try conflict(store, .untouched(ids[0], since: 2)) == nil)
      #expect(try conflict(store, .untouched(ObjectID(high: 7, low: 7), since: 0)) == nil)
    }
  }

  @Test func aTouchedObjectIsToldWithItsCommits() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      try store.write { try $0.rename(id, to: "b") }
      try store.insertRecipes("other")
      let tag = try store.write { tx in
        let tag = try tx.insert("Tag", ["name": "sweet"])
        try tx.relate(tag, "recipes", to: id)
        return tag
      }
      // An end of a link counts, whichever side owns it.
      let found = try #require(try conflict(store, .untouched(id, since: 2)))
      #expect(found.object == id)
      #expect(found.since == 2)
      #expect(found.positions == [3, 5])
      #expect(try conflict(store, .untouched(tag, since: 4))?.positions == [5])
      #expect(try conflict(store, .untouched(tag, since: 5)) == nil)
    }
  }

  @Test func aDeletedObjectWasTouched() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      try store.write { try $0.delete(id) }
      #expect(try conflict(store, .untouched(id, since: 2))?.positions == [3])
      #expect(try conflict(store, .untouched(id, since: 3)) == nil)
    }
  }

  @Test func aChangedResultIsToldWithItsCommits() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let large = Request(entity: "Recipe", filter: try Filter(parsing: "servings >= 4"))
      let id = try store.insertRecipes("a")[0]
      try store.write { try $0.set(id, ["servings": 3]) }
      #expect(try conflict(store, .unchanged(large, since: 1)) == nil)
      try store.write { try $0.set(id, ["servings": 4]) }
      #expect(try conflict(store, .unchanged(large, since: 3))?.positions == [5])
      #expect(try conflict(store, .unchanged(large, since: 0))?.request == large)
      try store.write { try $0.set(id, ["servings": 2]) }
      // It was inserted and deleted.
      #expect(try conflict(store, .unchanged(large, since: 3)) == nil)
    }
  }

  @Test func whatAWindowDoesNotShowChangesNothing() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let first = Request(entity: "Recipe", sort: [SortTerm(path: ["name"])], limit: 1)
      try store.insertRecipes("b")
      try store.insertRecipes("c")
      #expect(try conflict(store, .unchanged(first, since: 2)) == nil)
      try store.insertRecipes("a")
      #expect(try conflict(store, .unchanged(first, since: 2))?.positions == [5])
    }
  }

  @Test func aChangeOfTheModelCountsWhereTheRequestReachesIt() throws {
    try withTemporaryStore(FeedModel.model) { store in
      var model = FeedModel.model
      model.entities[0].attributes.append(Attribute(name: "note", type: .string, isOptional: true))
      try store.apply(model)
      #expect(try conflict(store, .unchanged(FeedModel.byName, since: 1))?.positions == [2])
      #expect(try conflict(store, .unchanged(Request(entity: "Ingredient"), since: 1)) == nil)
    }
  }

  @Test func allConditionsMustHold() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b")
      try store.write { try $0.rename(ids[1], to: "c") }
      let both = AppendCondition.all([.untouched(ids[0], since: 2), .untouched(ids[1], since: 2)])
      #expect(try conflict(store, both)?.object == ids[1])
      #expect(try conflict(store, .all([])) == nil)
    }
  }

  @Test func aPositionBeyondTheHeadIsRefused() throws {
    try withTemporaryStore(FeedModel.model) { store in
      for condition in [
        AppendCondition.untouched(.zero, since: 9), .unchanged(FeedModel.byName, since: 9),
      ] {
        let error = #expect(throws: StoreError.self) { try store.write(CommitInfo(when: condition)) { _ in } }
        #expect(error?.code == .notFound)
      }
      let error = #expect(throws: StoreError.self) {
        try store.write(CommitInfo(when: .unchanged(Request(entity: "Nothing"), since: 0))) { _ in }
      }
      #expect(error?.code != .conditionFailed)
    }
  }

  @Test func aRepeatedCommitIsAnsweredBeforeItsConditionIsChecked() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      let info = CommitInfo(commitID: ObjectID(high: 1, low: 1), when: .untouched(id, since: 2))
      let first = try store.commit(info) { try $0.rename(id, to: "b") }
      let second = try store.commit(info) { try $0.rename(id, to: "c") }
      #expect(first.position == 3 && second.position == 3)
      #expect(try store.get(id)?["name"] == "b")
    }
  }

  @Test func commitsOfABatchSeeTheOnesBefore() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      try store.batch { batch in
        try batch.commit { try $0.rename(id, to: "b") }
        let error = #expect(throws: StoreError.self) {
          try batch.commit(CommitInfo(when: .untouched(id, since: 2))) { try $0.rename(id, to: "c") }
        }
        #expect(error?.conflict?.positions == [3])
        try batch.commit(CommitInfo(when: .untouched(id, since: 3))) { try $0.rename(id, to: "d") }
      }
      #expect(try store.get(id)?["name"] == "d")
      #expect(try store.position == 4)
    }
  }

  @Test func ofManyWritersAtOnceOneWins() async throws {
    try await withTemporaryStore(FeedModel.model) { store async throws in
      let id = try store.writeNow { try $0.insert("Recipe", ["name": "a", "servings": 0]) }
      let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 1...20 {
          group.addTask {
            do {
              try await store.write(CommitInfo(when: .untouched(id, since: 2))) {
                try $0.set(id, ["servings": .integer(Int64(number))])
              }
              return true
            } catch let error as StoreError where error.code == .conditionFailed {
              return false
            }
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(winners == 1)
      #expect(try store.position == 3)
    }
  }

  @Test func aLineOfOperationsMayHaveACondition() throws {
    let id = ObjectID(high: 1, low: 2)
    let line = try OperationLine(
      parsing: Array(#"{"delete": "\#(id)", "when": {"untouched": "\#(id)", "since": 7}}"#.utf8))
    #expect(line.info.condition == .untouched(id, since: 7))
    #expect(line.standsAlone)
    for wrong in [#"{"untouched": "x", "since": 7}"#, #"{"untouched": "\#(id)"}"#, "7", #"{"since": -1}"#] {
      let error = #expect(throws: StoreError.self) {
        try OperationLine(parsing: Array(#"{"delete": "\#(id)", "when": \#(wrong)}"#.utf8))
      }
      #expect(error?.code == .badRequest)
    }
  }
}
