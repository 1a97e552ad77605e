import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// Layers over the tables.
@Suite(.hangLimit) struct LayerTests {
  @Test func aLayerUnderItsInverseHidesNothing() throws {
    let bench = try EngineBench(Garden.model)
    let (bed, _) = try Garden.plantRose(bench)
    let before = try bench.dump()
    try bench.commit(.delete([bed]), .insert(entity: "Bed", values: [("name", "Roses")], id: bench.makeID()))
    try bench.read { present, journal in
      let past = try present.rewound(to: 2, in: journal)
      let layer = try #require(past.reader.layers.last)
      let inverse = try present.reader.inverse(of: layer)
      let both = past.reader.adding(inverse)
      #expect(try TableDump(both).firstDifference(from: TableDump(present.reader)) == nil)
      // One layer that absorbs the other has the same content as both.
      let merged = Layer()
      merged.absorb(layer)
      #expect(try TableDump(present.reader.adding(merged)).firstDifference(from: before) == nil)
      merged.absorb(inverse)
      #expect(try TableDump(present.reader.adding(merged)).firstDifference(from: TableDump(present.reader)) == nil)
    }
  }
}
