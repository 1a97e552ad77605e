import DaybookTestSupport
import DaybookTools
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// The creation, the retention and the removal of snapshots.
@Suite(.hangLimit) struct SnapshotTests {
  private func options(interval: Int, maximum: Int = 8) -> StoreOptions {
    var options = StoreOptions()
    options.durability = .relaxed
    options.snapshotIntervalInEvents = interval
    options.maximumSnapshotCount = maximum
    return options
  }

  @Test func aStoreThatIsWrittenToGetsThem() throws {
    try withTemporaryStore(FeedModel.model, options: options(interval: 100)) { store in
      for number in 0..<55 {
        try store.insertRecipes("a\(number)", "b", "c", "d", "e", "f", "g", "h", "i", "j")
        store.services.snapshotScheduler.wait()
      }
      #expect(store.snapshots.map(\.position) == [11, 21, 31, 41, 51])
      #expect(store.snapshots.map(\.events) == [100, 200, 300, 400, 500])
      #expect(try store.statistics().snapshots == store.snapshots)
    }
  }

  @Test func theNewestMissingSnapshotIsAtTheHead() throws {
    try withTemporaryStore(FeedModel.model, options: options(interval: 0)) { store in
      for number in 0..<25 { try store.insertRecipes("\(number)") }
      let path = store.path
      store.close()
      let opened = try Store(at: path, options: options(interval: 10))
      #expect(try opened.makeSnapshots() == [26, 17, 9])
      opened.close()
    }
  }

  @Test func aSnapshotThatIsDueIsMadeBeforeTheStoreIsClosed() throws {
    try withTemporaryStore(FeedModel.model, options: options(interval: 10)) { store in
      for number in 0..<15 { try store.insertRecipes("\(number)") }
      let path = store.path
      store.close()
      let opened = try Store(at: path, options: options(interval: 0))
      // Made at once or, on a slow machine, in a pause before.
      #expect(opened.snapshots.count == 1 && opened.snapshots.allSatisfy { $0.events >= 10 })
      opened.close()
    }
  }

  @Test func snapshotsMadeWhileWritingLeaveNoLargeGap() throws {
    try Seeds.run(5) { seed in
      var random = SeededRandom(seed: seed)
      let interval = random.number(5...20)
      let maximum = random.number(1...4)
      let count = random.number(0...150)
      try withTemporaryStore(FeedModel.model, options: options(interval: interval, maximum: maximum)) { store in
        for number in 0..<count { try store.insertRecipes("\(number)") }
        store.services.snapshotScheduler.wait()
        try store.makeSnapshots()
        let spacing = max(interval, (count + maximum - 1) / maximum)
        let ends = [0] + store.snapshots.map(\.events)
        #expect(store.snapshots.count <= maximum)
        #expect(zip(ends, ends.dropFirst()).allSatisfy { 2 * ($1 - $0) < 3 * spacing + 4 }, "\(ends) of \(count)")
        #expect(count - (ends.last ?? 0) < spacing || count == 0, "\(ends) of \(count)")
      }
    }
  }

  @Test func aStoreThatIsSmallOrAsksForNoneGetsNone() throws {
    for options in [StoreOptions(), options(interval: 0), options(interval: 1, maximum: 0)] {
      try withTemporaryStore(FeedModel.model, options: options) { store in
        for number in 0..<5 { try store.insertRecipes("\(number)") }
        store.services.snapshotScheduler.wait()
        #expect(try store.snapshots.isEmpty && store.makeSnapshots().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: store.path + "/snapshots"))
      }
    }
  }

  @Test func thoseThatAreMissingAreMadeFromTheJournal() throws {
    try withTemporaryStore(FeedModel.model, options: options(interval: 0)) { store in
      for number in 0..<60 { try store.insertRecipes("\(number)") }
      let path = store.path
      store.close()
      var opened = try Store(at: path, options: options(interval: 10))
      #expect(try opened.makeSnapshots() == [61, 51, 41, 31, 21, 11])
      opened.removeSnapshotFiles([21, 31, 61])
      #expect(try opened.makeSnapshots() == [61, 31, 21])
      #expect(try opened.makeSnapshots() == [])
      opened.close()
      // Fewer snapshots with a larger interval.
      opened = try Store(at: path, options: options(interval: 10, maximum: 3))
      #expect(try opened.makeSnapshots() == [])
      try opened.removeSnapshots()
      #expect(opened.snapshots.isEmpty)
      #expect(try opened.makeSnapshots() == [61, 41, 21])
      opened.close()
    }
  }

  @Test func thoseThatLeaveTheSmallestGapsGo() throws {
    func marker(_ position: Position, _ events: Int) -> SnapshotMarker {
      SnapshotMarker(
        storeID: .zero, position: position, hash: .zero, eventCount: events, sizeInBytes: 1, isExact: true,
        digest: .zero, collations: "")
    }
    let markers = [marker(1, 10), marker(2, 90), marker(3, 100), marker(4, 200), marker(5, 300)]
    #expect(SnapshotPlan.superfluous(markers, maximumCount: 5) == [])
    #expect(SnapshotPlan.superfluous(markers, maximumCount: 4) == [1])
    #expect(SnapshotPlan.superfluous(markers, maximumCount: 3) == [1, 2])
    #expect(SnapshotPlan.superfluous(markers, maximumCount: 1) == [1, 2, 3, 4])
  }

  @Test(arguments: [nil, Digest(hashing: [3].rawSpan)]) func aMarkerComesBackAsItWas(ofRows rows: Digest?) {
    let marker = SnapshotMarker(
      storeID: ObjectID(milliseconds: 7, random: (1, 2)), position: 9, hash: Digest(hashing: [1].rawSpan),
      eventCount: 3, sizeInBytes: 4_096, isExact: true, digest: Digest(hashing: [2].rawSpan),
      collations: "", rows: rows)
    #expect(SnapshotMarker(marker.bytes) == marker)
    for index in marker.bytes.indices {
      var bytes = marker.bytes
      bytes[index] ^= 1
      #expect(SnapshotMarker(bytes) == nil)
      #expect(SnapshotMarker(Array(marker.bytes[..<index])) == nil)
    }
  }

  @Test func oneMadeForwardLacksWhatALaterModelDerivesNoMore() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    var store = try Store(at: path, model: FeedModel.model)
    let ids = try store.insertRecipes("a", "b")
    let tag = try store.write { try $0.insert("Tag", ["name": "quick"]) }
    try store.write { try $0.relate(ids[0], "tags", to: tag) }
    #expect(try store.makeSnapshot())
    var model = FeedModel.model
    model.entities[0].attributes.removeAll { $0.name == "tagCount" }
    try store.apply(model)
    try store.write { try $0.rename(ids[1], to: "c") }
    // The head is farther away.
    for number in 0..<20 { try store.insertRecipes("\(number)") }
    #expect(try store.makeSnapshot(at: 6))
    #expect(store.snapshots.map(\.position) == [4, 6])
    let rows = try store.projectionRows()
    store.close()
    try FileManager.default.removeItem(atPath: path + "/projections")
    store = try Store(at: path)
    #expect(try store.projectionRows() == rows)
    try closeAndVerify(store)
  }

  @Test func whatWasLeftHalfDoneIsRemoved() throws {
    try withTemporaryStore(FeedModel.model) { store in
      try store.insertRecipes("a")
      let leftover = store.path + "/snapshots/.2.abc"
      try FileManager.default.createDirectory(atPath: leftover, withIntermediateDirectories: true)
      try Data([1]).write(to: URL(fileURLWithPath: leftover + "/data.mdb"))
      #expect(try store.makeSnapshot())
      #expect(try FileManager.default.contentsOfDirectory(atPath: store.path + "/snapshots") == ["2"])
      #expect(try !store.makeSnapshot())
      #expect(throws: StoreError.self) { try store.makeSnapshot(at: 0) }
      #expect(throws: StoreError.self) { try store.makeSnapshot(at: 3) }
    }
  }

  @Test func copiesOfAStoreGoWithoutThem() throws {
    let directory = try TemporaryDirectory()
    try withTemporaryStore(FeedModel.model) { store in
      let id = try store.insertRecipes("a")[0]
      #expect(try store.makeSnapshot())
      try store.write { try $0.rename(id, to: "b") }
      try store.backUp(to: directory.path("backup"))
      try store.compact(to: directory.path("compact"))
      try Store.restore(directory.path("backup"), to: directory.path("restored"))
      for name in ["compact", "restored"] {
        let copy = try Store(at: directory.path(name))
        #expect(copy.snapshots.isEmpty)
        #expect(try copy.at(2).get(id)?["name"] == "a")
        try closeAndVerify(copy)
      }
      // A copied directory contains the snapshots, which belong to the same journal.
      store.close()
      try FileManager.default.copyItem(atPath: store.path, toPath: directory.path("copied"))
      let copy = try Store(at: directory.path("copied"))
      #expect(try copy.keeper.snapshotStore.open(nearestTo: 2, in: copy) == 2)
      try closeAndVerify(copy)
    }
  }
}

extension Store {
  fileprivate func removeSnapshotFiles(_ positions: [Position]) {
    for position in positions { keeper.snapshotStore.remove(position) }
  }
}

extension SnapshotStore {
  /// Returns the snapshot from which a position is read, or `nil` without one.
  func open(nearestTo position: Position, in store: Store) throws -> Position? {
    try store.read { try nearest(to: position, before: $0.position, in: $0.journal)?.position }
  }
}
