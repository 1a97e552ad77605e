import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookEngine

/// Random commits on objects of a hierarchy: live results, the past and rebuilt rows agree with fresh fetches.
@Suite(.hangLimit) struct HierarchyRandomTests {
  private static func requests() throws -> [Request<StoredObject>] {
    [
      try Garage.request("Vehicle", sort: "wheels", "name"),
      try Garage.request("Vehicle", sort: "name", section: "entity"),
      try Garage.request("Vehicle", #"owner.name == "p1""#),
      try Garage.request("Vehicle", "ANY parts.weight > 5", sort: "weight:desc"),
      try Garage.request("Vehicle", #"entity IN {"Car", "Truck"}"#, sort: "name"),
      try Garage.request("Car", sort: "doors", "name"),
      try Garage.request("Car", sort: "owner.name"),
      try Garage.request("Car", sort: "heaviest"),
      try Garage.request("Car", sort: "wheels", "name", isExact: true),
      try Garage.request("Taxi", "wheels >= 4", sort: "wheels", "name"),
      try Garage.request("Truck", "load > 2", sort: "wheels", "name"),
      try Garage.request("Person", #"favourite.name > "b""#, sort: "favourite.name"),
      try Garage.request("Person", #"COUNT(vehicles WHERE entity == "Taxi") >= 1"#, sort: "name"),
      try Garage.request("Part", "vehicle.wheels > 4", sort: "vehicle.name", "name", section: "vehicle.entity"),
    ]
  }

  @Test func everyViewAgrees() throws {
    try Seeds.run(6) { seed in
      var random = SeededRandom(seed: seed)
      try withTemporaryStore(Garage.model) { store in
        var life = GarageLife()
        var followed: [(live: LiveResults<StoredObject>, request: Request<StoredObject>)] = []
        for request in try Self.requests() { followed.append((try store.liveResults(of: request), request)) }
        var kept: [(position: Position, results: [Results<StoredObject>])] = []
        for step in 0..<60 {
          try life.commit(to: store, &random)
          var results: [Results<StoredObject>] = []
          for (live, request) in followed {
            let (from, shown, old) = (live.position, try live.ids, try live.fetched())
            let difference = try live.update()?.difference ?? Difference(sections: [], rows: [])
            let fresh = try store.fetch(request)
            #expect(try live.fetched().sections == fresh.sections, "\(request) at step \(step), seed \(seed)")
            #expect(try shown.applying(difference) == live.ids, "\(request) at step \(step), seed \(seed)")
            let direct = try store.difference(of: request, from: from, to: store.position)
            #expect(direct.difference == difference, "\(request) at step \(step), seed \(seed)")
            // Each row whose object differs is in the difference, a field of its own entity included.
            let before = Dictionary(uniqueKeysWithValues: old.rows.map { ($0.id, $0) })
            let touched = Set(difference.rows.map(\.id))
            for row in fresh.rows where before[row.id].map({ $0.values != row.values }) ?? true {
              #expect(touched.contains(row.id), "\(row.id) of \(request) at step \(step), seed \(seed)")
            }
            results.append(fresh)
          }
          kept.append((try store.position, results))
        }
        #expect(try store.rebuiltRows() == store.projectionRows(), "seed \(seed)")
        for (position, results) in kept where random.isTrue(percent: 30) {
          for (request, result) in zip(followed.map(\.request), results) {
            #expect(try store.at(position).fetch(request) == result, "\(request) at \(position), seed \(seed)")
          }
        }
        let groups = try Garage.request("Vehicle").grouped(by: ["owner.name"], showing: ["count, sum:wheels, max:name"])
        let counted = try Garage.request("Vehicle", "wheels > 0").grouped(
          by: ["owner.name"], showing: ["count, sum:wheels, max:name"])
        #expect(try store.fetch(groups).rows.map(\.values) == store.fetch(counted).rows.map(\.values), "seed \(seed)")
      }
    }
  }
}

/// Objects of the garage, and random changes of them.
private struct GarageLife {
  private var vehicles: [(id: ObjectID, entity: String)] = []
  private var persons: [ObjectID] = []
  private var parts: [ObjectID] = []
  private var count = 0

  mutating func commit(to store: Store, _ random: inout SeededRandom) throws {
    // What a commit that is refused did is not noted.
    var next = self
    do {
      try store.write { tx in
        next = self
        for _ in 0..<(1 + random.number(0..<3)) { try next.change(tx, &random) }
      }
      self = next
    } catch let error as StoreError where error.code == .constraint {
      return
    }
  }

  private mutating func name() -> Value {
    count += 1
    return .string("\(["a", "b", "c", "d"][count % 4])\(count)")
  }

  private mutating func change(_ tx: borrowing Transaction, _ random: inout SeededRandom) throws {
    switch random.number(0..<11) {
    case 0, 1, 2:
      let entity = random.pick(["Car", "Taxi", "Truck"])
      vehicles.append(
        (try tx.insert(entity, ["name": name(), "wheels": .integer(Int64(2 + random.number(0..<5)))]), entity))
    case 3: persons.append(try tx.insert("Person", ["name": .string("p\(random.number(0..<3))")]))
    case 4 where !vehicles.isEmpty:
      let part = try tx.insert("Part", ["name": name(), "weight": .integer(Int64(random.number(0..<10)))])
      try tx.relate(part, "vehicle", to: random.pick(vehicles).id)
      parts.append(part)
    case 5 where !parts.isEmpty: try tx.set(random.pick(parts), ["weight": .integer(Int64(random.number(0..<10)))])
    case 6 where !vehicles.isEmpty && !persons.isEmpty:
      try tx.relate(random.pick(vehicles).id, "owner", to: random.pick(persons))
    case 7 where !persons.isEmpty:
      let cars = vehicles.filter { $0.entity != "Truck" }
      if !cars.isEmpty { try tx.relate(random.pick(persons), "favourite", to: random.pick(cars).id) }
    case 8 where !vehicles.isEmpty:
      let vehicle = random.pick(vehicles)
      try tx.set(vehicle.id, ["wheels": .integer(Int64(2 + random.number(0..<5))), "name": name()])
      if vehicle.entity == "Truck" {
        try tx.set(vehicle.id, ["load": .double(Double(random.number(0..<5)))])
      } else {
        try tx.set(vehicle.id, ["doors": .integer(Int64(random.number(0..<6)))])
      }
    case 9 where !vehicles.isEmpty:
      let place = random.number(0..<vehicles.count)
      let gone = vehicles.remove(at: place).id
      let held = try tx.targets(of: gone, "parts")
      parts.removeAll { held.contains($0) }
      try tx.delete(gone)
    case 10 where !persons.isEmpty: try tx.set(random.pick(persons), ["name": .string("p\(random.number(0..<3))")])
    default: return
    }
  }
}
