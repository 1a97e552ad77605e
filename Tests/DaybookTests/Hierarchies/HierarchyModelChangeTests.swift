import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook

/// Models that change a hierarchy while it has objects.
@Suite(.hangLimit) struct HierarchyModelChangeTests {
  private static let separate = Model(entities: [
    Entity(
      name: "Car", attributes: [Attribute(name: "name", type: .string), Attribute(name: "doors", type: .integer)],
      relationships: [Relationship(name: "owner", target: "Person", inverse: "cars", isOptional: true)],
      unique: [["name"]], indexes: [Index([.init(path: ["name"])])]),
    Entity(name: "Truck", attributes: [Attribute(name: "load", type: .integer, isOptional: true)]),
    Entity(
      name: "Person", attributes: [Attribute(name: "carCount", type: nil, derivation: .count(relationship: "cars"))],
      relationships: [Relationship(name: "cars", target: "Car", inverse: "owner", isMany: true)]),
  ])

  private static let joined: Model = {
    var model = separate
    model.entities.append(
      Entity(
        name: "Vehicle", isAbstract: true, attributes: [Attribute(name: "wheels", type: .integer, defaultValue: 4)],
        relationships: [Relationship(name: "owner", target: "Person", inverse: "cars", isOptional: true)],
        indexes: [Index([.init(path: ["wheels"])])]))
    model.entities[0].parent = "Vehicle"
    model.entities[1].parent = "Vehicle"
    model.entities[0].relationships = []
    model.entities[2].relationships[0].target = "Vehicle"
    return model
  }()

  @Test func aParentAboveObjectsMovesTheirRows() throws {
    try withTemporaryStore(Self.separate) { store in
      let ids = try store.write { tx in
        let ids = [
          try tx.insert("Car", ["name": "b", "doors": 2]), try tx.insert("Car", ["name": "a", "doors": 4]),
          try tx.insert("Truck", ["load": 7]), try tx.insert("Person"),
        ]
        try tx.relate(ids[0], "owner", to: ids[3])
        return ids
      }
      let gone = try store.write { try $0.insert("Car", ["name": "c", "doors": 1]) }
      try store.write { try $0.delete(gone) }
      let before = try store.position
      let kept = try store.fetch(Garage.request("Car", sort: "name"))
      let live = try store.liveResults(of: Garage.request("Car", sort: "name"))
      try store.apply(Self.joined)
      #expect(try store.rebuiltRows() == store.projectionRows())
      let vehicles = try store.fetch(Garage.request("Vehicle", sort: "wheels")).rows
      #expect(vehicles.map(\.entity).sorted() == ["Car", "Car", "Truck"])
      #expect(try store.get(ids[2])?["wheels"] == 4 && store.get(ids[0])?.target("owner") == ids[3])
      #expect(try Garage.names(store, Garage.request("Car", sort: "name")) == ["a", "b"])
      #expect(try live.update()?.isReset == true)
      try store.write { tx in
        try tx.relate(ids[2], "owner", to: ids[3])
        try tx.set(ids[0], ["wheels": 3])
      }
      #expect(try store.get(ids[3])?["carCount"] == 2)
      // Before the parent the rows were elsewhere.
      #expect(try store.at(before).fetch(Garage.request("Car", sort: "name")) == kept)
      #expect(try store.at(before).get(ids[2])?.values.map(\.name) == ["load"])
      #expect(throws: StoreError.self) { try store.at(before).fetch(Garage.request("Vehicle")) }
      #expect(throws: StoreError.self) {
        try store.write { try $0.insert("Truck", id: gone) }
      }
      try store.write { _ = try $0.insert("Car", ["name": "c", "doors": 1], id: gone) }
      #expect(try store.rebuiltRows() == store.projectionRows())
    }
  }

  @Test func aChildBelowObjectsLeavesTheirRows() throws {
    try withTemporaryStore(Self.separate) { store in
      let car = try store.write { try $0.insert("Car", ["name": "b", "doors": 2]) }
      let rows = try store.projectionRows()[.objects]
      var model = Self.separate
      model.entities.append(
        Entity(name: "Taxi", parent: "Car", attributes: [Attribute(name: "licence", type: .string, isOptional: true)]))
      try store.apply(model)
      #expect(try store.projectionRows()[.objects] == rows)
      let taxi = try store.write { try $0.insert("Taxi", ["name": "a", "doors": 4, "licence": "x"]) }
      #expect(try store.fetch(Garage.request("Car", sort: "name")).rows.map(\.id) == [taxi, car])
      #expect(throws: StoreError.self) { try store.write { try $0.insert("Taxi", ["name": "b", "doors": 4]) } }
      try store.write { try $0.delete(taxi) }
      try store.apply(Self.separate)
      #expect(try store.get(car)?.entity == "Car")
      #expect(try store.rebuiltRows() == store.projectionRows())
    }
  }

  @Test func aCollisionUnderANewParentIsRefused() throws {
    let old = Model(entities: [
      Entity(name: "Thing", attributes: [Attribute(name: "name", type: .string, isOptional: true)], unique: [["name"]]),
      Entity(name: "Car", attributes: [Attribute(name: "doors", type: .integer, isOptional: true)]),
    ])
    try withTemporaryStore(old) { store in
      try store.write { tx in
        _ = try tx.insert("Thing", ["name": "a"])
        _ = try tx.insert("Car")
      }
      var model = old
      model.entities[1].parent = "Thing"
      try store.apply(model)
      #expect(try store.count(Garage.request("Thing")) == 2)
      #expect(throws: StoreError.self) { try store.write { try $0.insert("Car", ["name": "a"]) } }
      #expect(try store.rebuiltRows() == store.projectionRows())
    }
  }

  @Test func newRulesOfAParentAreCheckedForItsObjects() throws {
    try withTemporaryStore(Self.separate) { store in
      try store.write { _ = try $0.insert("Car", ["name": "b", "doors": 9]) }
      var model = Self.separate
      model.entities.append(
        Entity(
          name: "Vehicle", isAbstract: true, attributes: [Attribute(name: "doors", type: .integer)],
          rules: ["doors < 9"]))
      model.entities[0].parent = "Vehicle"
      model.entities[0].attributes.removeLast()
      let error = #expect(throws: StoreError.self) { try store.apply(model) }
      #expect(error?.message.contains("1 object breaks a new rule") == true)
      try store.apply(model, checking: .newValues)
      #expect(try store.fetch(Garage.request("Car")).rows.map { $0["doors"] } == [9])
    }
  }

  @Test func fieldsMoveAlongTheChain() throws {
    try withTemporaryStore(Garage.model) { store in
      let ids = try Garage.fill(store)
      try store.write { try $0.set(ids.car, ["note": "red"]) }
      let before = try store.position
      var model = Garage.model
      let note = model.entities[0].attributes.remove(at: 2)
      model.entities[1].attributes.append(note)
      try store.apply(model)
      #expect(try store.get(ids.car)?["note"] == "red")
      #expect(try store.get(ids.truck)?.values.contains { $0.name == "note" } == false)
      try store.write { try $0.set(ids.taxi, ["note": "yellow"]) }
      #expect(try store.rebuiltRows() == store.projectionRows())
      try store.apply(Garage.model)
      #expect(try store.get(ids.taxi)?["note"] == "yellow" && store.get(ids.truck)?["note"] == .null)
      #expect(try store.at(before).get(ids.truck)?.values.contains { $0.name == "note" } == true)
      #expect(try store.rebuiltRows() == store.projectionRows())
    }
  }
}
