import Daybook
import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct PastTests {
  @Test func everyPositionReadsAsTheStoreWasThen() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("a", "b", "c")
      var kept: [Position: Results<StoredObject>] = [:]
      func keep() throws { kept[try store.position] = try store.fetch(FeedModel.byType) }
      try keep()
      let type = try store.write { try $0.insert("RecipeType", ["name": "Dessert"]) }
      try keep()
      try store.write { try $0.relate(ids[1], "type", to: type) }
      try keep()
      try store.write { tx in
        try tx.rename(type, to: "Pudding")
        try tx.delete(ids[0])
      }
      try keep()
      for (position, results) in kept {
        #expect(try store.at(position).fetch(FeedModel.byType) == results)
      }
      #expect(try store.at(2).get(ids[0])?["name"] == "a")
      #expect(try store.at(2).get(type) == nil)
      let recipes = try store.at(4).read { try $0.targets(of: type, "recipes") }
      #expect(recipes == [ids[1]])
    }
  }

  @Test func thePastHasItsOwnModel() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let ids = try store.insertRecipes("b", "a")
      try store.write { tx in
        let tag = try tx.insert("Tag", ["name": "quick"])
        try tx.relate(ids[0], "tags", to: tag)
      }
      var model = FeedModel.model
      model.entities[0].attributes.removeAll { $0.name == "tagCount" }
      model.entities[0].attributes[0].name = "title"
      model.entities[0].attributes[0].renamedFrom = "name"
      model.entities[0].nameAttribute = "title"
      try store.apply(model)
      #expect(try store.get(ids[0])?["title"] == "b")
      let past = try #require(try store.at(3).get(ids[0]))
      #expect(past["name"] == "b" && past["tagCount"] == 1)
      let byCount = Request(entity: "Recipe", sort: [SortTerm(path: ["tagCount"], .descending)])
      #expect(try store.at(3).fetch(byCount).rows.map(\.id).first == ids[0])
      #expect(throws: StoreError.self) { try store.fetch(byCount) }
    }
  }

  @Test func positionsThatAreNoStateAreRefused() throws {
    try withTemporaryStore(FeedModel.model) { store in
      #expect(throws: StoreError.self) { try store.at(0).fetch(FeedModel.byName) }
      #expect(throws: StoreError.self) { try store.at(2).fetch(FeedModel.byName) }
      #expect(throws: StoreError.self) { try store.at(Timestamp(microseconds: 0)) }
      let now = try store.at(StoreOptions.systemClock())
      #expect(now.position == 1)
    }
  }

  @Test func aReplayLeadsFromTheFirstStateToTheLast() throws {
    try withTemporaryStore(FeedModel.model) { store in
      var random = SeededRandom(seed: 4711)
      let type = try store.write { try $0.insert("RecipeType", ["name": "t"]) }
      var ids: [ObjectID] = []
      for number in 0..<300 {
        try store.write { tx in
          switch ids.isEmpty ? 0 : random.number(0...4) {
          case 0, 1: ids.append(try tx.insert("Recipe", ["name": .string("\(random.number(0...50))")]))
          case 2: try tx.rename(ids[random.number(0...(ids.count - 1))], to: "\(number % 40)")
          case 3: try tx.relate(ids[random.number(0...(ids.count - 1))], "type", to: type)
          default: try tx.delete(ids.remove(at: random.number(0...(ids.count - 1))))
          }
        }
      }
      var replay = try store.replay(of: FeedModel.byType, from: 100, through: 250)
      var list = try store.read { try $0.ids(of: FeedModel.byType, at: 99) }
      var position = Position(99)
      while let change = try replay.next() {
        #expect(change.from == position && !change.isEmpty)
        list = try list.applying(change.difference)
        position = change.to
        let wanted = try store.read { try $0.ids(of: FeedModel.byType, at: position) }
        #expect(list == wanted)
        // Commits written during the loop do not count.
        if position.number % 50 == 0 { try store.insertRecipes("late") }
      }
      let last = try store.read { try $0.ids(of: FeedModel.byType, at: 250) }
      #expect(list == last)
    }
  }

  @Test func aReplayFromTheBeginningInsertsAndAModelResets() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a")
      var model = FeedModel.model
      model.entities[0].attributes.append(Attribute(name: "note", type: .string, isOptional: true))
      try store.apply(model)
      try store.insertRecipes("b")
      var replay = try store.replay(of: FeedModel.byName)
      var changes: [ResultsChange] = []
      while let change = try replay.next() { changes.append(change) }
      #expect(changes.map(\.to) == [2, 3, 4])
      #expect(changes.map(\.isReset) == [false, true, false])
    }
  }
}
