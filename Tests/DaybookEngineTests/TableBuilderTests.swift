import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// Tables that are built from the journal, compared with tables that were kept up to date.
@Suite(.hangLimit) struct TableBuilderTests {
  @Test(arguments: [1, 1 << 14, 1 << 20], [true, false])
  func newTablesHaveTheRowsOfTheFoldedOnes(memoryLimit: Int, isConcurrent: Bool) throws {
    try Seeds.run(5) { seed in
      var random = SeededRandom(seed: seed)
      let bench = try EngineBench(Garden.model)
      var objects: [(id: ObjectID, entity: String)] = []
      for _ in 0..<60 { try Garden.change(bench, &random, &objects) }
      let new = try bench.dumpOfNewTables(memoryLimit: memoryLimit, isConcurrent: isConcurrent)
      let difference = try new.firstDifference(from: bench.dump())
      if let difference { throw Mismatch(difference) }
    }
  }

  @Test func aRenamedTargetMovesTheRowsThatAreSortedByIt() throws {
    let bench = try EngineBench(Garden.model)
    let (bed, _) = try Garden.plantRose(bench)
    let before = try bench.dump()
    try bench.commit(.rename(bed, to: "Asters"))
    let after = try bench.dump()
    #expect(before.firstDifference(from: after) != nil)
    #expect(try bench.dumpOfNewTables(memoryLimit: 1 << 20).firstDifference(from: after) == nil)
  }
}
