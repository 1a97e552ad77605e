import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// The fold in both directions, and the state at another position, compared with the rows that the tables had there.
@Suite(.hangLimit) struct PastTests {
  /// Writes random commits and returns the rows after each; the rows at position 1 come first.
  private func history(_ bench: EngineBench, _ random: inout SeededRandom, commits: Int) throws -> [TableDump] {
    var objects: [(id: ObjectID, entity: String)] = []
    var dumps = [try bench.dump()]
    while dumps.count < commits {
      try Garden.change(bench, &random, &objects)
      if Int(bench.head.number) > dumps.count { dumps.append(try bench.dump()) }
    }
    return dumps
  }

  private func compare(_ reader: Reader, with dump: TableDump, _ what: String) throws {
    if let difference = try TableDump(reader).firstDifference(from: dump) { throw Mismatch("\(what): \(difference)") }
  }

  @Test func aRewoundStateHasTheRowsOfItsPosition() throws {
    try Seeds.run(5) { seed in
      var random = SeededRandom(seed: seed)
      let bench = try EngineBench(Garden.model)
      let dumps = try history(bench, &random, commits: 40)
      try bench.read { present, journal in
        for position in stride(from: dumps.count, through: 1, by: -1) {
          let past = try present.rewound(to: Position(UInt64(position)), in: journal)
          try compare(past.reader, with: dumps[position - 1], "back at \(position)")
          let again = try past.moved(to: present.position, in: journal)
          try compare(again.reader, with: dumps[dumps.count - 1], "forward from \(position)")
        }
      }
    }
  }

  @Test func aStateThatIsMovedHasTheRowsOfItsPosition() throws {
    try Seeds.run(5) { seed in
      var random = SeededRandom(seed: seed)
      let bench = try EngineBench(Garden.model)
      let dumps = try history(bench, &random, commits: 30)
      try bench.read { present, journal in
        var past = try RewoundState(
          20, before: present, in: journal, parts: .all, keeping: .all, limitInBytes: .max)
        for _ in 0..<30 {
          let target = random.number(1...dumps.count)
          try past.move(
            to: Position(UInt64(target)), before: present, lastModel: 1, in: journal, limitInBytes: .max
          ) { _, new in try compare(new, with: dumps[target - 1], "moved to \(target)") }
          try compare(past.reader(over: present.reader), with: dumps[target - 1], "kept at \(target)")
        }
      }
    }
  }

  @Test func aKeptStateStaysAsItIsWhileTheHeadMoves() throws {
    let bench = try EngineBench(Garden.model)
    let bed = bench.makeID()
    try bench.commit(.insert(entity: "Bed", values: [("name", "Roses")], id: bed))
    let before = try bench.dump()
    var past = try bench.read { present, journal in
      try RewoundState(2, before: present, in: journal, parts: .all, keeping: .all, limitInBytes: .max)
    }
    try bench.commit(.rename(bed, to: "Tulips"))
    try bench.commit(.delete([bed]))
    try bench.read { present, journal in
      try past.follow(present, in: journal, limitInBytes: .max)
      try compare(past.reader(over: present.reader), with: before, "after the delete")
    }
  }

  @Test func aSpanIsFoldedBackOnceForAllReaders() throws {
    let bench = try EngineBench(Garden.model)
    let bed = bench.makeID()
    try bench.commit(.insert(entity: "Bed", values: [("name", "Roses")], id: bed))
    try bench.commit(.rename(bed, to: "Tulips"))
    try bench.read { present, journal in
      let first = try present.rewound(to: 2, in: journal)
      #expect(try present.rewound(to: 2, in: journal).reader.layers[0] === first.reader.layers[0])
      // Another part of the projections, and another span, have layers of their own.
      #expect(try present.rewound(to: 2, in: journal, parts: []).reader.layers[0] !== first.reader.layers[0])
      #expect(try present.rewound(to: 1, in: journal).reader.layers[0] !== first.reader.layers[0])
    }
  }

  @Test func aSharedLayerStaysAsItIsWhileAStateOnItMoves() throws {
    let bench = try EngineBench(Garden.model)
    let bed = bench.makeID()
    try bench.commit(.insert(entity: "Bed", values: [("name", "Roses")], id: bed))
    let before = try bench.dump()
    try bench.commit(.rename(bed, to: "Tulips"))
    try bench.read { present, journal in
      let shared = try present.rewound(to: 2, in: journal)
      var moved = try RewoundState(
        2, before: present, in: journal, parts: .all, keeping: .all, limitInBytes: .max)
      try moved.move(to: 1, before: present, lastModel: 1, in: journal, limitInBytes: .max) { _, _ in }
      try compare(shared.reader, with: before, "the shared state")
      #expect(try moved.reader(over: present.reader).object(ObjectKey(entity: 0, id: bed)) == nil)
    }
  }

  @Test func aSpanThatOutgrowsTheLimitIsRefused() throws {
    let bench = try EngineBench(Garden.model)
    try bench.commit(.insert(entity: "Bed", values: [("name", "Roses")], id: bench.makeID()))
    try bench.commit(.insert(entity: "Bed", values: [("name", "Tulips")], id: bench.makeID()))
    #expect(throws: SpanTooLarge.self) {
      try bench.read { present, journal in _ = try present.rewound(to: 1, in: journal, limitInBytes: 1) }
    }
  }
}
