import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookEngine

/// Changes of the object that has the values of a uniqueness constraint.
@Suite(.hangLimit) struct UpsertTests {
  private static let model = Model(entities: [
    Entity(
      name: "Item", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "kind", type: .string, isOptional: true),
        Attribute(name: "rank", type: .integer, isOptional: true),
        Attribute(name: "note", type: .string, isOptional: true, defaultValue: "new"),
      ],
      relationships: [
        Relationship(name: "owner", target: "Owner", inverse: "items", isOptional: true),
        Relationship(name: "tags", target: "Tag", inverse: "items", isMany: true),
      ],
      unique: [["name"], ["kind", "rank"], ["owner", "rank"]]),
    Entity(
      name: "Owner", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "items", target: "Item", inverse: "owner", isMany: true)]),
    Entity(
      name: "Tag", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "items", target: "Item", inverse: "tags", isMany: true)], unique: [["name"]]),
  ])

  @Test func theSameCallTwiceWritesNothingTheSecondTime() throws {
    try withTemporaryStore(Self.model) { store in
      let tag = try store.write { try $0.insert("Tag", ["name": "sweet"]) }
      func upsert() throws -> ObjectID {
        try store.write { tx in
          try tx.upsert("Item", key: ["name"], ["name": "Cake", "rank": 1], links: ["tags": [tag]])
        }
      }
      let cake = try upsert()
      let head = try store.position
      #expect(try upsert() == cake && store.position == head)
      #expect(try store.get(cake)?["note"] == "new" && store.targets(of: cake, "tags") == [tag])
    }
  }

  @Test func whatIsLeftOutStaysAndTargetsAreAdded() throws {
    try withTemporaryStore(Self.model) { store in
      let (cake, first, second, owner) = try store.write { tx in
        let first = try tx.insert("Tag", ["name": "a"])
        let second = try tx.insert("Tag", ["name": "b"])
        let owner = try tx.insert("Owner", ["name": "Ada"])
        let cake = try tx.insert("Item", ["name": "Cake", "note": "old", "rank": 3])
        try tx.relate(cake, "tags", to: first)
        try tx.relate(cake, "owner", to: owner)
        return (cake, first, second, owner)
      }
      try store.write { (tx) throws -> Void in
        #expect(try tx.upsert("Item", key: ["name"], ["name": "Cake", "kind": "x"], links: ["tags": [second]]) == cake)
      }
      let object = try #require(try store.get(cake))
      #expect(object["note"] == "old" && object["kind"] == "x" && object["rank"] == 3)
      #expect(try Set(store.targets(of: cake, "tags")) == [first, second])
      #expect(try store.targets(of: cake, "owner") == [owner])
      try store.write { (tx) throws -> Void in
        let found = try tx.upsert(
          "Item", key: ["rank", "owner"], ["rank": 3, "name": "Pie"], links: ["owner": [owner]])
        #expect(found == cake)
        #expect(try tx.upsert("Item", key: ["name"], ["name": "Pie"], links: ["owner": []]) == cake)
      }
      #expect(try store.get(cake)?["name"] == "Pie" && store.targets(of: cake, "owner").isEmpty)
    }
  }

  @Test func aNullInTheKeyInserts() throws {
    try withTemporaryStore(Self.model) { store in
      try store.write { tx in
        try tx.upsert("Item", key: ["kind", "rank"], ["name": "a", "kind": nil, "rank": 1])
        try tx.upsert("Item", key: ["kind", "rank"], ["name": "b", "kind": nil, "rank": 1])
        try tx.upsert("Item", key: ["owner", "rank"], ["name": "c", "rank": 1], links: ["owner": []])
      }
      #expect(try store.count(Request<StoredObject>(entity: "Item")) == 3)
    }
  }

  @Test(
    arguments: [
      (["kind"], ["kind": "x", "name": "a"], "Item has no uniqueness constraint over kind."),
      ([], ["name": "a"], "Item has no uniqueness constraint over nothing."),
      (["name", "name"], ["name": "a"], "Item has no uniqueness constraint over name, name."),
      (["name"], ["kind": "x"], "The key of Item contains name, which has no value here."),
      (["owner", "rank"], ["rank": 1], "The key of Item contains owner, which has no value here."),
    ] as [([String], [String: Value], String)])
  func aKeyThatIsNoConstraintIsRefused(key: [String], values: [String: Value], message: String) throws {
    try withTemporaryStore(Self.model) { (store) throws -> Void in
      let error = #expect(throws: StoreError.self) {
        try store.write { try $0.upsert("Item", key: key, values) }
      }
      #expect(error?.code == .badRequest && error?.message == message)
      #expect(try store.position == 1)
    }
  }

  @Test func anErrorHalfWayFailsTheCommit() throws {
    try withTemporaryStore(Self.model) { (store) throws -> Void in
      #expect(throws: StoreError.self) {
        try store.write { tx in
          // The object is inserted before its target is found to be missing.
          try? tx.upsert("Item", key: ["name"], ["name": "Cake"], links: ["owner": [ObjectID(high: 0, low: 1)]])
        }
      }
      #expect(try store.position == 1)
    }
  }

  @Test func oneUndoTakesBackAStepOfAContext() throws {
    try withTemporaryStore(Self.model) { store in
      let cake = try store.write { try $0.insert("Item", ["name": "Cake", "rank": 1]) }
      let context = try store.makeContext()
      #expect(try context.upsert("Item", key: ["name"], ["name": "Cake", "rank": 2, "kind": "x"]) == cake)
      let pie = try context.upsert("Item", key: ["name"], ["name": "Pie"])
      #expect(try context.upsert("Item", key: ["name"], ["name": "Pie", "rank": 7]) == pie)
      try context.undo()
      #expect(try context.get(pie)?["rank"] == .null)
      try context.save()
      #expect(try store.get(cake)?["rank"] == 2 && store.get(pie)?["name"] == "Pie")
    }
  }

  /// Commits of random verbs, compared with a list of objects that is searched from the first to the last.
  @Test func randomCommitsEqualThoseOfAPlainList() throws {
    try Seeds.run(Rounds.of(70, "DAYBOOK_UPSERTS")) { seed in
      var random = SeededRandom(seed: seed)
      try withTemporaryStore(Self.model) { store in
        let owners = try store.write { tx in try (0..<2).map { try tx.insert("Owner", ["name": .string("\($0)")]) } }
        var plain: [PlainItem] = []
        for _ in 0..<40 {
          var next = plain
          do {
            let count = random.number(1...6)
            if random.isTrue(percent: 30) {
              let context = try store.makeContext()
              for _ in 0..<count { try context.edit { tx in try Self.perform(&random, owners, on: &next, in: tx) } }
              try context.save()
            } else {
              try store.write { tx in
                next = plain
                for _ in 0..<count { try Self.perform(&random, owners, on: &next, in: tx) }
              }
            }
            #expect(!PlainItem.collide(next))
            plain = next
          } catch let error as StoreError {
            #expect(error.code == .constraint, "\(error)")
          }
          let stored = try store.fetch(Request<StoredObject>(entity: "Item")).rows.map { object in
            PlainItem(
              id: object.id, name: object["name"], kind: object["kind"], rank: object["rank"],
              owner: try store.targets(of: object.id, "owner").first)
          }
          #expect(Set(stored) == Set(plain))
        }
      }
    }
  }

  /// Performs one verb in the transaction and on the list, and compares the object that is found.
  private static func perform(
    _ random: inout SeededRandom, _ owners: [ObjectID], on items: inout [PlainItem], in tx: borrowing Transaction
  ) throws {
    func value(_ values: [Value]) -> Value { random.pick(values) }
    if !items.isEmpty, random.isTrue(percent: 25) {
      let place = random.number(0..<items.count)
      if random.isTrue(percent: 40) {
        try tx.delete(items.remove(at: place).id)
      } else {
        items[place].name = value(PlainItem.names)
        try tx.set(items[place].id, ["name": items[place].name])
      }
      return
    }
    var item = PlainItem(
      id: ObjectID(high: 0, low: 0), name: value(PlainItem.names), kind: value(PlainItem.kinds),
      rank: value(PlainItem.ranks), owner: random.isTrue(percent: 30) ? nil : random.pick(owners))
    let key = random.pick([["name"], ["kind", "rank"], ["rank", "owner"]])
    let wanted = item.key(key)
    let found = wanted.contains(.null) ? [] : items.indices.filter { items[$0].key(key) == wanted }
    // Two objects may share values until the end of the commit, which then fails.
    if found.count > 1 { return }
    item.id = try tx.upsert(
      "Item", key: key, ["name": item.name, "kind": item.kind, "rank": item.rank],
      links: ["owner": item.owner.map { [$0] } ?? []])
    if let place = found.first {
      #expect(items[place].id == item.id)
      items[place] = item
    } else {
      #expect(!items.contains { $0.id == item.id })
      items.append(item)
    }
  }
}

/// An object of the plain list.
private struct PlainItem: Hashable {
  var id: ObjectID
  var name, kind, rank: Value
  var owner: ObjectID?

  static let names: [Value] = ["a", "b", "c", "d"]
  static let kinds: [Value] = ["x", "y", nil]
  static let ranks: [Value] = [1, 2, nil]

  func key(_ fields: [String]) -> [Value] {
    fields.sorted().map { field in
      switch field {
      case "name": name
      case "kind": kind
      case "rank": rank
      default: owner.map { .uuid($0) } ?? .null
      }
    }
  }

  static func collide(_ items: [PlainItem]) -> Bool {
    [["name"], ["kind", "rank"], ["owner", "rank"]].contains { fields in
      let keys = items.map { $0.key(fields) }.filter { !$0.contains(.null) }
      return Set(keys).count < keys.count
    }
  }
}
