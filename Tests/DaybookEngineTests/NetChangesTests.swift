import DaybookModel
import DaybookQuery
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// The rows that a span of commits changed, for one request.
@Suite(.hangLimit) struct NetChangesTests {
  private let bench: EngineBench
  private let (bed, plant): (ObjectID, ObjectID)

  init() throws {
    bench = try EngineBench(Garden.model)
    (bed, plant) = try Garden.plantRose(bench)
  }

  /// Returns the changes since position 2 of the plants, sorted by the names of their beds.
  private func changes() throws -> NetChanges {
    try bench.read { present, journal in
      let request = try ResolvedRequest(
        FetchRequest(entity: "Plant", sort: [SortTerm(path: ["bed", "name"])]), in: bench.model)
      let old = try present.rewound(to: 2, in: journal)
      return try NetChanges(
        request, RequestDependents(request, in: bench.model), from: 3, through: present.position, in: journal,
        new: present.reader
      ) { old.reader }
    }
  }

  @Test func aRowIsMovedByWhatItReaches() throws {
    try bench.commit(.rename(bed, to: "Asters"))
    let rows = try changes().rows
    #expect(rows.map(\.id) == [plant])
    #expect(rows.first?.isMoved == true)
    #expect(rows.first?.causes == [3])
  }

  @Test func aRowOfWhichAnotherValueChangesStaysAtItsPlace() throws {
    try bench.commit(.set(plant, values: [("height", 4)]))
    let rows = try changes().rows
    #expect(rows.map(\.isMoved) == [false])
    #expect(rows.map(\.isChanged) == [true])
  }

  @Test func whatIsUndoneIsNoChange() throws {
    try bench.commit(.rename(bed, to: "Asters"))
    try bench.commit(.rename(bed, to: "Roses"))
    #expect(try changes().rows.allSatisfy { !$0.isMoved })
  }

  @Test func aRowThatCameAndWentIsNoRow() throws {
    let id = bench.makeID()
    try bench.commit(.insert(entity: "Plant", values: [("name", "Weed")], id: id))
    try bench.commit(.delete([id]))
    #expect(try !changes().rows.contains { $0.id == id })
  }

  @Test func aRowThatIsDeletedHasNoNewPlace() throws {
    try bench.commit(.delete([plant]))
    let row = try #require(try changes().rows.first)
    #expect(row.old != nil && row.new == nil && row.isMoved)
  }
}
