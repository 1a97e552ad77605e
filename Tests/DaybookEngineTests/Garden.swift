import DaybookModel
import DaybookTestSupport

@testable import DaybookEngine

/// A model with each kind of projection: an index along a link, a constraint, a count and an ordered list.
enum Garden {
  static let model = Model(entities: [
    Entity(
      name: "Bed", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string),
        Attribute(name: "size", type: nil, derivation: .count(relationship: "plants")),
      ],
      relationships: [
        Relationship(
          name: "plants", target: "Plant", inverse: "bed", isMany: true, isOrdered: true, deleteRule: .cascade)
      ],
      unique: [["name"]]),
    Entity(
      name: "Plant", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "height", type: .integer, isOptional: true),
      ],
      relationships: [Relationship(name: "bed", target: "Bed", inverse: "plants", isOptional: true)],
      indexes: [Index([SortTerm(path: ["bed", "name"]), SortTerm(path: ["height"], .descending)])]),
  ])

  /// Writes a commit with the plant Rose in the bed Roses.
  static func plantRose(_ bench: EngineBench) throws -> (bed: ObjectID, plant: ObjectID) {
    let (bed, plant) = (bench.makeID(), bench.makeID())
    try bench.commit(
      .insert(entity: "Bed", values: [("name", "Roses")], id: bed),
      .insert(entity: "Plant", values: [("name", "Rose")], id: plant),
      .relate(plant, relationship: "bed", to: bed, at: .unspecified))
    return (bed, plant)
  }

  /// Writes a random commit, which changes something or is refused.
  ///
  /// - Parameter objects: The objects that exist, by entity.
  static func change(
    _ bench: EngineBench, _ random: inout SeededRandom, _ objects: inout [(id: ObjectID, entity: String)]
  ) throws {
    var verbs: [Verb] = []
    var new = objects
    for _ in 0..<random.number(1...3) {
      let beds = new.filter { $0.entity == "Bed" }.map(\.id)
      let plants = new.filter { $0.entity == "Plant" }.map(\.id)
      switch random.number(0...9) {
      case 0...2:
        let entity = random.pick(["Bed", "Plant", "Plant"])
        let id = bench.makeID()
        verbs.append(.insert(entity: entity, values: [("name", .string("\(random.number(0...20))"))], id: id))
        new.append((id, entity))
      case 3 where !new.isEmpty: verbs.append(.rename(random.pick(new).id, to: "\(random.number(0...20))"))
      case 4 where !plants.isEmpty:
        let height: Value = random.isTrue(percent: 20) ? .null : .integer(Int64(random.number(0...5)))
        verbs.append(.set(random.pick(plants), values: [("height", height)]))
      case 5...7 where !plants.isEmpty && !beds.isEmpty:
        let place: Place = random.isTrue(percent: 50) ? .last : .unspecified
        verbs.append(.relate(random.pick(beds), relationship: "plants", to: random.pick(plants), at: place))
      case 8 where !plants.isEmpty && !beds.isEmpty:
        verbs.append(.unrelate(random.pick(beds), relationship: "plants", from: random.pick(plants)))
      case 9 where new.count > 3: verbs.append(.delete([random.pick(new).id]))
      default: break
      }
    }
    do {
      try bench.commit { builder in for verb in verbs { try builder.carryOut(verb) } }
    } catch is StoreError {
      // A name is taken, or an earlier verb deleted the object.
      return
    }
    objects = try bench.read { present, _ in try new.filter { try present.reader.find($0.id) != nil } }
  }
}
