import DaybookModel
import DaybookTestSupport
import LMDB
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

  @Test func `a layer is filled by its own size, or by the pages that it would change`() throws {
    let directory = try TemporaryDirectory()
    let environment = try Environment.open(
      at: directory.path, options: EnvironmentOptions(maximumTables: 8, flush: .none))
    defer { environment.close() }
    var transaction = try environment.beginWrite()
    let tables = try #require(try BuiltInTables(TableName.allCases.map(\.name), in: &transaction, create: true))
    func layer(of count: Int, bytes: Int) -> Layer {
      let (layer, value) = (Layer(), [UInt8](repeating: 1, count: bytes))
      for number in 0..<UInt64(count) {
        var key: [UInt8] = []
        key.appendFixed(number)
        layer.objects.put(key, value.rawSpan)
      }
      return layer
    }
    let (many, few, large) = (layer(of: 40_000, bytes: 1), layer(of: 10_000, bytes: 1), layer(of: 40_000, bytes: 1_900))
    #expect(large.sizeInBytes > Layer.maximumSizeInBytes && many.sizeInBytes < Layer.maximumSizeInBytes)
    #expect(try large.fills(tables, in: transaction.snapshot))
    // Small rows of an empty table share pages.
    #expect(try !many.fills(tables, in: transaction.snapshot))
    try transaction.flush(large.objects, into: tables.objects)
    // Two rows fill a page now.
    #expect(try many.fills(tables, in: transaction.snapshot))
    #expect(try !few.fills(tables, in: transaction.snapshot))
  }
}
