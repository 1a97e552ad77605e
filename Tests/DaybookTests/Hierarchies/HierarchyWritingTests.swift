import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookEngine

/// What verbs do with objects of a hierarchy.
@Suite(.hangLimit) struct HierarchyWritingTests {
  @Test func objectsHaveTheFieldsOfTheirAncestors() throws {
    try withTemporaryStore(Garage.model) { store in
      let ids = try Garage.fill(store)
      let taxi = try #require(try store.get(ids.taxi))
      #expect(taxi.entity == "Taxi" && taxi["wheels"] == 4 && taxi["licence"] == "x1" && taxi["weight"] == 90)
      #expect(taxi["heaviest"] == 90 && taxi.target("owner") == ids.owner)
      #expect(
        try store.get(ids.truck)?.values.map(\.name) == ["name", "wheels", "note", "partCount", "weight", "load"])
      #expect(Set(try store.read { try $0.targets(of: ids.owner, "vehicles") }) == [ids.car, ids.taxi, ids.truck])
      try store.write { tx in
        try tx.set(ids.taxi, ["wheels": 6, "doors": 5])
        try tx.rename(ids.truck, to: "Atego")
      }
      #expect(try store.get(ids.taxi)?["wheels"] == 6 && store.get(ids.truck)?["name"] == "Atego")
      #expect(throws: StoreError.self) { try store.write { try $0.set(ids.truck, ["doors": 2]) } }
    }
  }

  @Test func anAbstractEntityHasNoObjectsOfItsOwn() throws {
    try withTemporaryStore(Garage.model) { store in
      let error = #expect(throws: StoreError.self) { try store.write { try $0.insert("Vehicle", ["name": "x"]) } }
      #expect(error?.code == .badValue)
      #expect(error?.message == "Vehicle is abstract, so no object of it can be inserted.")
      #expect(error?.advice == "Insert an object of Car or Taxi or Truck.")
    }
  }

  @Test func aLinkLeadsToDescendantsOnly() throws {
    try withTemporaryStore(Garage.model) { store in
      let ids = try Garage.fill(store)
      try store.write { try $0.relate(ids.owner, "favourite", to: ids.taxi) }
      #expect(try store.read { try $0.targets(of: ids.taxi, "fans") } == [ids.owner])
      let error = #expect(throws: StoreError.self) {
        try store.write { try $0.relate(ids.owner, "favourite", to: ids.truck) }
      }
      #expect(error?.message == "Person.favourite leads to Car, but \(ids.truck) is a Truck.")
      #expect(throws: StoreError.self) { try store.write { try $0.relate(ids.truck, "fans", to: ids.owner) } }
    }
  }

  @Test func upsertsFindObjectsOfDescendantsAndNoOthers() throws {
    try withTemporaryStore(Garage.model) { store in
      let ids = try Garage.fill(store)
      try store.write { tx in
        #expect(try tx.upsert("Vehicle", key: ["name"], ["name": "Cab", "wheels": 6]) == ids.taxi)
        #expect(try tx.upsert("Car", key: ["name"], ["name": "Cab", "doors": 3]) == ids.taxi)
        // Of an object that the same commit inserted, renamed or deleted, too.
        let van = try tx.upsert("Truck", key: ["name"], ["name": "Van", "load": 2.5])
        #expect(try tx.upsert("Vehicle", key: ["name"], ["name": "Van", "wheels": 5]) == van)
        try tx.rename(ids.car, to: "Golf")
        #expect(try tx.upsert("Car", key: ["name"], ["name": "Golf", "doors": 5]) == ids.car)
        try tx.delete(van)
        #expect(try tx.upsert("Taxi", key: ["name"], ["name": "Van", "licence": "x2"]) != van)
      }
      #expect(try store.get(ids.taxi)?["wheels"] == 6 && store.get(ids.taxi)?["doors"] == 3)
      #expect(try Garage.names(store, Garage.request("Vehicle", sort: "name")) == ["Actros", "Cab", "Golf", "Van"])
      for (entity, key, values) in [
        ("Truck", "name", ["name": "Cab", "load": 3.5]), ("Taxi", "name", ["name": "Golf", "licence": "x3"]),
      ] as [(String, String, [String: Value])] {
        let error = #expect(throws: StoreError.self) { try store.write { try $0.upsert(entity, key: [key], values) } }
        #expect(error?.code == .constraint && error?.message.contains("it is no \(entity)") == true)
      }
      let abstract = #expect(throws: StoreError.self) {
        try store.write { try $0.upsert("Vehicle", key: ["name"], ["name": "Nothing"]) }
      }
      #expect(abstract?.code == .badValue)
      // A context finds them over its own changes.
      let context = try store.makeContext()
      try context.rename(ids.truck, to: "Atego")
      #expect(try context.upsert("Vehicle", key: ["name"], ["name": "Atego", "wheels": 8]) == ids.truck)
      let truck = #expect(throws: StoreError.self) { try context.upsert("Car", key: ["name"], ["name": "Atego"]) }
      #expect(truck?.code == .constraint)
      try context.save()
      #expect(try store.get(ids.truck)?["wheels"] == 8)
    }
  }

  @Test func constraintsAndRulesAreTheDescendantsToo() throws {
    try withTemporaryStore(Garage.model) { store in
      let ids = try Garage.fill(store)
      let same = #expect(throws: StoreError.self) { try store.write { try $0.insert("Truck", ["name": "Beetle"]) } }
      #expect(same?.code == .constraint)
      #expect(throws: StoreError.self) { try store.write { try $0.insert("Taxi", ["name": "b", "licence": "x1"]) } }
      try store.write { tx in
        try tx.set(ids.truck, ["name": "Beetle"])
        try tx.set(ids.car, ["name": "Actros"])
      }
      for (id, values) in [
        (ids.truck, ["wheels": Value.integer(0)]), (ids.taxi, ["wheels": 19]), (ids.taxi, ["doors": 40]),
      ] {
        let error = #expect(throws: StoreError.self) { try store.write { try $0.set(id, values) } }
        #expect(error?.code == .constraint, "\(values)")
      }
      #expect(throws: StoreError.self) { try store.write { try $0.insert("Truck", [:]) } }
    }
  }

  @Test func deletesCascadeAndComeBack() throws {
    try withTemporaryStore(Garage.model) { store in
      let ids = try Garage.fill(store)
      let before = try store.position
      try store.write { try $0.delete(ids.taxi) }
      #expect(try store.get(ids.part) == nil && store.get(ids.taxi) == nil)
      let error = #expect(throws: StoreError.self) {
        try store.write { try $0.insert("Car", ["name": "z"], id: ids.taxi) }
      }
      #expect(error?.message.contains("belongs to a deleted Taxi") == true)
      try store.undo(.last())
      #expect(try store.get(ids.taxi)?["licence"] == "x1" && store.get(ids.taxi)?["partCount"] == 1)
      #expect(try store.at(before).get(ids.taxi) == store.at(before).get(ids.taxi))
      #expect(try store.get(ids.taxi)?.target("owner") == ids.owner)
    }
  }

  @Test func eventsAboutAParentAreAboutItsDescendants() throws {
    try withTemporaryStore(Garage.model) { store in
      let ids = try Garage.fill(store)
      try store.write { tx in
        try tx.record("Serviced", about: ids.taxi, ["place": "here"])
        try tx.record("Serviced", about: ids.truck, ["place": "there"])
      }
      #expect(throws: StoreError.self) {
        try store.write { try $0.record("Serviced", about: ids.owner, ["place": "x"]) }
      }
      let unborn = #expect(throws: StoreError.self) {
        try store.write { try $0.record("Serviced", about: ObjectID(high: 1, low: 2), ["place": "x"]) }
      }
      #expect(unborn?.advice == "Give the id of an object, or insert it before the event.")
      var log = try store.log(where: CommitFilter(entity: "Car"))
      var count = 0
      while try log.next() != nil { count += 1 }
      #expect(count == 2)
    }
  }

  @Test func rowsAreKeyedByTheRoot() throws {
    try withTemporaryStore(Garage.model) { store in
      _ = try Garage.fill(store)
      let model = try store.read { $0.resolvedModel }
      let rows = try store.projectionRows()[.objects].filter { row in
        var key = ByteReader(row.key.rawSpan)
        return try key.fixed(UInt16.self) == model.entities[0].tag.number
      }
      #expect(try Set(rows.map { try RecordView($0.value.rawSpan).entity }) == Set(model.entities[1...3].map(\.tag)))
      #expect(try store.rebuiltRows() == store.projectionRows())
    }
  }
}
