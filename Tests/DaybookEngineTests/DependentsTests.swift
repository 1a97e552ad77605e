import DaybookModel
import DaybookQuery
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// The changes that lead to the rows of a request, and to the rows and values that a fold keeps.
@Suite(.hangLimit) struct DependentsTests {
  /// Streets, houses, persons and their letters, linked in all ways, with derived values and indexes over them.
  private static let model = Model(entities: [
    Entity(
      name: "Street",
      attributes: [
        Attribute(name: "name", type: .string, isOptional: true),
        Attribute(name: "highest", type: nil, derivation: .maximum(relationship: "houses", attribute: "number")),
      ],
      relationships: [Relationship(name: "houses", target: "House", inverse: "street", isMany: true)]),
    Entity(
      name: "House",
      attributes: [
        Attribute(name: "number", type: .integer, isOptional: true),
        Attribute(name: "size", type: nil, derivation: .count(relationship: "persons")),
      ],
      relationships: [
        Relationship(name: "street", target: "Street", inverse: "houses", isOptional: true),
        Relationship(name: "persons", target: "Person", inverse: "house", isMany: true),
      ],
      indexes: [Index([SortTerm(path: ["size"]), SortTerm(path: ["street", "highest"])])]),
    Entity(
      name: "Person",
      attributes: [Attribute(name: "name", type: .string, isOptional: true)],
      relationships: [
        Relationship(name: "house", target: "House", inverse: "persons", isOptional: true),
        Relationship(name: "friends", target: "Person", inverse: "friendsOf", isMany: true),
        Relationship(name: "friendsOf", target: "Person", inverse: "friends", isMany: true),
      ],
      indexes: [
        Index([SortTerm(path: ["house", "street", "name"]), SortTerm(path: ["house", "changedAt"])]),
        Index([SortTerm(path: ["house", "number"]), SortTerm(path: ["house", "street"])]),
      ]),
  ])

  private let bench: EngineBench

  init() throws {
    bench = try EngineBench(Self.model)
  }

  private func reference(_ entity: String, _ name: String) throws -> RelationshipReference {
    try bench.model.requireRelationship(name, of: bench.model.requireEntity(entity))
  }

  private func request(showing paths: [[String]], of entity: String = "Person") throws -> ResolvedRequest {
    try ResolvedRequest(FetchRequest(entity: entity, shows: paths), in: bench.model)
  }

  @Test func aPathDependsOnEachOfItsLinksAndOnItsField() throws {
    let (house, persons) = try (reference("Person", "house"), reference("House", "persons"))
    let (street, houses) = try (reference("House", "street"), reference("Street", "houses"))
    let dependencies = try Dependency.recorded(of: request(showing: [["house", "street", "name"]]), in: bench.model)
    #expect(
      dependencies == [
        Dependency(.existence(entity: house.entity)), Dependency(.link(house)),
        Dependency(.link(street), inversePath: [persons]),
        Dependency(.attribute(entity: houses.entity, number: 0), inversePath: [houses, persons]),
      ])
  }

  @Test func aDerivedValueDependsOnItsLinksAndOnTheirTargets() throws {
    let (houses, street) = try (reference("Street", "houses"), reference("House", "street"))
    let dependencies = try Dependency.recorded(of: request(showing: [["highest"]], of: "Street"), in: bench.model)
    #expect(
      dependencies == [
        Dependency(.existence(entity: houses.entity)), Dependency(.link(houses)),
        Dependency(.attribute(entity: street.entity, number: 0), inversePath: [street]),
      ])
  }

  @Test func anIndexRowDependsOnEachLinkAndFieldOfItsTermsOnce() throws {
    let dependents = Dependents(bench.model)
    let (house, persons) = try (reference("Person", "house"), reference("House", "persons"))
    let (street, houses) = try (reference("House", "street"), reference("Street", "houses"))
    func rows(_ index: Int, _ inversePath: RelationshipReference...) -> Dependents.IndexRows {
      Dependents.IndexRows(entity: house.entity, index: index, inversePath: inversePath)
    }
    #expect(dependents.entities[house.entity].targets[house.relationship] == [rows(1), rows(2)])
    #expect(dependents.entities[street.entity].changedAt == [rows(1, persons)])
    #expect(dependents.entities[houses.entity].attributes[0] == [rows(1, houses, persons)])
    let own = Dependents.IndexRows(entity: street.entity, index: 1, inversePath: [])
    #expect(
      Set(dependents.entities[street.entity].targets[street.relationship]) == [own, rows(1, persons), rows(2, persons)])
  }

  @Test func aDerivedValueInAnIndexIsOneTrigger() throws {
    let dependents = Dependents(bench.model)
    let (houses, street) = try (reference("Street", "houses"), reference("House", "street"))
    let highest = try #require(bench.model.entities[houses.entity].attribute(named: "highest"))
    #expect(
      dependents.entities[houses.entity].attributes[highest] == [
        Dependents.IndexRows(entity: street.entity, index: 1, inversePath: [houses])
      ])
    #expect(dependents.entities[houses.entity].derivedOverLinks[houses.relationship] == [highest])
    #expect(
      dependents.entities[street.entity].derivedFromAttributes[0] == [
        Dependents.DerivedValues(inverse: street, entity: houses.entity, attribute: highest)
      ])
  }

  @Test func aChangeLeadsToTheRowsWhosePathsPassIt() throws {
    try Seeds.run(10) { seed in
      var random = SeededRandom(seed: seed)
      try fill(&random)
      let paths: [[String]] = [
        ["name"], ["house"], ["house", "number"], ["house", "size"], ["house", "street", "name"],
        ["house", "street", "highest"], ["house", "street", "houses", "changedAt"], ["friends"], ["friends", "name"],
        ["friends", "house", "street"], ["friendsOf", "friends", "house", "size"],
      ]
      for names in paths {
        let request = try request(showing: [names])
        try bench.read { present, _ in
          let walk = PlainWalk(reader: present.reader, path: request.shown[0])
          var wanted: [ObjectChange: Set<ObjectID>] = [:]
          try present.reader.forEachObject(of: request.entity) { id, _ in
            for change in try walk.changes(of: id) { wanted[change, default: []].insert(id) }
            return true
          }
          for (change, rows) in wanted {
            var collector = CandidateCollector(RequestDependents(request, in: bench.model), reader: present.reader)
            try collector.take(change, of: nil)
            #expect(Set(collector.candidates.keys) == rows, "\(names) \(change), seed \(seed)")
          }
        }
      }
    }
  }

  /// Writes a commit with a few objects of each entity and random links between them.
  private func fill(_ random: inout SeededRandom) throws {
    try bench.commit { builder in
      func insert(_ entity: String, _ count: Int) throws -> [ObjectID] {
        let ids = (0..<count).map { _ in bench.makeID() }
        for id in ids { try builder.carryOut(.insert(entity: entity, values: [], id: id)) }
        return ids
      }
      let (streets, houses, persons) = try (insert("Street", 2), insert("House", 4), insert("Person", 6))
      func relate(_ source: ObjectID, _ name: String, to target: ObjectID) throws {
        try builder.carryOut(.relate(source, relationship: name, to: target, at: .unspecified))
      }
      for house in houses where random.isTrue(percent: 80) { try relate(house, "street", to: random.pick(streets)) }
      for person in persons {
        if random.isTrue(percent: 80) { try relate(person, "house", to: random.pick(houses)) }
        for friend in persons where random.isTrue(percent: 30) { try relate(person, "friends", to: friend) }
      }
    }
  }
}

/// A walk from a row along a path, which notes each change that would matter to the row.
private struct PlainWalk {
  let reader: Reader
  let path: ResolvedPath

  func changes(of id: ObjectID) throws -> Set<ObjectChange> {
    var changes: Set<ObjectChange> = [ObjectChange(trigger: .existence(entity: path.start), object: id)]
    var ids = [id]
    for step in path.steps {
      for id in ids { changes.insert(ObjectChange(trigger: .link(step.relationship), object: id)) }
      ids = try ids.flatMap { try reader.targets(of: step.relationship, from: $0) }
    }
    for id in ids { try note(path.field, of: path.end, id, &changes) }
    return changes
  }

  private func note(_ field: ResolvedPath.Field, of entity: Int, _ id: ObjectID, _ changes: inout Set<ObjectChange>)
    throws
  {
    switch field {
    case .id, .createdAt, .entity: break
    case .changedAt: changes.insert(ObjectChange(trigger: .subject(entity: entity), object: id))
    case .target(let number), .place(let number, _):
      let reference = RelationshipReference(entity: entity, relationship: number)
      changes.insert(ObjectChange(trigger: .link(reference), object: id))
    case .attribute(let number):
      guard let derivation = reader.model.entities[entity].attributes[number].derivation else {
        changes.insert(ObjectChange(trigger: .attribute(entity: entity, number: number), object: id))
        return
      }
      let reference = RelationshipReference(entity: entity, relationship: derivation.relationship)
      changes.insert(ObjectChange(trigger: .link(reference), object: id))
      guard let source = derivation.attribute else { return }
      for target in try reader.targets(of: reference, from: id) {
        try note(.attribute(source), of: reader.model[reference].target, target, &changes)
      }
    }
  }
}
