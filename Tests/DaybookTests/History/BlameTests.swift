import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct BlameTests {
  @Test func eachValueAndLinkIsOfTheCommitThatSetIt() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let type = try store.write { try $0.insert("RecipeType", ["name": "Dessert"]) }
      let id = try store.write(author: "a") { try $0.insert("Recipe", ["name": "Cake"]) }
      try store.write(author: "b", message: "more") { try $0.set(id, ["servings": 4]) }
      try store.write(author: "c") { try $0.relate(id, "type", to: type) }
      try store.write(author: "d") { tx in
        let part = try tx.insert("Ingredient", ["name": "Sugar"])
        try tx.relate(id, "ingredients", to: part)
      }
      try store.write(author: "e") { try $0.rename(id, to: "Tart") }
      try store.write(author: "f") { try $0.set(id, ["servings": 4]) }

      let blame = try store.blame(of: id)
      #expect(blame.entity == "Recipe" && blame.object == id && blame.position == 7)
      #expect(blame.lines.map(\.name) == ["name", "servings", "weight", "type"])
      #expect(blame.lines.map(\.value) == ["Tart", 4, .null, .uuid(type)])
      #expect(blame.lines.map(\.position) == [7, 4, 3, 5])
      #expect(blame.lines.map(\.author) == ["e", "b", "a", "c"])
      #expect(blame.lines.map(\.isLink) == [false, false, false, true])
      #expect(blame.lines[1].message == "more" && blame.lines[1].happenedAt == nil)

      let past = try store.at(4).blame(of: id)
      #expect(past.lines.map(\.position) == [3, 4, 3, 3] && past.lines[0].value == "Cake" && past.position == 4)
      #expect(throws: StoreError.self) { try store.at(2).blame(of: id) }
      #expect(throws: StoreError.self) { try store.blame(of: ObjectID(high: 1, low: 1)) }
    }
  }

  @Test func anObjectThatCameBackHasNothingOfItsEarlierLife() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      try store.write { try $0.set(id, ["servings": 1]) }
      try store.write { tx in
        try tx.set(id, ["weight": 1.5])
        try tx.delete(id)
        try tx.insert("Recipe", ["name": "b"], id: id)
      }
      #expect(try store.blame(of: id).lines.map(\.position) == [4, 4, 4, 4])
      try store.write { try $0.delete(id) }
      #expect(throws: StoreError.self) { try store.blame(of: id) }
      #expect(try store.at(3).blame(of: id).lines.map(\.position) == [2, 3, 2, 2])
    }
  }

  @Test func whatALaterModelAddedIsOfThatModel() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      var model = FeedModel.model
      model.entities[0].attributes.append(Attribute(name: "rating", type: .integer, defaultValue: 3))
      model.entities[0].relationships.append(
        Relationship(name: "author", target: "Tag", inverse: "written", isOptional: true))
      model.entities[3].relationships.append(
        Relationship(name: "written", target: "Recipe", inverse: "author", isMany: true))
      try store.apply(model)
      try store.write { try $0.rename(id, to: "b") }
      let lines = try store.blame(of: id).lines
      #expect(lines.map(\.name) == ["name", "servings", "weight", "rating", "type", "author"])
      #expect(lines.map(\.position) == [4, 2, 2, 3, 2, 3])
      #expect(lines[3].value == 3)
      let later = try store.insertRecipes("c")[0]
      #expect(try store.blame(of: later).lines.allSatisfy { $0.position == 5 })
    }
  }

  /// A line's commit is the last one after which the value was different.
  ///
  /// This is checked for every object of a random store, at every position.
  @Test func blameIsWhatComparingAllPositionsGives() throws {
    var lineCount = 0
    try Seeds.run(3) { seed in
      var settings = RandomRun.Settings()
      settings.operationCount = 150
      (settings.checkPercent, settings.undoPercent, settings.rebuildPercent) = (0, 0, 0)
      let run = try RandomRun(seed: seed, settings: settings)
      try run.run()
      let store = try Store(at: run.store.path, options: run.options)
      let head = try store.position.number
      var lives: [ObjectID: [String: (value: Value, position: Position)]] = [:]
      var born: [ObjectID: Position] = [:]
      for position in (1...head).map({ Position($0) }) {
        try store.at(position).read { reader in
          var present: Set<ObjectID> = []
          for entity in reader.model.entities {
            for object in try reader.fetch(Request(entity: entity.name)).rows {
              present.insert(object.id)
              let key = try #require(try reader.reader.find(object.id))
              guard let record = try reader.reader.unsafeRecord(of: key) else { throw Mismatch("\(key) has no record") }
              let created = try RecordView(record).stamps.created
              if born[object.id] != created { lives[object.id] = nil }
              born[object.id] = created
              for line in try reader.blame(of: object.id).lines {
                if let former = lives[object.id]?[line.name], former.value == line.value {
                  // A commit may write another value and then this one again: then it is its own cause.
                  guard line.position == former.position || line.position == position else {
                    throw Mismatch("\(line.name) at \(position) is of \(line.position), not \(former.position)")
                  }
                  lives[object.id]![line.name]!.position = line.position
                } else {
                  guard line.position == position else {
                    throw Mismatch("\(line.name) at \(position) is of \(line.position)")
                  }
                  lives[object.id, default: [:]][line.name] = (line.value, position)
                }
              }
            }
          }
        }
      }
      lineCount += lives.values.reduce(0) { $0 + $1.count }
      store.close()
    }
    #expect(lineCount > 0)
  }
}
