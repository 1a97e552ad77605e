import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook

/// Requests for objects of a hierarchy.
@Suite(.hangLimit) struct HierarchyFetchTests {
  @Test func aParentHasTheObjectsOfItsDescendants() throws {
    try withTemporaryStore(Garage.model) { store in
      _ = try Garage.fill(store)
      #expect(try Garage.names(store, Garage.request("Vehicle", sort: "name")) == ["Actros", "Beetle", "Cab"])
      #expect(try Garage.names(store, Garage.request("Car", sort: "name")) == ["Beetle", "Cab"])
      #expect(try Garage.names(store, Garage.request("Car", sort: "name", isExact: true)) == ["Beetle"])
      #expect(try Garage.names(store, Garage.request("Vehicle", isExact: true)) == [])
      #expect(try Garage.names(store, Garage.request("Taxi")) == ["Cab"])
      for (entity, count) in [("Vehicle", 3), ("Car", 2), ("Taxi", 1), ("Truck", 1)] {
        #expect(try store.count(Garage.request(entity)) == count)
      }
      #expect(try store.count(Garage.request("Car", isExact: true)) == 1)
      let rows = try store.fetch(Garage.request("Vehicle", sort: "name")).rows
      #expect(rows.map(\.entity) == ["Truck", "Car", "Taxi"] && rows[2]["licence"] == "x1")
    }
  }

  @Test func theEntityIsAFieldOfRequests() throws {
    try withTemporaryStore(Garage.model) { store in
      let ids = try Garage.fill(store)
      func names(_ filter: String) throws -> [String] {
        try Garage.names(store, Garage.request("Vehicle", filter, sort: "name"))
      }
      #expect(try names(#"entity == "Car""#) == ["Beetle"])
      #expect(try names(#"@entity != "Car""#) == ["Actros", "Cab"])
      #expect(try names(#"entity IN {"Taxi", "Truck"}"#) == ["Actros", "Cab"])
      #expect(try names(#"entity BEGINSWITH "T""#) == ["Actros", "Cab"])
      let parts = try Garage.request("Part", #"vehicle.entity == "Taxi""#)
      #expect(try store.fetch(parts).rows.map(\.id) == [ids.part])
      let owners = try Garage.request("Person", #"COUNT(vehicles WHERE entity == "Truck") == 1"#)
      #expect(try store.count(owners) == 1)
      let sections = try store.fetch(Garage.request("Vehicle", sort: "name", section: "entity")).sections
      #expect(sections.map(\.name) == ["Car", "Taxi", "Truck"])
      #expect(try Garage.names(store, Garage.request("Vehicle", sort: "entity:desc")) == ["Actros", "Cab", "Beetle"])
      let error = #expect(throws: StoreError.self) { try names(#"entity == "Cat""#) }
      #expect(error?.message.contains("there is no entity “Cat”") == true)
    }
  }

  @Test func aFieldNamedEntityIsTheField() throws {
    let model = Model(entities: [Entity(name: "Fact", attributes: [Attribute(name: "entity", type: .string)])])
    try withTemporaryStore(model) { store in
      try store.write { _ = try $0.insert("Fact", ["entity": "Pope"]) }
      #expect(try store.count(Garage.request("Fact", #"entity == "Pope" AND @entity == "Fact""#)) == 1)
    }
  }

  @Test func aPathThroughAChildsFieldIsAnError() throws {
    try withTemporaryStore(Garage.model) { store in
      let error = #expect(throws: StoreError.self) { try store.count(Garage.request("Vehicle", "doors > 1")) }
      #expect(error?.message.contains("Vehicle has no attribute or relationship “doors”; Car has it") == true)
    }
  }

  @Test func plansReadIndexesOfAncestors() throws {
    try withTemporaryStore(Garage.model) { store in
      let ids = try Garage.fill(store)
      func plan(_ request: Request<StoredObject>) throws -> String { try store.read { try $0.explain(request) } }
      #expect(try plan(Garage.request("Vehicle", sort: "wheels", "name")) == "view Vehicle(wheels, name); in order")
      #expect(
        try plan(Garage.request("Car", "wheels == 4", sort: "name"))
          == "view Vehicle(wheels, name), equal wheels = 4; only Car; in order")
      #expect(try plan(Garage.request("Car", sort: "doors", "name")) == "view Car(doors, name); in order")
      #expect(try Garage.names(store, Garage.request("Truck", "wheels > 1", sort: "wheels", "name")) == ["Actros"])
      #expect(try Garage.names(store, Garage.request("Car", #"name == "Actros""#)) == [])
      #expect(try Garage.names(store, Garage.request("Truck", #"name == "Actros""#)) == ["Actros"])
      let owned = try Garage.request("Truck", "owner == \"\(ids.owner)\"")
      #expect(try plan(owned).hasPrefix("links Person.vehicles"))
      #expect(try Garage.names(store, owned) == ["Actros"] && store.count(owned) == 1)
      #expect(try Garage.names(store, Garage.request("Car", "id == \"\(ids.truck)\"")) == [])
      #expect(try Garage.names(store, Garage.request("Vehicle", "id == \"\(ids.truck)\"")) == ["Actros"])
    }
  }

  @Test func pathsLeadThroughParents() throws {
    try withTemporaryStore(Garage.model) { store in
      let ids = try Garage.fill(store)
      #expect(try store.count(Garage.request("Part", #"vehicle.name == "Cab" AND vehicle.owner.name == "Ada""#)) == 1)
      #expect(try store.count(Garage.request("Person", "ANY vehicles.wheels == 10")) == 1)
      #expect(try store.count(Garage.request("Car", #"owner.name == "Ada""#, sort: "owner.name")) == 2)
      try store.write { try $0.set(ids.owner, ["name": "Bob"]) }
      #expect(try store.count(Garage.request("Car", #"owner.name == "Bob""#, sort: "owner.name")) == 2)
      try store.write { try $0.set(ids.part, ["weight": 7]) }
      #expect(try store.get(ids.taxi)?["heaviest"] == 7)
    }
  }

  @Test func groupsAreOverDescendants() throws {
    try withTemporaryStore(Garage.model) { store in
      let ids = try Garage.fill(store)
      let kept = try Garage.request("Vehicle").grouped(by: ["owner.name"], showing: ["count, sum:wheels, max:name"])
      #expect(try store.read { try $0.explain(kept) }.hasPrefix("groups Vehicle.byOwner"))
      func values(_ request: Request<Group<StoredObject>>) throws -> [[Value]] {
        try store.fetch(request).rows.map { $0.values.map(\.value) }
      }
      #expect(try values(kept) == [[3, 18, "Cab"]])
      let cars = try Garage.request("Car").grouped(by: ["owner.name"], showing: ["count, sum:wheels, max:name"])
      #expect(try values(cars) == [[2, 8, "Cab"]])
      let kinds = try Garage.request("Vehicle").grouped(by: ["entity"], showing: ["count"])
      #expect(try values(kinds) == [[1], [1], [1]])
      try store.write { try $0.delete(ids.taxi) }
      #expect(try values(kept) == [[2, 14, "Beetle"]])
    }
  }
}
