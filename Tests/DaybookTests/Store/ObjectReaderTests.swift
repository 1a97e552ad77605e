import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook

/// The verbs of all that reads objects, which are declared once.
@Suite(.hangLimit) struct ObjectReaderTests {
  /// What the verbs return in a state of a recipe, "Cake", and others.
  struct Facts: Equatable, Sendable {
    var names: [String]
    var tagCount = 1
    var sections = ["", "Sweet"]

    init(names: [String]) { self.names = names }

    init(of cake: ObjectID, in reader: borrowing some ObjectReader & ~Copyable) throws {
      let results = try reader.fetch(FeedModel.byName)
      names = results.rows.map { $0["name"].text }
      tagCount = try reader.targets(of: cake, "tags").count
      sections = try reader.sections(of: FeedModel.byType).map(\.name)
      var walked: [String] = []
      try reader.forEachRow(of: FeedModel.byName) { row, _ in
        walked.append(row["name"].text)
        return true
      }
      #expect(walked == names)
      #expect(try reader.count(FeedModel.byName) == names.count)
      #expect(try reader.sections(of: FeedModel.byType).map(\.count).reduce(0, +) == names.count)
      #expect(try !reader.explain(FeedModel.byName).isEmpty)
      #expect(try reader.get(cake) == reader.require(cake))
      #expect(try results.rows.contains(reader.require(cake)))
      #expect(try reader.read { try $0.get(cake) } == reader.get(cake))
      let unknown = ObjectID.random()
      #expect(try reader.get(unknown) == nil)
      #expect(Facts.isMissing { _ = try reader.require(unknown) })
      #expect(Facts.isMissing { _ = try reader.targets(of: unknown, "tags") })
    }

    private static func isMissing(_ body: () throws -> Void) -> Bool {
      do {
        try body()
      } catch {
        return (error as? StoreError)?.code == .notFound
      }
      return false
    }
  }

  /// Inserts a recipe with a tag and a type, and one without; returns the first one.
  private func insertRecipes(in store: Store) throws -> ObjectID {
    try store.write { tx in
      let cake = try tx.insert("Recipe", ["name": "Cake"])
      try tx.relate(cake, "type", to: tx.insert("RecipeType", ["name": "Sweet"]))
      try tx.relate(cake, "tags", to: tx.insert("Tag", ["name": "quick"]))
      try tx.insert("Recipe", ["name": "Soup"])
      return cake
    }
  }

  @Test func aStoreItsPastAndAReaderHaveTheSameVerbs() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let cake = try insertRecipes(in: store)
      try store.insertRecipes("Bread")
      let (now, then) = (Facts(names: ["Bread", "Cake", "Soup"]), Facts(names: ["Cake", "Soup"]))
      #expect(try Facts(of: cake, in: store) == now)
      #expect(try store.read { try Facts(of: cake, in: $0) } == now)
      #expect(try Facts(of: cake, in: store.at(2)) == then)
      #expect(try store.at(2).read { try Facts(of: cake, in: $0) } == then)
      #expect(throws: StoreError.self) { try store.at(0).count(FeedModel.byName) }
    }
  }

  @Test func aWriteReadsWhatItsVerbsHaveChanged() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let cake = try insertRecipes(in: store)
      try store.write { tx in
        #expect(try Facts(of: cake, in: tx) == Facts(names: ["Cake", "Soup"]))
        try tx.read { reader in
          #expect(reader.position == 2)
          try tx.insert("Recipe", ["name": "Bread"])
          // The reader of a write has no state of its own.
          #expect(try Facts(of: cake, in: reader) == Facts(names: ["Bread", "Cake", "Soup"]))
        }
        #expect(try Facts(of: cake, in: tx) == Facts(names: ["Bread", "Cake", "Soup"]))
      }
    }
  }

  @Test func anErrorOfAReadInAWriteCanBeCaught() throws {
    try withTemporaryStore(FeedModel.model) { store in
      struct Stop: Error {}
      try store.write { tx in
        do {
          try tx.read { _ in
            try tx.insert("Recipe", ["name": "Bread"])
            throw Stop()
          }
        } catch is Stop {}
        try tx.insert("Recipe", ["name": "Cake"])
      }
      #expect(try store.count(FeedModel.byName) == 2)
    }
  }

  @Test func aLoopOverRowsMayChangeThem() throws {
    try withTemporaryStore(FeedModel.model) { store in
      _ = try insertRecipes(in: store)
      try store.write { tx in
        try tx.forEachRow(of: FeedModel.byName) { row, _ in
          try tx.rename(row.id, to: "Z \(row["name"].text)")
          try tx.insert("Recipe", ["name": "A"])
          return true
        }
      }
      #expect(try store.fetch(FeedModel.byName).rows.map { $0["name"] } == ["A", "A", "Z Cake", "Z Soup"])
      let context = try store.makeContext()
      try context.forEachRow(of: FeedModel.byName) { row, _ in
        try context.delete(row.id)
        return true
      }
      #expect(try context.count(FeedModel.byName) == 0)
    }
  }

  @Test func aContextReadsItsEdits() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let cake = try insertRecipes(in: store)
      let context = try store.makeContext()
      try context.insert("Recipe", ["name": "Bread"])
      try store.insertRecipes("Later")
      let upper = context.makeContext()
      try upper.insert("Recipe", ["name": "Apple"])
      #expect(try Facts(of: cake, in: context) == Facts(names: ["Bread", "Cake", "Soup"]))
      #expect(try Facts(of: cake, in: upper) == Facts(names: ["Apple", "Bread", "Cake", "Soup"]))
      #expect(try context.read { $0.position } == 2)
    }
  }

  @Test func aCheckReadsTheCommit() throws {
    let seen = Locked<[Facts]>([])
    var options = StoreOptions()
    options.validate("Recipe") { recipe, reader in
      guard recipe["name"] == "Cake" else { return }
      let facts = try Facts(of: recipe.id, in: reader)
      seen.withLock { $0.append(facts) }
    }
    try withTemporaryStore(FeedModel.model, options: options) { store in
      let cake = try insertRecipes(in: store)
      try store.write { tx in
        try tx.insert("Recipe", ["name": "Bread"])
        try tx.set(cake, ["servings": 4])
      }
    }
    #expect(seen.withLock(\.self) == [Facts(names: ["Cake", "Soup"]), Facts(names: ["Bread", "Cake", "Soup"])])
  }

  /// Notes what it reads before and after each commit with "Cake".
  private struct Observer: Projection {
    let name = "observer"
    let version = 1
    let mode = ProjectionMode.inline
    let seen: Locked<[Facts]>
    var entities: [DerivedEntity] {
      [DerivedEntity(Entity(name: "Seen", attributes: [Attribute(name: "name", type: .string)]), key: ["name"])]
    }

    func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
      guard let cake = try commit.after.fetch(FeedModel.byName).rows.first(where: { $0["name"] == "Cake" })
      else { return }
      let after = try Facts(of: cake.id, in: commit.after)
      seen.withLock { $0.append(after) }
      guard try commit.before.get(cake.id) != nil else { return }
      let before = try Facts(of: cake.id, in: commit.before)
      seen.withLock { $0.append(before) }
    }
  }

  @Test func aProjectionReadsTheStatesAroundACommit() throws {
    let seen = Locked<[Facts]>([])
    var options = StoreOptions()
    options.projections = [Observer(seen: seen)]
    try withTemporaryStore(FeedModel.model, options: options) { store in
      _ = try insertRecipes(in: store)
      try store.insertRecipes("Bread")
      let (then, now) = (Facts(names: ["Cake", "Soup"]), Facts(names: ["Bread", "Cake", "Soup"]))
      #expect(seen.withLock(\.self) == [then, now, then])
    }
  }
}
