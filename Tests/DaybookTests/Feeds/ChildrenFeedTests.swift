import Daybook
import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct ChildrenFeedTests {
  @Test func childrenComeInTheirOrder() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let cake = try store.insertRecipes("Cake")[0]
      let ids = try store.write { tx in
        try ["Sugar", "Flour", "Eggs"].map { name in
          let id = try tx.insert("Ingredient", ["name": .string(name)])
          try tx.relate(id, "recipe", to: cake)
          return id
        }
      }
      let results = try store.liveResults(of: try store.childrenRequest(of: cake, "ingredients"))
      #expect(try results.names() == [["Sugar", "Flour", "Eggs"]])
      try store.write { try $0.relate(cake, "ingredients", to: ids[2], at: .before(ids[0])) }
      #expect(try results.update()?.difference.rows == [.move(ids[2], from: [0, 2], to: [0, 0])])
      #expect(try results.names() == [["Eggs", "Sugar", "Flour"]])
      try store.write { try $0.rename(ids[0], to: "Brown sugar") }
      #expect(try results.update()?.difference.rows == [.update(ids[0], from: [0, 1], to: [0, 1])])
      let bread = try store.insertRecipes("Bread")[0]
      try store.write { try $0.relate(ids[0], "recipe", to: bread) }
      #expect(try results.update()?.difference.rows == [.delete(ids[0], from: [0, 1])])
      #expect(try results.names() == [["Eggs", "Flour"]])
    }
  }

  @Test func childrenOfAManyToManyRelationshipComeInTheirOrder() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b", "c")
      let tag = try store.write { tx in
        let tag = try tx.insert("Tag", ["name": "quick"])
        for id in [ids[2], ids[0]] { try tx.relate(tag, "recipes", to: id) }
        return tag
      }
      let results = try store.liveResults(of: try store.childrenRequest(of: tag, "recipes"))
      #expect(try results.names() == [["c", "a"]])
      try store.write { try $0.relate(tag, "recipes", to: ids[1], at: .before(ids[0])) }
      #expect(try results.update()?.difference.rows == [.insert(ids[1], to: [0, 1])])
      try store.write { try $0.delete(tag) }
      #expect(try results.update()?.difference.rows.count == 3)
      #expect(try results.count == 0)
    }
  }

  @Test func aPlaceIsOnlyInAnOrderedRelationship() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let type = try store.write { try $0.insert("RecipeType", ["name": "Dessert"]) }
      let request = Request(entity: "Recipe", sort: [SortTerm(placeIn: "type", of: type)])
      #expect(throws: StoreError.self) { try store.fetch(request) }
      #expect(try store.childrenRequest(of: type, "recipes").sort.isEmpty)
      #expect(throws: StoreError.self) { try store.childrenRequest(of: type, "nothing") }
    }
  }
}
