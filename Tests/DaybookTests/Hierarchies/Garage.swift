import DaybookModel

@testable import Daybook

/// A model with a hierarchy of three levels, and objects of it.
enum Garage {
  static let model = Model(
    entities: [
      Entity(
        name: "Vehicle", isAbstract: true, nameAttribute: "name",
        attributes: [
          Attribute(name: "name", type: .string),
          Attribute(name: "wheels", type: .integer, defaultValue: 4, rules: [.minimum(1)]),
          Attribute(name: "note", type: .string, isOptional: true),
          Attribute(name: "partCount", type: nil, derivation: .count(relationship: "parts")),
          Attribute(name: "weight", type: nil, derivation: .sum(relationship: "parts", attribute: "weight")),
        ],
        relationships: [
          Relationship(name: "owner", target: "Person", inverse: "vehicles", isOptional: true),
          Relationship(name: "parts", target: "Part", inverse: "vehicle", isMany: true, deleteRule: .cascade),
          Relationship(name: "tags", target: "Tag", inverse: "vehicles", isMany: true, isOrdered: true),
        ],
        unique: [["name"]], indexes: [Index([.init(path: ["wheels"]), .init(path: ["name"])])],
        groups: [GroupDeclaration("byOwner", by: ["owner.name"], show: ["count", "sum:wheels", "max:name"])],
        rules: ["wheels <= 18"]),
      Entity(
        name: "Car", parent: "Vehicle",
        attributes: [
          Attribute(name: "doors", type: .integer, isOptional: true),
          Attribute(name: "heaviest", type: nil, derivation: .maximum(relationship: "parts", attribute: "weight")),
        ],
        relationships: [Relationship(name: "fans", target: "Person", inverse: "favourite", isMany: true)],
        indexes: [
          Index([.init(path: ["doors"]), .init(path: ["name"])]), Index([.init(path: ["owner", "name"])]),
          Index([.init(path: ["heaviest"])]),
        ], rules: ["doors == nil OR doors < 40"]),
      Entity(
        name: "Taxi", parent: "Car", attributes: [Attribute(name: "licence", type: .string, isOptional: true)],
        unique: [["licence"]]),
      Entity(
        name: "Truck", parent: "Vehicle", attributes: [Attribute(name: "load", type: .double, defaultValue: .double(1))]
      ),
      Entity(
        name: "Person", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(name: "vehicles", target: "Vehicle", inverse: "owner", isMany: true),
          Relationship(name: "favourite", target: "Car", inverse: "fans", isOptional: true),
        ], indexes: [Index([.init(path: ["favourite", "name"])])]),
      Entity(
        name: "Part",
        attributes: [
          Attribute(name: "name", type: .string), Attribute(name: "weight", type: .integer, defaultValue: 1),
        ],
        relationships: [Relationship(name: "vehicle", target: "Vehicle", inverse: "parts")],
        indexes: [Index([.init(path: ["vehicle", "name"]), .init(path: ["name"])])]),
      Entity(
        name: "Tag", attributes: [Attribute(name: "name", type: .string)],
        relationships: [Relationship(name: "vehicles", target: "Vehicle", inverse: "tags", isMany: true)]),
    ], events: [EventType(name: "Serviced", about: "Vehicle", attributes: [Attribute(name: "place", type: .string)])])

  /// The identities of a few objects.
  struct Objects {
    let car, taxi, truck, owner, part: ObjectID
  }

  /// Inserts an object of each entity, all with one owner.
  static func fill(_ store: Store) throws -> Objects {
    try store.write { tx in
      let owner = try tx.insert("Person", ["name": "Ada"])
      let car = try tx.insert("Car", ["name": "Beetle", "doors": 2])
      let taxi = try tx.insert("Taxi", ["name": "Cab", "doors": 4, "licence": "x1"])
      let truck = try tx.insert("Truck", ["name": "Actros", "wheels": 10])
      for vehicle in [car, taxi, truck] { try tx.relate(vehicle, "owner", to: owner) }
      let part = try tx.insert("Part", ["name": "engine", "weight": 90])
      try tx.relate(part, "vehicle", to: taxi)
      return Objects(car: car, taxi: taxi, truck: truck, owner: owner, part: part)
    }
  }

  static func request(
    _ entity: String, _ filter: String? = nil, sort: String..., section: String? = nil, isExact: Bool = false
  ) throws -> Request<StoredObject> {
    var request = Request(
      entity: entity, filter: try filter.map { try Filter(parsing: $0) },
      sort: try sort.map { try SortTerm(parsing: $0) }, section: try section.map { try SectionKey(parsing: $0) })
    request.isExact = isExact
    return request
  }

  /// Returns the names of the objects of a request, in its order.
  static func names(_ store: Store, _ request: Request<StoredObject>) throws -> [String] {
    try store.fetch(request).rows.map { $0["name"].text }
  }
}
