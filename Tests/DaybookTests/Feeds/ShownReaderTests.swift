import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// The values that a request shows of its rows; the random feeds compare them with the reference.
@Suite(.hangLimit) struct ShownReaderTests {
  private static let model = Model(entities: [
    Entity(
      name: "Recipe", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(name: "type", target: "Type", inverse: "recipes", isOptional: true),
        Relationship(name: "tags", target: "Tag", inverse: "recipes", isMany: true),
      ]),
    Entity(
      name: "Type", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "recipes", target: "Recipe", inverse: "type", isMany: true)]),
    Entity(
      name: "Tag", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "recipes", target: "Recipe", inverse: "tags", isMany: true)]),
  ])

  private static func values(_ paths: String..., of id: ObjectID, in store: Store) throws -> [[Value]] {
    let request = Request(entity: "Recipe", shows: try FetchRequest.paths(parsing: paths))
    return try store.read { reader in
      var shown = try ShownReader(request.fetch, in: reader)
      return try shown.values(of: id).map(\.values)
    }
  }

  @Test func `a path over one object has one value, and a path over many has a list`() throws {
    try withTemporaryStore(Self.model) { store in
      let (cake, type, tags) = try store.write { tx in
        let cake = try tx.insert("Recipe", ["name": "Cake"])
        let type = try tx.insert("Type", ["name": "Dessert"])
        // Targets without an order come by their ids, which are random within a millisecond.
        let tags = try ["a", "b"].enumerated().map { number, name in
          try tx.insert("Tag", ["name": .string(name)], id: ObjectID(high: 1, low: UInt64(number)))
        }
        for tag in tags { try tx.relate(cake, "tags", to: tag) }
        return (cake, type, tags)
      }
      let paths = ["name", "type.name", "type", "tags.name", "tags", "tags.recipes.type.name"].joined(separator: ",")
      #expect(
        try Self.values(paths, of: cake, in: store) == [
          ["Cake"], [.null], [.null], ["a", "b"], tags.map { .uuid($0) }, [.null, .null],
        ])
      try store.write { try $0.relate(cake, "type", to: type) }
      #expect(
        try Self.values("type.name", "type,type.name,type.recipes.name", of: cake, in: store)
          == [["Dessert"], [.uuid(type)], ["Cake"]])
    }
  }

  @Test func `a path that leads to more values than are allowed is refused with advice`() throws {
    try withTemporaryStore(Self.model) { store in
      let count = 22
      let recipe = try store.write { tx in
        let recipes = try (0..<count).map { try tx.insert("Recipe", ["name": .string("r\($0)")]) }
        let tags = try (0..<count).map { try tx.insert("Tag", ["name": .string("t\($0)")]) }
        for recipe in recipes { for tag in tags { try tx.relate(recipe, "tags", to: tag) } }
        return recipes[0]
      }
      #expect(try Self.values("tags.recipes.name", of: recipe, in: store)[0].count == count * count)
      let error = #expect(throws: StoreError.self) {
        try Self.values("tags.recipes.tags.name", of: recipe, in: store)
      }
      #expect(error?.code == .tooLarge)
      #expect(error?.message.contains("“tags.recipes.tags.name” leads to more than 10000 values") == true)
    }
  }
}
