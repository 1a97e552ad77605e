import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// The executor of verbs that are given as data.
@Suite(.hangLimit) struct VerbTests {
  /// Returns the kinds of the events that one verb writes after others.
  private func kinds(of verb: Verb, after preceding: [Verb]) throws -> [EventKind] {
    let bench = try EngineBench(Garden.model)
    try bench.commit { builder in for verb in preceding { try builder.carryOut(verb) } }
    try bench.commit(verb)
    return try bench.read { present, journal in
      try journal.withCommit(at: present.position) { commit in
        var kinds: [EventKind] = []
        var events = commit.events
        while !events.isAtEnd { kinds.append(try events.next().kind) }
        return kinds
      }
    }
  }

  @Test func eachVerbWritesItsEvents() throws {
    let (bed, plant) = (ObjectID(high: 7, low: 1), ObjectID(high: 7, low: 2))
    let insertBed = Verb.insert(entity: "Bed", values: [("name", "Roses")], id: bed)
    let insertPlant = Verb.insert(entity: "Plant", values: [("name", "Rose"), ("height", 3)], id: plant)
    let relate = Verb.relate(plant, relationship: "bed", to: bed, at: .unspecified)
    #expect(try kinds(of: insertBed, after: []) == [.inserted])
    #expect(try kinds(of: .rename(bed, to: "Tulips"), after: [insertBed]) == [.renamed])
    #expect(
      try kinds(of: .set(plant, values: [("height", 4), ("name", "Tulip")]), after: [insertPlant]) == [.renamed, .set])
    #expect(try kinds(of: relate, after: [insertBed, insertPlant]) == [.related])
    #expect(
      try kinds(of: .unrelate(bed, relationship: "plants", from: plant), after: [insertBed, insertPlant, relate])
        == [.unrelated])
    #expect(
      try kinds(of: .delete([bed]), after: [insertBed, insertPlant, relate]) == [.unrelated, .deleted, .deleted])
  }

  @Test func aRefusedVerbLeavesNothing() throws {
    let bench = try EngineBench(Garden.model)
    let (bed, plant) = try Garden.plantRose(bench)
    let missing = bench.makeID()
    let refused: [(verb: Verb, code: StoreError.Code)] = [
      (.insert(entity: "Tree", values: [], id: nil), .notFound),
      (.insert(entity: "Bed", values: [("colour", "red")], id: nil), .notFound),
      (.insert(entity: "Bed", values: [("name", 7)], id: nil), .badValue),
      (.insert(entity: "Bed", values: [("name", "Tulips")], id: bed), .exists),
      (.rename(missing, to: "Tulips"), .notFound),
      (.set(missing, values: [("height", 1)]), .notFound),
      (.set(plant, values: [("height", 1), ("colour", "red")]), .notFound),
      (.set(plant, values: [("height", 1), ("height", 2)]), .badValue),
      (.set(plant, values: [("name", "Tulip"), ("height", "tall")]), .badValue),
      (.relate(plant, relationship: "bed", to: missing, at: .unspecified), .notFound),
      (.relate(plant, relationship: "bed", to: plant, at: .unspecified), .badValue),
      (.relate(plant, relationship: "bed", to: bed, at: .last), .badValue),
      (.relate(bed, relationship: "plants", to: plant, at: .before(missing)), .notFound),
      (.unrelate(plant, relationship: "soil", from: bed), .notFound),
      (.delete([plant, missing]), .notFound),
    ]
    let before = try bench.dump()
    try bench.commit { builder in
      builder.recordedVerbs = []
      for (verb, code) in refused {
        let error = #expect(throws: StoreError.self, "\(verb)") { try builder.carryOut(verb) }
        #expect(error?.code == code, "\(verb)")
        #expect(builder.writer.count == 0, "\(verb)")
      }
      #expect(builder.recordedVerbs?.isEmpty ?? false)
    }
    #expect(try bench.dump().firstDifference(from: before) == nil)
  }

  @Test func anInsertReturnsAndRecordsTheNewIdentity() throws {
    let bench = try EngineBench(Garden.model)
    try bench.commit { builder in
      builder.recordedVerbs = []
      let bed = try #require(try builder.carryOut(.insert(entity: "Bed", values: [("name", "Roses")], id: nil)))
      #expect(try builder.find(bed) != nil)
      guard case .insert(_, _, let id) = builder.recordedVerbs?.first?.verb else {
        Issue.record("The insert is not recorded.")
        return
      }
      #expect(id == bed)
      #expect(try builder.carryOut(.rename(bed, to: "Tulips")) == nil)
    }
  }

  @Test func recordedVerbsMakeTheSameRowsAgain() throws {
    let (bench, other) = (try EngineBench(Garden.model), try EngineBench(Garden.model))
    var commits: [[Verb]] = []
    func commit(_ body: (CommitBuilder) throws -> Void) throws {
      try bench.commit { builder in
        builder.recordedVerbs = []
        try body(builder)
        commits.append(builder.recordedVerbs?.map(\.verb) ?? [])
      }
    }
    var beds: [ObjectID] = []
    var plants: [ObjectID] = []
    try commit { builder in
      for name in ["Roses", "Tulips"] { beds.append(try builder.insert("Bed", ["name": .string(name)], id: nil)) }
      for name in ["a", "b", "c"] {
        plants.append(try builder.insert("Plant", [("name", .string(name))], id: nil))
        try builder.relate(beds[0], "plants", to: plants.last!, at: .last)
      }
    }
    try commit { builder in
      try builder.relate(beds[0], "plants", to: plants[2], at: .before(plants[0]))
      try builder.set(plants[1], ["height": 5])
      try builder.rename(plants[0], to: "d")
      try builder.rename(plants[0], to: "d")
      try builder.unrelate(plants[1], "bed", from: beds[0])
    }
    try commit { builder in try builder.delete([beds[0], plants[1]]) }
    #expect(commits.map(\.count) == [8, 4, 1])
    for verbs in commits { try other.commit { builder in for verb in verbs { try builder.carryOut(verb) } } }
    #expect(try other.dump().firstDifference(from: bench.dump()) == nil)
    #expect(try bench.read { present, _ in try present.reader.find(beds[1]) } != nil)
  }
}
