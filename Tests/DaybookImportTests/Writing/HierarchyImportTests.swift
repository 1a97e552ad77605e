#if Import

import Daybook
import DaybookModel
import Testing

@testable import DaybookImport

/// Imports of sources whose entities have parents.
@Suite(.hangLimit)
struct HierarchyImportTests {
  /// Drivers with one vehicle each, which is a car or a truck; a truck needs a depot, which is a place.
  private func source() throws -> PlainSource {
    var driver = SourceEntity(name: "Driver")
    driver.attributes = [.required("name", .string)]
    driver.relationships = [.one("vehicle", "Vehicle", inverse: "drivers", isOptional: false)]
    var vehicle = SourceEntity(name: "Vehicle")
    vehicle.isAbstract = true
    vehicle.attributes = [.required("plate", .string)]
    vehicle.uniquenessConstraints = [["plate"]]
    vehicle.relationships = [.many("drivers", "Driver", inverse: "vehicle")]
    var car = SourceEntity(name: "Car", parent: "Vehicle")
    car.attributes = [.optional("doors", .integer16)]
    var truck = SourceEntity(name: "Truck", parent: "Vehicle")
    truck.relationships = [.one("depot", "Place", inverse: "trucks", isOptional: false)]
    var place = SourceEntity(name: "Place")
    place.relationships = [.many("trucks", "Truck", inverse: "depot")]
    var source = try PlainSource(
      SourceModel(driver, truck, car, vehicle, SourceEntity(name: "Depot", parent: "Place"), place))
    source.rows = [
      "Car": [1: row("A 1", ["doors": 4])], "Truck": [2: row("B 2", links: ["depot": [20]])],
      "Driver": [
        10: PlainSource.Row(values: ["name": "Ada"], links: ["vehicle": [1]]),
        11: PlainSource.Row(values: ["name": "Bob"], links: ["vehicle": [2]]),
      ],
      "Depot": [20: PlainSource.Row()],
    ]
    return source
  }

  private func row(
    _ plate: String, _ values: [String: SourceValue] = [:], links: [String: [Int64]] = [:]
  ) -> PlainSource.Row {
    PlainSource.Row(values: values.merging(["plate": .value(.string(plate))]) { $1 }, links: links)
  }

  @Test
  func `objects have their own entities, inherited values and links to parents, in one commit or several`() throws {
    let source = try source()
    for batch in [nil, 1] {
      let imported = try ImportedStore()
      let report = try imported.run(source) { $0.batchSize = batch }
      #expect(report.entities.map(\.objectCount) == [2, 1, 1, 0, 1, 0])
      try imported.read { (store: Store) throws in
        let vehicles = try store.read {
          try $0.fetch(Request(entity: "Vehicle", sort: [SortTerm(path: ["plate"])])).rows
        }
        #expect(vehicles.map { $0["plate"] } == ["A 1", "B 2"])
        #expect(vehicles.map(\.entity) == ["Car", "Truck"])
        #expect(try store.require(source.id("Vehicle", 1))["doors"] == 4)
        #expect(try store.require(source.id("Driver", 11)).target("vehicle") == source.id("Vehicle", 2))
        #expect(try store.require(source.id("Truck", 2)).target("depot") == source.id("Place", 20))
      }
      let again = try imported.run(source)
      #expect(again.commitCount == 0)
    }
  }

  @Test
  func `a required link that the row of a descendant lacks is listed`() throws {
    var source = try source()
    source.rows["Driver"]?[12] = PlainSource.Row(values: ["name": "Cy"])
    source.rows["Truck"]?[3] = row("C 3")
    let imported = try ImportedStore()
    try expectError("Driver.vehicle", "Driver/p12", "Truck.depot", "Vehicle/p3") { try imported.run(source) }
    #expect(try imported.names() == [])
  }

  @Test
  func `a row that is gone is deleted as what it was, and others of the hierarchy stay`() throws {
    var source = try source()
    let imported = try ImportedStore()
    try imported.run(source)
    source.rows["Truck"]?[2] = nil
    source.rows["Driver"]?[11]?.links["vehicle"] = [1]
    try imported.run(source)
    try imported.read { (store: Store) throws in
      #expect(try store.read { try $0.fetch(Request(entity: "Vehicle")).rows.map(\.id) } == [source.id("Car", 1)])
      #expect(try store.require(source.id("Driver", 11)).target("vehicle") == source.id("Car", 1))
    }
  }

  @Test
  func `an identifying attribute of a parent identifies the objects of its children`() throws {
    let source = try source()
    let imported = try ImportedStore()
    try imported.run(source) { $0.identities = ["Vehicle": "plate"] }
    let names = ObjectID(name: "Vehicle", in: .zero)
    try imported.read { (store: Store) throws in
      #expect(try store.require(ObjectID(name: "B 2", in: names)).entity == "Truck")
      #expect(try store.require(source.id("Driver", 11)).target("vehicle") == ObjectID(name: "B 2", in: names))
    }
    let again = try imported.run(source) { $0.identities = ["Vehicle": "plate"] }
    #expect(again.commitCount == 0)
  }

  @Test
  func `an entity that the store has with another parent is refused`() throws {
    let imported = try ImportedStore()
    try imported.run(try source())
    var other = try PlainSource(SourceModel(SourceEntity(name: "Car")))
    other.identity = ObjectID("21111111-2222-4333-8444-555555555555")
    try expectError("Car is an entity with the parent Vehicle", "--rename") { try imported.run(other) }
  }
}

#endif
