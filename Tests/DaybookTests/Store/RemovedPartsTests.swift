import Daybook
import DaybookTestSupport
import Testing

/// Parts removed from a model stay in old records and events, and are no damage.
@Suite(.hangLimit) struct RemovedPartsTests {
  private let directory: TemporaryDirectory
  private let store: Store

  init() throws {
    directory = try TemporaryDirectory()
    store = try Store(
      at: directory.path("s"),
      model: Model(entities: [
        Entity(
          name: "List",
          attributes: [
            Attribute(name: "name", type: .string),
            Attribute(name: "itemCount", type: nil, derivation: .count(relationship: "items")),
          ], relationships: [Relationship(name: "items", target: "Item", inverse: "list", isMany: true)]),
        Entity(
          name: "Item", attributes: [Attribute(name: "name", type: .string)],
          relationships: [Relationship(name: "list", target: "List", inverse: "items", isOptional: true)]),
      ]))
  }

  private func verify() throws {
    store.close()
    #expect(try Store.verify(at: store.path).faults == [])
  }

  @Test func aRemovedDerivedAttributeLeavesNoValues() throws {
    try store.write { tx in
      let list = try tx.insert("List", ["name": "a"])
      try tx.relate(list, "items", to: tx.insert("Item", ["name": "b"]))
    }
    var model = try store.read { $0.model }
    model.entities[0].attributes.removeLast()
    try store.apply(model)
    try verify()
  }

  @Test func anObjectWithLinksOverARemovedRelationshipCanGo() throws {
    let (list, item) = try store.write { tx in
      let list = try tx.insert("List", ["name": "a"])
      let item = try tx.insert("Item", ["name": "b"])
      try tx.relate(list, "items", to: item)
      return (list, item)
    }
    var model = try store.read { $0.model }
    model.entities[0].attributes.removeLast()
    model.entities[0].relationships = []
    model.entities[1].relationships = []
    try store.apply(model)
    try store.write { try $0.delete(item) }
    try store.write { try $0.delete(list) }
    try verify()
  }
}
