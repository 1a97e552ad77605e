import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// What verbs write, and what they refuse.
@Suite(.hangLimit) struct CommitBuilderTests {
  @Test func aVerbThatChangesNothingWritesNoEvent() throws {
    let bench = try EngineBench(Garden.model)
    let (bed, plant) = (bench.makeID(), bench.makeID())
    try bench.commit(
      .insert(entity: "Bed", values: [("name", "Roses")], id: bed),
      .insert(entity: "Plant", values: [("name", "Rose"), ("height", 3)], id: plant),
      .relate(plant, relationship: "bed", to: bed, at: .unspecified))
    try bench.commit { builder in
      try builder.carryOut(.rename(bed, to: "Roses"))
      try builder.carryOut(.set(plant, values: [("height", 3)]))
      try builder.carryOut(.relate(plant, relationship: "bed", to: bed, at: .unspecified))
      #expect(builder.writer.count == 0)
      try builder.carryOut(.set(plant, values: [("height", 4)]))
      #expect(builder.writer.count == 1)
    }
  }

  @Test func onlyVerbsThatWroteEventsAreRecorded() throws {
    let bench = try EngineBench(Garden.model)
    let bed = bench.makeID()
    try bench.commit { builder in
      builder.recordedVerbs = []
      try builder.carryOut(.insert(entity: "Bed", values: [("name", "Roses")], id: bed))
      try builder.carryOut(.rename(bed, to: "Roses"))
      try builder.carryOut(.rename(bed, to: "Tulips"))
      #expect(builder.recordedVerbs?.map(\.end) == [1, 2])
    }
  }

  @Test func aDeleteWritesItsConsequencesFirst() throws {
    let bench = try EngineBench(Garden.model)
    let (bed, plant) = try Garden.plantRose(bench)
    try bench.commit(.delete([bed]))
    try bench.read { present, journal in
      let deleted = try journal.withCommit(at: present.position) { commit in
        var ids: [ObjectID] = []
        var events = commit.events
        try events.forEachReversed { if $0.kind == .deleted { ids.append($0.object) } }
        return Array(ids.reversed())
      }
      #expect(deleted == [plant, bed])
      #expect(try present.reader.find(plant) == nil && present.reader.find(bed) == nil)
      #expect(try TableDump(present.reader)[.indexes].isEmpty)
    }
  }

  @Test func aTakenNameIsRefusedAndLeavesTheTablesAsTheyWere() throws {
    let bench = try EngineBench(Garden.model)
    try bench.commit(.insert(entity: "Bed", values: [("name", "Roses")], id: bench.makeID()))
    let before = try bench.dump()
    let error = #expect(throws: StoreError.self) {
      try bench.commit(.insert(entity: "Bed", values: [("name", "Roses")], id: bench.makeID()))
    }
    #expect(error?.code == .constraint)
    #expect(try bench.dump().firstDifference(from: before) == nil)
  }

  @Test func aRefusedVerbMayBeCaughtAndAnInterruptedOneFailsTheCommit() throws {
    struct Interruption: Error {}
    let bench = try EngineBench(Garden.model)
    let bed = bench.makeID()
    try bench.commit { builder in
      #expect(throws: StoreError.self) { try builder.carryOut(.delete([bed])) }
      try builder.carryOut(.insert(entity: "Bed", values: [("name", "Roses")], id: bed))
    }
    let before = try bench.dump()
    func interrupt(_ builder: CommitBuilder) throws {
      try builder.perform {
        try builder.rename(bed, to: "Tulips")
        throw Interruption()
      }
    }
    #expect(throws: Interruption.self) {
      try bench.commit { builder in
        do { try interrupt(builder) } catch is Interruption {}
        try builder.carryOut(.rename(bed, to: "Asters"))
      }
    }
    #expect(try bench.dump().firstDifference(from: before) == nil)
  }
}
