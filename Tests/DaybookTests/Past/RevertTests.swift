import Daybook
import DaybookTestSupport
import Testing

@Suite struct RevertTests {
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
        let done = try store.head()
        let reverted = try store.revert(done)
        #expect(try hash(store) == before)
        try store.revert(reverted)
        #expect(try hash(store) == after)
        try store.revert(try store.head())
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
      let position = try store.revert(3, through: 5, info: CommitInfo(author: "editor"))
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
      let error = #expect(throws: StoreError.self) { try store.revert(3) }
      #expect(error?.code == .conflict && error?.message.contains("commit 4") == true)
      #expect(error?.message.contains("commit 5") == false)
      #expect(try store.head() == 5)
      #expect(throws: StoreError.self) { try store.revert(2) }
      try store.revert(3, force: true)
      #expect(try store.get(ids[0])?["name"] == "a")
      #expect(try store.get(ids[0])?["servings"] == 1)
    }
  }

  @Test func whatCannotBeRevertedIsRefused() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a")
      for (first, last) in [(1, nil), (0, nil), (3, nil), (2, 3), (1, 2), (2, 1)] as [(Position, Position?)] {
        #expect(throws: StoreError.self) { try store.revert(first, through: last) }
      }
      #expect(try store.head() == 2)
    }
  }
}
