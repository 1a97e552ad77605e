import Daybook
import DaybookTestSupport
import Testing

/// Requests whose filters have conditions on related objects: exactly the rows move whose related objects pass or fail.
@Suite(.hangLimit) struct RelatedObjectsTests {
  private static let model = Model(entities: [
    Entity(
      name: "Recipe", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "count", type: .integer, defaultValue: 1),
        Attribute(name: "where", type: .integer, defaultValue: 1),
      ],
      relationships: [
        Relationship(
          name: "ingredients", target: "Ingredient", inverse: "recipe", isMany: true, deleteRule: .cascade),
        Relationship(name: "tags", target: "Tag", inverse: "recipes", isMany: true, isOrdered: true),
      ]),
    Entity(
      name: "Ingredient", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string, defaultValue: "a"),
        Attribute(name: "amount", type: .integer, defaultValue: 0),
        Attribute(name: "where", type: .integer, defaultValue: 0),
      ],
      relationships: [Relationship(name: "recipe", target: "Recipe", inverse: "ingredients", isOptional: true)]),
    Entity(
      name: "Tag", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "rank", type: .integer, defaultValue: 0),
      ],
      relationships: [Relationship(name: "recipes", target: "Recipe", inverse: "tags", isMany: true)]),
  ])

  private static func request(_ filter: String) throws -> Request<StoredObject> {
    Request(entity: "Recipe", filter: try Filter(parsing: filter), sort: [SortTerm(path: ["name"])], shows: [["name"]])
  }

  /// Follows a request in each way while a body writes, and compares them after each write.
  private struct Followers {
    let request: Request<StoredObject>
    let store: Store
    let live: LiveResults<StoredObject>

    init(_ filter: String, in store: Store) throws {
      request = try RelatedObjectsTests.request(filter)
      self.store = store
      live = try store.liveResults(of: request)
    }

    /// Writes, and returns the rows that moved: `+` or `-` and a name, or a name alone for an update.
    func write(_ body: (borrowing Transaction) throws -> Void) throws -> [String] {
      let before = try store.position
      try store.write { try body($0) }
      let after = try store.position
      let change = try live.update()
      let difference = try store.difference(of: request, from: before, to: after)
      #expect(change?.difference.rows ?? [] == difference.difference.rows)
      #expect(change?.causes.values.allSatisfy { $0 == [after] } ?? true)
      let back = try store.difference(of: request, from: after, to: before)
      #expect(back.difference.rows.count == difference.difference.rows.count)
      // The rows at both positions, evaluated once.
      #expect(try store.at(after).fetch(request).rows.map(\.id) == live.fetched().rows.map(\.id))
      let names = try Dictionary(
        (store.at(before).fetch(request).rows + live.fetched().rows).map { ($0.id, $0["name"].text) }
      ) { $1 }
      return difference.difference.rows.map { row in
        switch row {
        case .insert(let id, _): "+" + (names[id] ?? "?")
        case .delete(let id, _): "-" + (names[id] ?? "?")
        case .update(let id, _, _), .move(let id, _, _): names[id] ?? "?"
        }
      }.sorted()
    }
  }

  @Test func `a change of an ingredient's amount moves exactly its recipe`() throws {
    try withTemporaryStore(Self.model) { store in
      var (recipes, ingredients): ([ObjectID], [[ObjectID]]) = ([], [])
      try store.write { tx in
        recipes = try ["a", "b", "c"].map { try tx.insert("Recipe", ["name": .string($0)]) }
        ingredients = try recipes.map { recipe in
          try (0..<3).map { _ in
            let id = try tx.insert("Ingredient")
            try tx.relate(id, "recipe", to: recipe)
            return id
          }
        }
      }
      let followers = try Followers("COUNT(ingredients WHERE amount > 2) >= 2", in: store)
      #expect(try followers.write { try $0.set(ingredients[0][0], ["amount": 3]) } == [])
      #expect(try followers.write { try $0.set(ingredients[0][1], ["amount": 3]) } == ["+a"])
      #expect(try followers.write { try $0.set(ingredients[1][0], ["amount": 5]) } == [])
      // What the condition does not read moves nothing; what it reads is part of a row's state.
      #expect(try followers.write { try $0.rename(ingredients[0][0], to: "x") } == [])
      #expect(try followers.write { try $0.set(ingredients[0][2], ["amount": 1]) } == ["a"])
      // A link moves from one recipe to another.
      #expect(try followers.write { try $0.relate(ingredients[0][0], "recipe", to: recipes[1]) } == ["+b", "-a"])
      #expect(try followers.write { try $0.unrelate(ingredients[0][0], "recipe", from: recipes[1]) } == ["-b"])
      #expect(try followers.write { try $0.relate(recipes[0], "ingredients", to: ingredients[0][0]) } == ["+a"])
      #expect(try followers.write { try $0.delete(ingredients[0][1]) } == ["-a"])
      #expect(
        try followers.write { tx in
          for amount in [3, 4] {
            try tx.relate(tx.insert("Ingredient", ["amount": .integer(Int64(amount))]), "recipe", to: recipes[2])
          }
        } == ["+c"])
      #expect(try followers.write { try $0.delete(recipes[2]) } == ["-c"])
    }
  }

  @Test func `one tag must pass all of a condition, and a tag moves all its recipes`() throws {
    try withTemporaryStore(Self.model) { store in
      var (recipes, tags): ([ObjectID], [ObjectID]) = ([], [])
      try store.write { tx in
        recipes = try ["a", "b", "c"].map { try tx.insert("Recipe", ["name": .string($0)]) }
        tags = try ["x", "x", "y"].map { try tx.insert("Tag", ["name": .string($0)]) }
        for recipe in recipes.dropLast() { for tag in tags { try tx.relate(recipe, "tags", to: tag) } }
      }
      let any = try Followers(#"ANY tags WHERE (name == "x" AND rank > 2)"#, in: store)
      #expect(try any.write { try $0.set(tags[2], ["rank": 5]) } == [])
      #expect(try any.write { try $0.set(tags[0], ["rank": 3]) } == ["+a", "+b"])
      #expect(try any.write { try $0.unrelate(recipes[1], "tags", from: tags[0]) } == ["-b"])
      #expect(try any.write { try $0.rename(tags[2], to: "x") } == ["+b", "a"])
      #expect(try any.write { try $0.relate(recipes[2], "tags", to: tags[2]) } == ["+c"])
      let none = try Followers("NONE tags WHERE (COUNT(recipes WHERE name != \"c\") == 2)", in: store)
      #expect(try none.live.count == 0)
      #expect(try none.write { try $0.unrelate(recipes[0], "tags", from: tags[2]) } == ["+c"])
      // The name of the first recipe decides about the tag that it shares with the second.
      #expect(try none.write { try $0.rename(recipes[0], to: "c") } == ["+b", "+c"])
    }
  }

  @Test func `attributes called count and where, and paths that begin at the related object`() throws {
    try withTemporaryStore(Self.model) { store in
      try store.write { tx in
        for number in 0..<4 {
          let recipe = try tx.insert("Recipe", ["name": .string("\(number)"), "count": .integer(Int64(number))])
          for amount in 0..<number {
            let values: [String: Value] = ["where": .integer(Int64(amount)), "amount": .integer(Int64(amount))]
            try tx.relate(tx.insert("Ingredient", values), "recipe", to: recipe)
          }
        }
      }
      func names(_ filter: String) throws -> String {
        try store.fetch(Self.request(filter)).rows.map(\.["name"].text).joined()
      }
      #expect(try names("count >= 2") == "23")
      #expect(try names("where == 1 AND count < 2") == "01")
      #expect(try names("COUNT(ingredients WHERE where >= 1) == count") == "0")
      #expect(try names("count > COUNT(ingredients WHERE where >= 1)") == "123")
      #expect(try names("COUNT(ingredients WHERE where >= 1 AND amount < 2) == where") == "23")
      #expect(try names("ANY ingredients WHERE (recipe.count == 3 AND where == 2)") == "3")
      #expect(try names("ALL ingredients WHERE (where < 1)") == "01")
    }
  }

  @Test func `contexts, previews, past positions and rules evaluate it`() throws {
    var model = Self.model
    model.entities[0].rules = ["COUNT(ingredients WHERE amount > 9) <= 1"]
    try withTemporaryStore(model) { store in
      let request = try Self.request("COUNT(ingredients WHERE amount > 2) == 1")
      let recipe = try store.write { try $0.insert("Recipe", ["name": "a"]) }
      let context = try store.makeContext()
      let ingredient = try context.insert("Ingredient", ["amount": 3])
      try context.relate(ingredient, "recipe", to: recipe)
      #expect(try context.fetch(request).rows.map(\.id) == [recipe])
      #expect(try context.preview(of: [request]).differences[request]?.difference.rows.count == 1)
      try context.save()
      let position = try store.position
      try store.write { tx in
        #expect(try tx.fetch(request).rows.count == 1)
        try tx.set(ingredient, ["amount": 12])
        try tx.relate(tx.insert("Ingredient", ["amount": 4]), "recipe", to: recipe)
        #expect(try tx.fetch(request).rows.isEmpty)
      }
      #expect(try store.at(position).fetch(request).rows.count == 1)
      #expect(try store.at(Position(position.number - 1)).fetch(request).rows.isEmpty)
      // A related object breaks the rule of its recipe.
      let broken = #expect(throws: StoreError.self) {
        try store.write { try $0.relate($0.insert("Ingredient", ["amount": 10]), "recipe", to: recipe) }
      }
      #expect(broken?.failure?.object == recipe)
      #expect(broken?.failure?.rule == .condition("COUNT(ingredients WHERE amount > 9) <= 1"))
      #expect(broken?.failure?.fields == ["ingredients"])
      var wrong = model
      wrong.entities[0].rules = ["COUNT(ingredients WHERE amont > 9) <= 1"]
      let error = #expect(throws: StoreError.self) { try store.apply(wrong) }
      #expect(error?.code == .badModel && "\(error!)".contains("column 25"))
    }
  }

  @Test func `objects of structs are found by typed conditions`() throws {
    try withTemporaryStore(Model.library) { store in
      var ids: [Book.ID] = []
      try store.write { tx in
        let author = try tx.insert(Author(name: "Jane"))
        for (title, lengths) in [("Emma", [1, 5, 9]), ("Persuasion", [1, 2, 3])] {
          let book = try tx.insert(Book(title: title, author: author))
          ids.append(book)
          for length in lengths { try tx.insert(Chapter(heading: "\(length)", length: length, book: book)) }
        }
      }
      func found(_ request: Request<Record<Book>>) throws -> [Book.ID] { try store.fetch(request).rows.map(\.id) }
      #expect(try found(Book.where { $0.chapters.count { $0.length > 2 } >= 2 }) == [ids[0]])
      #expect(try found(Book.where { $0.chapters.any { $0.heading == "3" && $0.length > 2 } }) == [ids[1]])
      #expect(try found(Book.where { $0.chapters.any { $0.heading == "3" && $0.length > 3 } }).isEmpty)
      #expect(try found(Book.where { $0.chapters.none { $0.length > 3 } }) == [ids[1]])
      let typed = try store.liveResults(of: Book.where { $0.chapters.all { $0.length < 9 } })
      #expect(try typed.count == 1)
      try store.write { tx in
        for chapter in try tx.fetch(Chapter.where { $0.length == 9 }).rows { try tx.set(chapter.id, \.length, 8) }
      }
      #expect(try typed.update()?.difference.rows.count == 1 && typed.count == 2)
    }
  }
}

private extension Value {
  var text: String { if case .string(let text) = self { text } else { "?" } }
}
