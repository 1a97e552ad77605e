#if Macros

import DaybookMacros
import DaybookTestSupport
import Testing

private enum Fleet {
  @Entity(isAbstract: true) struct Vehicle {
    @Name @Unique var name: String
    var wheels = 4
    @Relationship(inverse: \Owner.vehicles) var owner: Owner.ID?
  }

  @Entity(parent: Vehicle.self) struct Car: Hashable {
    @Name var name: String
    var wheels = 4
    var doors = 5
    var owner: Owner.ID?
  }

  @Entity(parent: Vehicle.self) struct Truck: Hashable {
    var name: String
    var wheels = 6
    var load: Double?
  }

  @Entity struct Owner {
    @Name var name: String
    var vehicles: Related<Vehicle>
  }

  /// A kind of vehicle whose wheels are not the vehicle's.
  @Entity("Sledge", parent: Vehicle.self) struct Sledge {
    var name: String
    var wheels: Double?
  }
}

/// Structs of entities with a parent.
@Suite("Structs of hierarchies", .hangLimit) struct HierarchyStructTests {
  @Test("The description names the parent, and whether the entity is abstract")
  func description() throws {
    let child = try expandedMembers(#"@Entity("Auto", parent: Vehicle.self) struct Car { var doors = 4 }"#)
    #expect(child.contains("parent: Vehicle.self.entityName,"), "\(child)")
    #expect(!child.contains("isAbstract"))
    let parent = try expandedMembers("@Entity(isAbstract: true) struct Vehicle { var wheels = 4 }")
    #expect(parent.contains("isAbstract: true,"), "\(parent)")
    #expect(!parent.contains("parent:"))
  }

  @Test("The model has the fields that a struct repeats once, at the parent")
  func model() throws {
    let model = try Model(Fleet.Vehicle.self, Fleet.Car.self, Fleet.Truck.self, Fleet.Owner.self)
    let car = try #require(model.entities.first { $0.name == "Car" })
    #expect(car.parent == "Vehicle" && !car.isAbstract)
    #expect(car.attributes.map(\.name) == ["doors"] && car.relationships.isEmpty && car.nameAttribute == nil)
    #expect(model.entities.first { $0.name == "Truck" }?.attributes.map(\.name) == ["load"])
    #expect(model.entities.first { $0.name == "Vehicle" }?.isAbstract == true)
  }

  @Test("A field that differs from the parent's is refused")
  func mismatch() {
    let error = #expect(throws: StoreError.self) {
      try Model(Fleet.Vehicle.self, Fleet.Owner.self, Fleet.Sledge.self)
    }
    #expect(error?.message == "Sledge.wheels is not what Sledge inherits from Vehicle.")
  }

  @Test("A child's objects are read as the child's struct and as the parent's")
  func reading() throws {
    let model = try Model(Fleet.Vehicle.self, Fleet.Car.self, Fleet.Truck.self, Fleet.Owner.self)
    try withTemporaryStore(model) { store in
      let (owner, car) = try store.write { tx in
        let owner = try tx.insert(Fleet.Owner(name: "Ann"))
        let car = try tx.insert(Fleet.Car(name: "Beetle", doors: 3, owner: owner))
        try tx.insert(Fleet.Truck(name: "Atlas", load: 7.5))
        return (owner, car)
      }
      #expect(try store.get(car)?.value == Fleet.Car(name: "Beetle", doors: 3, owner: owner))
      let vehicles = try store.fetch(Fleet.Vehicle.all.sorted(by: \.name)).rows
      #expect(vehicles.map(\.value.name) == ["Atlas", "Beetle"])
      #expect(vehicles.map(\.value.wheels) == [6, 4])
      #expect(try store.count(Fleet.Vehicle.where { $0.owner == owner }) == 1)
      #expect(try store.fetch(Fleet.Truck.all).rows.map(\.value) == [Fleet.Truck(name: "Atlas", load: 7.5)])
      #expect(try store.count(Fleet.Vehicle.all.exactly()) == 0)
      #expect(throws: StoreError.self) { try store.write { try $0.insert(Fleet.Vehicle(name: "Any")) } }
    }
  }
}

#endif
