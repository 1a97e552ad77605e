import DaybookTestSupport
import DaybookTools
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Reading the past returns the same with snapshots and without them.
@Suite(.hangLimit) struct SnapshotReadingTests {
  @Test(arguments: [false, true])
  func everyPositionReadsTheSame(changingTheModel changesModel: Bool) throws {
    try Seeds.run(changesModel ? 6 : 3) { seed in
      var settings = RandomRun.Settings()
      settings.operationCount = 250
      settings.changesModel = changesModel
      (settings.checkPercent, settings.undoPercent, settings.rebuildPercent) = (0, 0, 0)
      let run = try RandomRun(seed: seed, settings: settings)
      try run.run()
      var random = SeededRandom(seed: seed)
      let store = try Store(at: run.store.path, options: run.options)
      let head = try store.position
      let wanted = try (1...head.number).map { try PastFacts(of: store, at: Position($0), usesSnapshots: false) }
      for _ in 0..<4 { _ = try store.makeSnapshot(at: Position(UInt64(random.number(1...Int(head.number))))) }
      let positions = store.snapshots.map(\.position)
      for position in 1...head.number {
        let there = try PastFacts(of: store, at: Position(position), usesSnapshots: true)
        guard there == wanted[Int(position) - 1] else {
          throw Mismatch("position \(position) of \(head) is another one with snapshots at \(positions)")
        }
      }
      #expect(store.snapshots.map(\.position) == positions && !positions.isEmpty)
      // Projections that begin with a snapshot equal the result of the journal.
      store.close()
      try FileManager.default.removeItem(atPath: store.path + "/projections")
      try closeAndVerify(try Store(at: store.path, options: run.options))
    }
  }

  @Test func differencesReplaysAndIDsAreTheSame() throws {
    var options = StoreOptions()
    options.snapshotIntervalInEvents = 0
    try withTemporaryStore(FeedModel.model, options: options) { store in
      var writer = RecipeWriter(store, seed: 7)
      for _ in 0..<120 { try writer.commit() }
      let head = try store.position.number
      let spans = stride(from: 1, through: head, by: 7).map { (Position($0), Position(max(1, head - 2 * $0 % head))) }
      func facts() throws -> [AnyHashable] {
        try spans.flatMap { from, to in
          let ids = try store.read { try $0.ids(of: FeedModel.byType, at: to).sections.map(\.rows) }
          var replay = try store.replay(of: FeedModel.byType, from: min(from, to), through: max(from, to))
          var changes: [ResultsChange] = []
          while let change = try replay.next() { changes.append(change) }
          return [try store.difference(of: FeedModel.byType, from: from, to: to), ids, changes] as [AnyHashable]
        }
      }
      let wanted = try facts()
      for position in stride(from: head / 5, to: head, by: Int(head) / 5) {
        #expect(try store.makeSnapshot(at: Position(position)))
      }
      #expect(try facts() == wanted)
    }
  }

  @Test func theSideWithFewerEventsIsGoneOver() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a")
      #expect(try store.makeSnapshot())
      for number in 0..<10 { try store.insertRecipes("few \(number)") }
      try store.write { tx in for number in 0..<100 { try tx.insert("Tag", ["name": .string("\(number)")]) } }
      for number in 0..<5 { try store.insertRecipes("more \(number)") }
      func nearest(_ position: Position) throws -> Position? {
        try store.read { try $0.snapshotStore?.nearest(to: position, before: $0.position, in: $0.journal)?.position }
      }
      // 2 is the snapshot, 13 the large commit, 18 the head.
      #expect(try nearest(1) == 2)
      #expect(try nearest(2) == 2)
      #expect(try nearest(12) == 2)
      #expect(try nearest(13) == nil)
      #expect(try store.makeSnapshot(at: 12))
      #expect(try nearest(6) == 2 && nearest(8) == 12 && nearest(12) == 12 && nearest(14) == nil)
    }
  }
}

/// The state of a store at a position, read in every way.
private struct PastFacts: Hashable {
  private var stateHash: Digest
  private var model: Model
  private var results: [Results<StoredObject>] = []

  init(of store: Store, at position: Position, usesSnapshots: Bool) throws {
    self = try store.read { reader in
      if usesSnapshots { return try reader.read(at: position) { try PastFacts($0) } }
      let past = try reader.present.rewound(to: position, in: reader.journal)
      return try PastFacts(
        StoreReader(
          reader: past.reader, dependents: past.dependents, journal: reader.journal, position: position,
          modelPosition: reader.journal.modelPositions().last { $0 <= position } ?? 1, snapshotStore: nil))
    }
  }

  private init(_ reader: borrowing StoreReader) throws {
    stateHash = try reader.stateHash()
    model = reader.model
    for entity in reader.model.entities {
      let orders =
        [[SortTerm(path: ["createdAt"])]]
        + entity.indexes.map { $0.terms.map { SortTerm(path: $0.path, $0.direction) } }
      for order in orders { results.append(try reader.fetch(Request(entity: entity.name, sort: order))) }
      for object in results.last?.rows ?? [] {
        for name in entity.attributes.map(\.name) where object[name].isLarge { _ = try object[name].data() }
      }
    }
  }
}
