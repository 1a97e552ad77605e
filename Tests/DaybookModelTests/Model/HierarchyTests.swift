import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct HierarchyTests {
  @Test func readsAndWritesParents() throws {
    let model = try vehicles()
    #expect(model["Vehicle"].isAbstract && model["Vehicle"].parent == nil)
    #expect(model["Taxi"].parent == "Car" && !model["Taxi"].isAbstract)
    #expect(try Model(parsing: Array(model.text.utf8)) == model)
    let resolved = try ResolvedModel(creating: model)
    #expect(resolved.model == model)
    #expect(try ResolvedModel(stored: resolved.storedJSON).summary == resolved.summary)
  }

  @Test func numbersTheFieldsOfAHierarchyTogether() throws {
    let resolved = try ResolvedModel(creating: vehicles())
    #expect(resolved.checkInvariants() == [])
    let entities = resolved.entities
    #expect(entities.map(\.lineage) == [[0], [0, 1], [0, 1, 2], [0, 3], [4], [5]])
    #expect(entities.map(\.descendants) == [[1, 2, 3], [2], [], [], [], []])
    #expect(resolved.roots == [0, 4, 5] && resolved.hasHierarchies)
    let names = ["name", "wheels", "partCount", "doors", "licence", "load"]
    for entity in entities[0...3] { #expect(entity.attributes.map(\.name) == names) }
    let taxi = entities[2]
    #expect(taxi.attributes.map(\.isRetired) == [false, false, false, false, false, true])
    #expect(entities[3].attribute(named: "doors") == nil && taxi.attribute(named: "doors") == 3)
    #expect(taxi.attributes[3] === entities[1].attributes[3])
    #expect(taxi.nameAttribute == 0)
    #expect(taxi.relationship(named: "owner") == 0)
    #expect(resolved.declaring(RelationshipReference(entity: 2, relationship: 0)).entity == 0)
    #expect(taxi.recordLayout.entity == "Taxi" && taxi.recordLayout.attributes.map(\.name) == Array(names.dropLast()))
    #expect(taxi.isKind(of: entities[1]) && !taxi.isKind(of: entities[3]) && !entities[0].isKind(of: taxi))
  }

  @Test func inheritsIndexesAndConstraints() throws {
    let resolved = try ResolvedModel(creating: vehicles())
    let (vehicle, car, taxi) = (resolved.entities[0], resolved.entities[1], resolved.entities[2])
    #expect(car.indexes.prefix(2).map(\.tag) == vehicle.indexes.map(\.tag))
    #expect(taxi.indexes.dropLast().map(\.tag) == car.indexes.map(\.tag))
    #expect(taxi.ownIndexes.count == 1 && taxi.inheritedCounts.indexes == 5)
    #expect(taxi.constraints.map(\.fields) == [[.attribute(0)], [.attribute(4)]])
    #expect(car.indexes.allSatisfy { $0.terms.allSatisfy { $0.path.start == 1 } })
    let owner = try #require(car.indexes.last?.terms.first?.path.steps.first)
    #expect(owner.relationship == RelationshipReference(entity: 0, relationship: 0))
  }

  @Test func needsTheSeventhFormat() throws {
    #expect(try ResolvedModel(creating: vehicles()).neededVersion == 7)
    #expect(try ResolvedModel(creating: Model(entities: [Entity(name: "A", isAbstract: true)])).neededVersion == 7)
    #expect(try ResolvedModel(creating: recipes()).neededVersion < 6)
  }

  @Test func namesEventsOfChildren() throws {
    let model = try vehicles().changed { model in
      model.events = [EventType(name: "Serviced", about: "Vehicle")]
    }
    let resolved = try ResolvedModel(creating: model)
    let names = EventNames(resolved)
    #expect(try names.eventType("Serviced", about: 2).about == 0)
    #expect(throws: EventFault.self) { try names.eventType("Serviced", about: 4) }
    #expect(try names.attribute("name", of: 2).tag == resolved.entities[0].attributes[0].tag)
    let doors = resolved.entities[1].attributes[3].tag
    #expect(try names.attribute(doors, of: 2).name == "doors")
    #expect(try names.attribute(doors, of: 3).name == "doors#\(doors)")
    #expect(try names.attribute("doors#\(doors)", of: 3).tag == doors)
    #expect(throws: EventFault.self) { try names.attribute("doors", of: 3) }
    #expect(throws: EventFault.self) { try names.attribute(doors, of: 4) }
  }

  typealias Mistake = (change: @Sendable (inout Model) -> Void, fault: String)

  static let mistakes: [Mistake] = [
    ({ $0["Car"].parent = "Ship" }, "Car.parent: the model has no entity “Ship”"),
    ({ $0["Vehicle"].parent = "Vehicle" }, "Vehicle.parent: the parents lead in a cycle"),
    ({ $0["Vehicle"].parent = "Taxi" }, "Vehicle.parent: the parents lead in a cycle"),
    (
      { $0["Taxi"].attributes[0].name = "wheels" },
      "Taxi.wheels: is a field of Vehicle, which Taxi inherits; leave it out, or rename it"
    ),
    ({ $0["Taxi"].attributes[0].name = "owner" }, "Taxi.owner: is a field of Vehicle"),
    (
      {
        $0["Person"].relationships.append(
          Relationship(name: "taxis", target: "Taxi", inverse: "owner", isMany: true))
      },
      "Person.taxis: Taxi inherits the relationship “owner”; “inverse” names the relationship that Taxi itself declares"
    ),
    ({ $0["Truck"].indexes = [Index([.init(path: ["doors"])])] }, "Truck.indexes[0]: Truck has no attribute"),
    ({ $0["Truck"].unique = [["doors"]] }, "Truck.unique[0]: Truck has no attribute"),
    ({ $0["Vehicle"].indexes = [Index([.init(path: ["doors"])])] }, "Vehicle.indexes[0]: Vehicle has no attribute"),
    (
      {
        for depth in 1...16 {
          $0.entities.append(Entity(name: "D\(depth)", parent: depth == 1 ? "Car" : "D\(depth - 1)"))
        }
      }, "D15.parent: is the end of 17 entities; a hierarchy has at most 16 levels"
    ),
    (
      {
        let groups = (0..<9).map { GroupDeclaration("g\($0)", by: [$0 == 0 ? "name" : "wheels"]) }
        $0["Vehicle"].groups = groups
        $0["Car"].groups = groups
      }, "Car.groups: has 18 members with those of its ancestors; 16 are allowed"
    ),
  ]

  @Test(arguments: mistakes.indices) func refusesWrongHierarchies(_ index: Int) throws {
    let (change, fault) = Self.mistakes[index]
    let model = try vehicles().changed(change)
    let error = #expect(throws: ModelError.self) { try ResolvedModel(creating: model) }
    #expect(error?.faults.contains { "\($0)".hasPrefix(fault) } == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func siblingsMayUseOneName() throws {
    let model = try vehicles().changed {
      $0["Truck"].attributes.append(Attribute(name: "doors", type: .string, isOptional: true))
    }
    let resolved = try ResolvedModel(creating: model)
    #expect(resolved.checkInvariants() == [])
    #expect(resolved.entities[1].attribute(named: "doors") != resolved.entities[3].attribute(named: "doors"))
  }

  @Test func derivedEntitiesHaveNoHierarchy() throws {
    let resolved = try ResolvedModel(creating: recipes())
    let entity = DerivedEntity(
      Entity(name: "Month", isAbstract: true, attributes: [Attribute(name: "month", type: .string)]), key: ["month"])
    #expect(throws: ModelError.self) {
      try resolved.adding([DerivedModel(projection: "p", reads: [], entities: [entity])])
    }
  }
}
