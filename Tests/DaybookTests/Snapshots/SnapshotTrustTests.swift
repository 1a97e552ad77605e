import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Damaged or exchanged snapshots, and projections that begin with one.
@Suite(.hangLimit) struct SnapshotTrustTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let recipe: ObjectID
  private let rows: TableDump
  private var file: String { path + "/snapshots/31/data.mdb" }
  private var marker: String { path + "/snapshots/31/marker" }

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("store")
    var options = StoreOptions()
    options.bootIdentifier = "first"
    let store = try Store(at: path, model: FeedModel.model, options: options)
    recipe = try store.insertRecipes("name 2")[0]
    let id = recipe
    for number in 3...60 { try store.write { try $0.rename(id, to: "name \(number)") } }
    _ = try store.makeSnapshot(at: 31)
    rows = try store.projectionRows()
    store.close()
  }

  /// Opens the store, and checks position 31 and its neighbours.
  ///
  /// - Returns: Whether the snapshot is kept.
  private func isKept(_ path: String? = nil) throws -> Bool {
    let store = try Store(at: path ?? self.path)
    for position in [30, 31, 32, 60] as [UInt64] {
      #expect(try store.at(Position(position)).get(recipe)?["name"] == .string("name \(position)"))
    }
    let isKept = FileManager.default.fileExists(atPath: store.path + "/snapshots/31")
    try closeAndVerify(store)
    return isKept
  }

  @Test func aSnapshotThatIsRightIsKept() throws {
    #expect(try isKept())
  }

  @Test func whateverIsWrongWithASnapshotItIsRemovedAndNeverRead() throws {
    try Seeds.run(40) { seed in
      var random = SeededRandom(seed: seed)
      let copy = directory.path("copy")
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      let file = URL(fileURLWithPath: "\(copy)/snapshots/31/\(random.isTrue(percent: 70) ? "data.mdb" : "marker")")
      var bytes = [UInt8](try Data(contentsOf: file))
      switch random.number(0...4) {
      case 0, 1: bytes[random.number(0...bytes.count - 1)] ^= UInt8(1 << random.number(0...7))
      case 2: bytes.removeLast(random.number(1...bytes.count))
      case 3: bytes += [0]
      default: bytes = (0..<bytes.count).map { _ in UInt8(random.number(0...255)) }
      }
      try Data(bytes).write(to: file)
      let verification = try Store.verify(at: copy)
      guard verification.isSound, verification.notes.contains(where: { $0.contains("snapshot of position 31") }) else {
        throw Mismatch("a damaged snapshot is not noted: \(verification)")
      }
      guard try !isKept(copy) else { throw Mismatch("a damaged snapshot is still there") }
      try FileManager.default.removeItem(atPath: copy)
    }
  }

  @Test func aSnapshotOfAnotherStoreOrJournalIsRemoved() throws {
    let other = try Store(at: directory.path("other"), model: FeedModel.model)
    for number in 2...31 { try other.insertRecipes("\(number)") }
    #expect(try other.makeSnapshot())
    other.close()
    try FileManager.default.removeItem(atPath: path + "/snapshots/31")
    try FileManager.default.copyItem(
      atPath: directory.path("other/snapshots/31"), toPath: path + "/snapshots/31")
    #expect(try !isKept())
    // The same store, with a different history since a backup.
    let store = try Store(at: path)
    try store.backUp(to: directory.path("backup"))
    for name in ["a", "b"] { try store.write { try $0.rename(recipe, to: name) } }
    #expect(try store.makeSnapshot())
    store.close()
    try Store.restore(directory.path("backup"), to: directory.path("restored"))
    let restored = try Store(at: directory.path("restored"))
    for name in ["x", "y", "z"] { try restored.write { try $0.rename(recipe, to: name) } }
    try FileManager.default.copyItem(atPath: path + "/snapshots", toPath: restored.path + "/snapshots")
    #expect(try restored.at(62).get(recipe)?["name"] == "y")
    #expect(restored.snapshots.isEmpty)
    try closeAndVerify(restored)
  }

  @Test func projectionsThatAreNotTrustedBeginWithTheNewestSnapshot() throws {
    try FileManager.default.removeItem(atPath: path + "/projections")
    try checkRecovery(beginsWithSnapshot: true)
  }

  @Test func aTornFileOfACrashedBootIsReplacedByTheSnapshot() throws {
    try markUnclean(path, boot: "first")
    var random = SeededRandom(seed: 3)
    try damage(path + "/projections/data.mdb", &random)
    try checkRecovery(beginsWithSnapshot: true)
  }

  @Test func withADamagedSnapshotTheyBeginWithNothing() throws {
    try FileManager.default.removeItem(atPath: path + "/projections")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    bytes[bytes.count / 2] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    try checkRecovery(beginsWithSnapshot: false)
  }

  private func checkRecovery(beginsWithSnapshot: Bool) throws {
    var options = StoreOptions()
    options.bootIdentifier = "second"
    let store = try Store(at: path, options: options)
    #expect(try store.projectionRows().firstDifference(from: rows) == nil)
    let state = try store.keeper.projectionsEnvironment.withSnapshot {
      try store.keeper.currentProjections.state(in: $0)
    }
    // Tables created by a rebuild have a number from 1.
    #expect(state?.generations.contains(0) == beginsWithSnapshot)
    try store.write { try $0.rename(recipe, to: "later") }
    try store.rebuild()
    #expect(try store.get(recipe)?["name"] == "later")
    try closeAndVerify(store)
  }

  @Test func aSnapshotThatHoldsDefaultsOnlyServesReading() throws {
    var options = StoreOptions()
    options.snapshotIntervalInEvents = 0
    try withTemporaryStore(FeedModel.model, options: options) { store in
      let id = try store.insertRecipes("a")[0]
      var model = FeedModel.model
      model.entities[0].attributes.append(Attribute(name: "rating", type: .integer, defaultValue: 5))
      try store.apply(model)
      try store.insertRecipes("b")
      try store.write { try $0.set(id, ["rating": 1]) }
      #expect(try store.makeSnapshot(at: 4))
      #expect(try store.at(4).get(id)?["rating"] == 5)
      store.close()
      try FileManager.default.removeItem(atPath: store.path + "/projections")
      let opened = try Store(at: store.path)
      #expect(try opened.keeper.snapshotStore.open(nearestTo: 4, in: opened) == 4)
      #expect(try opened.at(4).get(id)?["rating"] == 5 && opened.at(2).get(id)?["name"] == "a")
      try closeAndVerify(opened)
    }
  }
}
