import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct HierarchyEvolutionTests {
  /// Returns the change from the vehicles to a changed model.
  static func change(
    from old: Model? = nil, _ change: (inout Model) -> Void
  ) throws -> (before: ResolvedModel, change: ModelChange) {
    let old = try old ?? vehicles()
    let before = try ResolvedModel(creating: old)
    let model = old.changed(change)
    let result = try before.evolved(to: model)
    #expect(result.model.checkInvariants() == [])
    #expect(try ResolvedModel(stored: result.model.storedJSON).summary == result.model.summary)
    #expect(try result.model.evolved(to: model).isEmpty)
    #expect(try before.evolved(to: before.declaration(leadingTo: result.model)).model.summary == result.model.summary)
    return (before, result)
  }

  /// Two entities that a parent is placed above.
  static var separate: Model {
    Model(entities: [
      Entity(
        name: "Car", attributes: [Attribute(name: "name", type: .string), Attribute(name: "doors", type: .integer)],
        indexes: [Index([.init(path: ["name"])])]),
      Entity(name: "Truck", attributes: [Attribute(name: "load", type: .integer, isOptional: true)]),
    ])
  }

  @Test func addsAParentAboveEntities() throws {
    let (before, change) = try Self.change(from: Self.separate) {
      $0.entities.append(
        Entity(
          name: "Vehicle", isAbstract: true, attributes: [Attribute(name: "wheels", type: .integer, defaultValue: 4)]))
      $0["Car"].parent = "Vehicle"
      $0["Truck"].parent = "Vehicle"
    }
    #expect(
      change.steps == [
        "give Car the parent Vehicle", "give Truck the parent Vehicle", "add entity Vehicle, abstract",
        "add attribute Vehicle.wheels (integer, default 4)",
      ])
    let (car, truck) = (change.model.entities[0], change.model.entities[1])
    #expect(car.root == 2 && truck.root == 2)
    // Its own timeline and index have the same rows as before.
    #expect(car.ownIndexes.map(\.tag) == before.entities[0].indexes.map(\.tag))
    #expect(car.attributes[car.attribute(named: "name")!].tag == before.entities[0].attributes[0].tag)
    let wheels = truck.attributes[truck.attribute(named: "wheels")!]
    #expect(wheels.valueWhenMissing == 4)
  }

  @Test func movesAFieldUpWithItsTag() throws {
    let (before, change) = try Self.change(from: Self.separate) {
      $0.entities.append(Entity(name: "Vehicle", attributes: [Attribute(name: "name", type: .string)]))
      $0["Car"].parent = "Vehicle"
      $0["Car"].attributes.removeFirst()
    }
    #expect(change.steps.contains("move attribute name from Car to Vehicle"))
    let car = change.model.entities[0]
    let name = car.attributes[car.attribute(named: "name")!]
    #expect(name.tag == before.entities[0].attributes[0].tag && name.entity == 2)
    // The index of cars by name has the same rows.
    #expect(car.ownIndexes.map(\.tag) == before.entities[0].indexes.map(\.tag))
    #expect(change.checks.isEmpty)
  }

  @Test func movesAFieldDownWithItsTag() throws {
    let (before, change) = try Self.change {
      $0["Vehicle"].indexes = []
      $0["Car"].attributes.append($0["Vehicle"].attributes.remove(at: 1))
    }
    #expect(change.steps.contains("move attribute wheels from Vehicle to Car"))
    #expect(change.steps.contains("remove attribute wheels of the objects of Truck"))
    let taxi = change.model.entities[2]
    #expect(taxi.attributes[taxi.attribute(named: "wheels")!].tag == before.entities[0].attributes[1].tag)
    #expect(change.model.entities[3].attribute(named: "wheels") == nil)
  }

  @Test func movesARelationshipWithItsInverse() throws {
    let old = try vehicles().changed {
      $0["Vehicle"].relationships.removeFirst()
      $0["Car"].indexes.removeLast()
      $0["Car"].relationships = [Relationship(name: "owner", target: "Person", inverse: "vehicles", isOptional: true)]
      $0["Person"].relationships = [Relationship(name: "vehicles", target: "Car", inverse: "owner", isMany: true)]
    }
    let (before, change) = try Self.change(from: old) {
      $0["Vehicle"].relationships.append($0["Car"].relationships.removeFirst())
      $0["Person"].relationships[0].target = "Vehicle"
    }
    #expect(change.steps == ["move relationship owner from Car to Vehicle"])
    let owner = change.model.relationship(tagged: before.entities[1].relationships[1].tag)
    #expect(before.entities[1].relationships[1].name == "owner" && owner?.entity == 0)
    // A way back would lose the links of the others.
    let down = try change.model.evolved(to: old)
    #expect(down.checks.map(\.condition) == [.noObjects(entity: 0), .noObjects(entity: 3)])
  }

  @Test func anEntityWithOtherMembersHasOtherIndexes() throws {
    let (before, change) = try Self.change(from: Self.separate) { $0["Truck"].parent = "Car" }
    let car = change.model.entities[0]
    #expect(Set(car.indexes.map(\.tag)).isDisjoint(with: before.entities[0].indexes.map(\.tag)))
    #expect(change.steps == ["give Truck the parent Car", "rebuild index Car [name]"])
    // Cars need names and doors, which trucks lack.
    #expect(change.checks.map(\.condition) == [.noObjects(entity: 1), .noObjects(entity: 1)])
    // A new child changes no index of its parent.
    let (vehicles, child) = try Self.change { $0.entities.append(Entity(name: "Bus", parent: "Vehicle")) }
    #expect(child.model.entities[0].indexes.map(\.tag) == vehicles.entities[0].indexes.map(\.tag))
    #expect(child.steps == ["add entity Bus, with the parent Vehicle"])
  }

  @Test func placesAParentBetween() throws {
    let (before, change) = try Self.change {
      $0.entities.append(Entity(name: "Motorized", parent: "Vehicle", isAbstract: true))
      $0["Car"].parent = "Motorized"
    }
    #expect(change.model.entities[2].lineage == [0, 6, 1, 2])
    #expect(change.model.entities[1].ownIndexes.map(\.tag) == before.entities[1].ownIndexes.map(\.tag))
  }

  typealias Refusal = (change: @Sendable (inout Model) -> Void, fault: String)

  static let refusals: [Refusal] = [
    ({ $0["Taxi"].parent = nil }, "Taxi: is a kind of Vehicle and must stay one"),
    ({ $0["Taxi"].parent = "Truck" }, "Taxi: is a kind of Car and must stay one"),
    (
      {
        $0["Vehicle"].attributes.remove(at: 1)
        $0["Vehicle"].indexes = []
        $0["Car"].attributes.append(Attribute(name: "wheels", type: .string))
      }, "Car.wheels: is an integer and cannot become a string"
    ),
  ]

  @Test(arguments: refusals.indices) func refusesWhatWouldLoseObjects(_ index: Int) throws {
    let (change, fault) = Self.refusals[index]
    let error = #expect(throws: ModelError.self) { try Self.change(change) }
    #expect(error?.faults.contains { "\($0)".hasPrefix(fault) } == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func refusesToDissolveAParent() throws {
    let old = Model(entities: [
      Entity(name: "Vehicle", attributes: [Attribute(name: "name", type: .string)]),
      Entity(name: "Car", parent: "Vehicle"),
    ])
    let error = #expect(throws: ModelError.self) {
      try Self.change(from: old) {
        $0["Car"].attributes = $0["Vehicle"].attributes
        $0["Car"].parent = nil
        $0.entities.removeFirst()
      }
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("keep the parent, which may be abstract and without fields"))
  }

  @Test func refusesToMergeTwoFields() throws {
    let old = Self.separate.changed { $0["Truck"].attributes.append(Attribute(name: "name", type: .string)) }
    let error = #expect(throws: ModelError.self) {
      try Self.change(from: old) {
        $0.entities.append(Entity(name: "Vehicle", attributes: [Attribute(name: "name", type: .string)]))
        $0["Car"].parent = "Vehicle"
        $0["Car"].attributes.removeFirst()
        $0["Truck"].parent = "Vehicle"
        $0["Truck"].attributes.removeLast()
      }
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("Vehicle.name: could be the field of Car, Truck"))
  }

  @Test func checksObjectsOfAnAbstractEntity() throws {
    let (_, change) = try Self.change { $0["Car"].isAbstract = true }
    #expect(change.steps == ["make entity Car abstract"])
    #expect(change.checks.map(\.condition) == [.noObjects(entity: 1)])
    let (_, back) = try Self.change { $0["Vehicle"].isAbstract = false }
    #expect(back.steps == ["allow objects of Vehicle itself"] && back.checks.isEmpty)
  }

  @Test func aRemovedChildStaysInItsHierarchy() throws {
    let (_, change) = try Self.change { $0.entities.removeAll { $0.name == "Taxi" } }
    let taxi = change.model.entities[2]
    #expect(taxi.isRetired && taxi.lineage == [0, 1, 2])
    #expect(change.checks.map(\.condition) == [.noObjects(entity: 2)])
  }

  @Test func gainedRulesAreChecked() throws {
    let old = Self.separate.changed {
      $0.entities.append(Entity(name: "Vehicle", rules: ["id != nil"]))
    }
    let (before, change) = try Self.change(from: old) { $0["Car"].parent = "Vehicle" }
    #expect(change.changedRules.contains(before.entities[2].tag))
  }
}
