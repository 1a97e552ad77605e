import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime
@testable import DaybookTools

@Suite(.hangLimit) struct RoundTripTests {
  @Test(arguments: 0..<12)
  func anImportMakesTheSameJournalAndState(_ number: Int) throws {
    let seed = Seeds.one &+ UInt64(number)
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("a"), model: RandomHistory.model)
    var history = RandomHistory(store, seed: seed)
    try history.write(120)
    let export = try Exporter(store).bytes()
    let path = directory.path("b")
    let summary = try importEvents(export, to: path, pieceSize: 1 + number * 777)
    let copy = try Store(at: path)
    #expect(summary.head == (try store.position), "DAYBOOK_SEED=\(seed)")
    #expect(try copy.hashes() == store.hashes(), "DAYBOOK_SEED=\(seed)")
    #expect(try copy.stateHash() == store.stateHash(), "DAYBOOK_SEED=\(seed)")
    #expect(try Exporter(copy).bytes() == export, "DAYBOOK_SEED=\(seed)")
    #expect(copy.id != store.id)
    #expect(try copy.statistics().events == summary.events)
    store.close()
    copy.close()
    for path in [store.path, copy.path] {
      #expect(try Store.verify(at: path).faults.isEmpty, "DAYBOOK_SEED=\(seed)")
    }
  }

  @Test func anImportMayBeginWithWhatTheStoreHas() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("a"), model: RandomHistory.model)
    var history = RandomHistory(store, seed: Seeds.one)
    try history.write(20)
    let early = try Exporter(store).bytes()
    try history.write(20)
    let late = try Exporter(store).bytes()
    let path = directory.path("b")
    let first = try importEvents(early, to: path)
    let second = try importEvents(late, to: path)
    #expect(second.known == Int(first.head.number))
    #expect(second.commits == Int(second.head.number - first.head.number))
    var rest: [UInt8] = []
    try Exporter(store).export(from: 4) { rest += $0 }
    #expect(try importEvents(rest, to: path).commits == 0)
    #expect(try Store(at: path).hashes() == store.hashes())
  }

  @Test func theMembersOfALineMayComeInAnyOrder() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("a"), model: RandomHistory.model)
    var history = RandomHistory(store, seed: Seeds.one)
    try history.write(20)
    var sorted: [UInt8] = []
    for line in lines(try Exporter(store).bytes()) {
      let members = try JSONValue(parsing: line).members!
      JSONValue.object(members.sorted { $0.key < $1.key }).write(to: &sorted)
      sorted += [0x0d, 0x0a, 0x0a]
    }
    try importEvents(sorted, to: directory.path("b"))
    #expect(try Store(at: directory.path("b")).hashes() == store.hashes())
  }
}
