#if Import

import DaybookModel
import Testing

@testable import DaybookImport

/// Entities with parents as hierarchies of Daybook.
@Suite(.hangLimit)
struct HierarchyTranslationTests {
  private func translate(
    _ entities: [SourceEntity], options: TranslationOptions = TranslationOptions()
  ) throws -> Translation {
    var model = SourceModel()
    model.entities = entities
    return try Translation(of: SourceLookup(model, origin: "test"), options, origin: "test")
  }

  /// A car and a truck, declared before the vehicle that they are.
  private func vehicles() -> [SourceEntity] {
    var car = SourceEntity(name: "Car", parent: "Vehicle")
    car.attributes = [.optional("doors", .integer16)]
    var truck = SourceEntity(name: "Truck", parent: "Vehicle")
    truck.attributes = [.optional("load", .double)]
    var vehicle = SourceEntity(name: "Vehicle")
    vehicle.isAbstract = true
    vehicle.attributes = [.required("plate", .string)]
    return [car, truck, vehicle]
  }

  @Test
  func `parents and abstract entities stay what they are, in the order of declaration`() throws {
    let translation = try translate(vehicles())
    #expect(translation.model.entities.map(\.name) == ["Car", "Truck", "Vehicle"])
    #expect(translation.model.entities.map(\.parent) == ["Vehicle", "Vehicle", nil])
    #expect(translation.model.entities.map(\.isAbstract) == [false, false, true])
    #expect(translation.model.entities.map { $0.attributes.map(\.name) } == [["doors"], ["load"], ["plate"]])
    #expect(translation.attributes(of: "Car").map(\.name) == ["plate", "doors"])
    #expect(translation.report.changed.isEmpty)
  }

  @Test
  func `a field that repeats an inherited one is the inherited one`() throws {
    var entities = vehicles()
    entities[0].attributes.append(.optional("plate", .string))
    let translation = try translate(entities)
    #expect(translation.model.entities[0].attributes.map(\.name) == ["doors"])
    #expect(translation.report.changed.map(\.what) == ["Car.plate"])
  }

  @Test
  func `constraints and indexes may have inherited fields`() throws {
    var entities = vehicles()
    entities[0].uniquenessConstraints = [["plate", "doors"]]
    entities[0].indexes = [
      SourceIndex(elements: [.init(property: "plate"), .init(property: "doors", isDescending: true)])
    ]
    let translation = try translate(entities)
    #expect(translation.model.entities[0].unique == [["plate", "doors"]])
    #expect(translation.model.entities[0].indexes.map { $0.terms.map(\.path) } == [[["plate"], ["doors"]]])
    #expect(translation.report.changed.isEmpty && translation.report.dropped.isEmpty)
  }

  @Test
  func `a derived attribute may be over an inherited relationship and attribute`() throws {
    var (fleet, depot) = (SourceEntity(name: "Fleet"), SourceEntity(name: "Depot", parent: "Fleet"))
    fleet.relationships = [.many("cars", "Car", inverse: "fleet")]
    var sum = SourceAttribute.optional("weight", .double)
    sum.derivation = "cars.mass.@sum"
    depot.attributes = [sum]
    var entities = vehicles()
    entities[2].attributes.append(.optional("mass", .double))
    entities[0].relationships = [.one("fleet", "Fleet", inverse: "cars")]
    let translation = try translate(entities + [fleet, depot])
    let attribute = try #require(translation.entity("Depot")?.attributes.first)
    #expect(attribute.declaration.derivation == .sum(relationship: "cars", attribute: "mass"))
  }

  @Test
  func `names that a child would share with an ancestor after their change get another underscore`() throws {
    var entities = vehicles()
    entities[2].attributes.append(.optional("id", .string))
    entities[0].attributes.append(.optional("id_", .string))
    entities[1].attributes.append(.optional("doors", .string))
    let translation = try translate(entities)
    #expect(translation.model.entities[2].attributes.map(\.name) == ["plate", "id_"])
    #expect(translation.model.entities[0].attributes.map(\.name) == ["doors", "id__"])
    // Siblings may have equal names.
    #expect(translation.model.entities[1].attributes.map(\.name) == ["load", "doors"])
  }

  @Test
  func `the ancestors of an only entity are imported with it`() throws {
    var options = TranslationOptions()
    options.only = ["Car"]
    let translation = try translate(vehicles(), options: options)
    #expect(translation.model.entities.map(\.name) == ["Car", "Vehicle"])
    #expect(translation.report.dropped.map(\.what) == ["Truck"])
  }
}

#endif
