import Daybook
import DaybookTestSupport
import DaybookTools
import Testing

@Suite(.hangLimit) struct RevertTests {
  private func hash(_ store: Store) throws -> String { "\(try store.statistics().stateHash)" }

  @Test func aRevertUndoesOneCommitAndARevertOfItBringsItBack() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let type = try store.write { try $0.insert("RecipeType", ["name": "Dessert"]) }
      let cake = try store.insertRecipes("Cake", type: type)[0]
      let parts = try store.write { tx in
        try ["Sugar", "Flour", "Eggs"].map { name in
          let id = try tx.insert("Ingredient", ["name": .string(name)])
          try tx.relate(id, "recipe", to: cake)
          return id
        }
      }
      try store.write { try $0.delete(parts[1]) }
      let before = try hash(store)
      let commits: [(borrowing Transaction) throws -> Void] = [
        { try $0.delete(cake) },
        { tx in
          try tx.rename(cake, to: "Tart")
          try tx.set(cake, ["servings": 4])
        },
        { try $0.relate(cake, "ingredients", to: parts[2], at: .before(parts[0])) },
        { try $0.unrelate(cake, "type", from: type) },
        { tx in
          let tag = try tx.insert("Tag", ["name": "quick"])
          try tx.relate(cake, "tags", to: tag)
        },
      ]
      for commit in commits {
        try store.write { try commit($0) }
        let after = try hash(store)
        let done = try store.position
        let reverted = try store.undo(.commit(done))[0].position
        #expect(try hash(store) == before)
        try store.undo(.commit(reverted))
        #expect(try hash(store) == after)
        try store.undo(.commit(try store.position))
        #expect(try hash(store) == before)
      }
    }
  }

  @Test func aRangeIsUndoneTogether() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b")
      let before = try hash(store)
      try store.write { try $0.rename(ids[0], to: "x") }
      try store.write { try $0.delete(ids[0]) }
      try store.write { try $0.rename(ids[1], to: "a") }
      let position = try store.undo(.commits(3, through: 5), options: UndoOptions(CommitInfo(author: "editor")))[0]
        .position
      #expect(position == 6)
      #expect(try hash(store) == before)
      var log = try store.log(from: 6)
      let commit = try log.next()
      #expect(commit?.author == "editor" && commit?.message == "Revert 3 to 5")
    }
  }

  @Test func laterCommitsThatTouchedTheSameAreInTheWay() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b")
      try store.write { try $0.rename(ids[0], to: "x") }
      try store.write { try $0.rename(ids[0], to: "y") }
      try store.write { try $0.set(ids[0], ["servings": 1]) }
      let error = #expect(throws: StoreError.self) { try store.undo(.commit(3)) }
      #expect(error?.code == .conflict && error?.message.contains("commit 4") == true)
      #expect(error?.message.contains("commit 5") == false)
      #expect(try store.position == 5)
      #expect(throws: StoreError.self) { try store.undo(.commit(2)) }
      try store.undo(.commit(3), options: .force)
      #expect(try store.get(ids[0])?["name"] == "a")
      #expect(try store.get(ids[0])?["servings"] == 1)
    }
  }

  @Test func undoingStepByStepIsNotInItsOwnWay() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b")
      let tags = try store.write { tx in try ["x", "y"].map { try tx.insert("Tag", ["name": .string($0)]) } }
      let steps: [(borrowing Transaction) throws -> Void] = [
        { try $0.rename(ids[0], to: "x") }, { try $0.rename(ids[0], to: "y") },
        { try $0.relate(tags[0], "recipes", to: ids[0]) }, { try $0.relate(tags[0], "recipes", to: ids[1]) },
        { try $0.relate(tags[0], "recipes", to: ids[0], at: .last) },
        { try $0.relate(tags[0], "recipes", to: ids[0], at: .before(ids[1])) }, { try $0.delete(ids[0]) },
      ]
      var hashes: [String] = []
      for step in steps {
        hashes.append(try hash(store))
        try store.write { try step($0) }
      }
      let last = try store.position.number
      for number in steps.indices.reversed() {
        try store.undo(.commit(Position(last - UInt64(steps.count - 1 - number))))
        #expect(try hash(store) == hashes[number])
      }
    }
  }

  @Test func laterCommitsThatCancelOutAreNotInTheWay() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b", "c")
      let tag = try store.write { tx in
        let tag = try tx.insert("Tag", ["name": "x"])
        for id in ids { try tx.relate(tag, "recipes", to: id) }
        return tag
      }
      try store.write { try $0.relate(tag, "recipes", to: ids[0], at: .last) }
      // Another place in the list is a change, and returning to the former place cancels it.
      try store.write { try $0.relate(tag, "recipes", to: ids[0], at: .before(ids[2])) }
      #expect(throws: StoreError.self) { try store.undo(.commit(4)) }
      // What came since has no part in the comparison.
      let other = try store.insertRecipes("d")[0]
      try store.write { try $0.relate(tag, "recipes", to: other) }
      try store.write { try $0.relate(tag, "recipes", to: ids[0], at: .last) }
      try store.undo(.commit(4))
      #expect(try store.read { try $0.targets(of: tag, "recipes") } == ids + [other])
      // An object restored unchanged may be removed, an object restored with changes may not.
      let new = try store.insertRecipes("new")[0]
      let inserted = try store.position
      try store.write { try $0.delete(new) }
      // Nothing is left of the insertion.
      #expect(try store.undo(.commit(inserted))[0].position == inserted.next)
      try store.write { try $0.insert("Recipe", ["name": "newer"], id: new) }
      #expect(throws: StoreError.self) { try store.undo(.commit(inserted)) }
      try store.write { try $0.rename(new, to: "new") }
      try store.undo(.commit(inserted))
      #expect(try store.get(new) == nil)
    }
  }

  @Test func aRevertThatIsRetriedWithItsCommitIDIsAnswered() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a")
      try store.write { try $0.rename(ids[0], to: "x") }
      let info = CommitInfo(commitID: ObjectID(high: 3, low: 3))
      #expect(try store.undo(.commit(3), options: UndoOptions(info))[0].position == 4)
      try store.write { try $0.rename(ids[0], to: "z") }
      #expect(try store.undo(.commit(3), options: UndoOptions(info))[0].position == 4)
      #expect(try store.get(ids[0])?["name"] == "z")
    }
  }

  @Test func whatCannotBeRevertedIsRefused() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a")
      for (first, last) in [(1, nil), (0, nil), (3, nil), (2, 3), (1, 2), (2, 1)] as [(Position, Position?)] {
        #expect(throws: StoreError.self) { try store.undo(.commits(first, through: last ?? first)) }
      }
      #expect(try store.position == 2)
    }
  }
}
