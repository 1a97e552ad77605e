import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Rows of projections beside snapshots, from which the past of derived entities is read.
@Suite(.hangLimit) struct SnapshotRowsTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path("store") }

  init() throws { directory = try TemporaryDirectory() }

  /// Options by which snapshots are made only when a test makes them.
  private func options(_ months: MonthProjection = MonthProjection(), hasTotals: Bool = true) -> StoreOptions {
    var options = StoreOptions.knowing(months)
    if hasTotals { options.projections.append(TotalProjection()) }
    options.snapshotIntervalInEvents = 0
    return options
  }

  /// Makes a store of 40 commits with its rows, and a snapshot at each of some positions.
  private func makeStore(
    _ options: StoreOptions? = nil, seed: UInt64 = 5, snapshots: [Position] = [10, 20, 30]
  ) throws -> Store {
    let store = try Store(at: path, model: MonthProjection.model, options: options ?? self.options())
    var writer = MonthWriter(seed: seed)
    while try store.position < 40 { try writer.commit(to: store) }
    try store.catchUpAll()
    for position in snapshots { #expect(try store.makeSnapshot(at: position)) }
    return store
  }

  /// - Parameter memory: The limit of a rebuild; with 1 byte, rows are folded from the start and not undone in memory.
  @Test(arguments: [false, true], [256 << 20, 1])
  func `every position reads the same with them and without them`(hasTotals: Bool, memory: Int) throws {
    try Seeds.run(4) { seed in
      var random = SeededRandom(seed: seed)
      var options = options(hasTotals: hasTotals)
      options.rebuildMemoryInBytes = memory
      let store = try makeStore(options, seed: seed, snapshots: [])
      let (wanted, differences) = (try store.pastRows(), try store.rowDifferences(seed: seed))
      for _ in 0..<random.number(1...4) { _ = try store.makeSnapshot(at: Position(UInt64(random.number(1...40)))) }
      let positions = store.snapshots.map(\.position)
      for position in positions {
        #expect(store.rowsBeside(position) == (hasTotals ? ["author-months", "author-totals"] : ["author-months"]))
        if position < 40 { #expect(try store.start(of: position) == position) }
      }
      guard try store.pastRows() == wanted, try store.rowDifferences(seed: seed) == differences else {
        throw Mismatch("with snapshots at \(positions) the past is another one")
      }
      try closeAndVerify(store)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func `the nearest snapshot is read from in either direction`() throws {
    let store = try makeStore()
    #expect(try store.start(of: 11) == 10)
    #expect(try store.start(of: 29) == 30)
    #expect(try store.start(of: 39) == nil)
    // One reader of the past folds once for all that it reads.
    try store.at(11).read { reader in
      for request in try store.monthRequests() { _ = try reader.fetch(request) }
      #expect(reader.derivedBase?.states?.states.count == 2)
    }
    try closeAndVerify(store)
  }

  /// How the rows come to be others than those that were beside the snapshots.
  enum Replacement: CaseIterable {
    case rebuilt, version, lost
  }

  @Test(arguments: Replacement.allCases)
  func `rows of replaced rows are not read, and made again`(replacement: Replacement) throws {
    try makeStore().close()
    var months = MonthProjection(onFailure: .quarantine, refused: "1")
    if replacement == .version { months.version = 2 }
    if replacement == .lost { try FileManager.default.removeItem(atPath: path + "/projections") }
    let store = try Store(at: path, options: options(months))
    if replacement == .rebuilt { try store.projection("author-months").rebuild() }
    try store.catchUpAll()
    #expect(try store.start(of: 11) == nil && store.start(of: 11, "AuthorTotal") == nil)
    let wanted = try store.pastRows()
    #expect(try store.makeSnapshot(at: 15))
    #expect(try store.start(of: 11) == 10 && store.start(of: 11, "AuthorTotal") == 10)
    #expect(try store.pastRows() == wanted)
    try closeAndVerify(store)
  }

  @Test func `rows that a rebuild makes again are read on`() throws {
    let store = try makeStore()
    for name in ["author-months", "author-totals"] { try store.projection(name).rebuild() }
    #expect(try store.start(of: 11) == 10 && store.start(of: 11, "AuthorTotal") == 10)
    try closeAndVerify(store)
  }

  @Test func `after a change of the model they are removed`() throws {
    let store = try makeStore()
    let wanted = try store.pastRows()
    var model = MonthProjection.model
    model.entities[1].attributes.append(Attribute(name: "note", type: .string, isOptional: true))
    try store.apply(model)
    try store.catchUpAll()
    #expect(try store.start(of: 11) == nil)
    #expect(try store.pastRows().prefix(wanted.count) == wanted[...])
    #expect(try store.makeSnapshot())
    #expect(store.snapshots.map { store.rowsBeside($0.position).count } == [0, 0, 0, 2])
    #expect(try store.pastRows().prefix(wanted.count) == wanted[...])
    try closeAndVerify(store)
  }

  @Test func `rows that are damaged are removed and never read`() throws {
    let store = try makeStore()
    let wanted = try store.pastRows()
    store.close()
    // Projections that are copied are built again, and their rows are others.
    let copy = directory.path("snapshots")
    try FileManager.default.copyItem(atPath: path + "/snapshots", toPath: copy)
    try Seeds.run(10) { seed in
      var random = SeededRandom(seed: seed)
      try FileManager.default.removeItem(atPath: path + "/snapshots")
      try FileManager.default.copyItem(atPath: copy, toPath: path + "/snapshots")
      let place = "\(path)/snapshots/20/projection-author-months"
      let file = URL(fileURLWithPath: "\(place)/\(random.isTrue(percent: 70) ? "data.mdb" : "marker")")
      var bytes = [UInt8](try Data(contentsOf: file))
      switch random.number(0...3) {
      case 0, 1: bytes[random.number(0...bytes.count - 1)] ^= UInt8(1 << random.number(0...7))
      case 2: bytes.removeLast(random.number(1...bytes.count))
      default: bytes += [0]
      }
      try Data(bytes).write(to: file)
      let verification = try Store.verify(at: path)
      let note = "The rows of the projection author-months beside the snapshot of position 20"
      guard verification.isSound, verification.notes.contains(where: { $0.hasPrefix(note) }) else {
        throw Mismatch("damaged rows are not noted: \(verification)")
      }
      let damaged = try Store(at: path, options: options())
      guard try damaged.pastRows() == wanted else { throw Mismatch("damaged rows were read") }
      guard damaged.rowsBeside(20) == ["author-totals"] else { throw Mismatch("damaged rows are still there") }
      #expect(try damaged.start(of: 19) == 10 || damaged.start(of: 19) == 30)
      #expect(try damaged.makeSnapshot(at: 25) && damaged.start(of: 19) == 20)
      try closeAndVerify(damaged)
    }
  }

  @Test(arguments: [("20", "author-totals"), ("30", "author-months")])
  func `rows of another place are not read`(source: (position: String, projection: String)) throws {
    let store = try makeStore()
    let wanted = try store.pastRows()
    store.close()
    let place = "\(path)/snapshots/20/projection-author-months"
    try FileManager.default.removeItem(atPath: place)
    try FileManager.default.copyItem(
      atPath: "\(path)/snapshots/\(source.position)/projection-\(source.projection)", toPath: place)
    let opened = try Store(at: path, options: options())
    #expect(try opened.start(of: 20) != 20)
    #expect(try opened.pastRows() == wanted)
    #expect(try opened.makeSnapshot(at: 25))
    #expect(try opened.start(of: 20) == 20)
    #expect(try opened.pastRows() == wanted)
    try closeAndVerify(opened)
  }

  @Test func `a process without the projections reads and makes them`() throws {
    let store = try makeStore(snapshots: [10])
    let wanted = try store.pastRows()
    store.close()
    var options = StoreOptions()
    options.snapshotIntervalInEvents = 0
    let other = try Store(at: path, options: options)
    #expect(try other.start(of: 11) == 10)
    #expect(try other.makeSnapshot(at: 20))
    #expect(try other.start(of: 21, "AuthorTotal") == 20)
    #expect(try other.pastRows() == wanted)
    try closeAndVerify(other)
    let again = try Store(at: path, options: self.options())
    #expect(try again.start(of: 21) == 20)
    #expect(try again.pastRows() == wanted)
    try closeAndVerify(again)
  }

  @Test func `work that ends early leaves nothing, and is continued`() throws {
    let store = try makeStore(snapshots: [])
    let wanted = try store.pastRows()
    for position in [10, 20, 30] as [Position] { #expect(try store.makeSnapshot(at: position)) }
    for limit in 1...20 {
      for position in [10, 20, 30] as [Position] {
        for name in store.rowsBeside(position) { store.keeper.snapshotStore.remove(position, of: name) }
      }
      let checks = Locked(0)
      do {
        try store.keeper.makeMissingRows(nil) {
          checks.withLock { count in
            count += 1
            return count > limit
          }
        }
      } catch is CancellationError {}
      for position in [10, 20, 30] as [Position] {
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(path)/snapshots/\(position)")
        #expect(!names.contains { $0.hasPrefix(".") }, "\(names)")
      }
      if limit % 8 == 0 { #expect(try store.pastRows() == wanted) }
    }
    try store.keeper.makeMissingRows(nil)
    #expect([10, 20, 30].allSatisfy { store.rowsBeside($0).count == 2 })
    #expect(try store.pastRows() == wanted)
    try closeAndVerify(store)
  }

  @Test func `rows that are far behind are made when they have caught up`() throws {
    var options = options()
    options.projectionRewindLimit = 5
    let store = try makeStore(options, snapshots: [10])
    for name in store.rowsBeside(10) { store.keeper.snapshotStore.remove(10, of: name) }
    var writer = MonthWriter(seed: 9)
    while try store.position < 46 { try writer.commit(to: store) }
    try store.keeper.makeMissingRows(nil)
    #expect(store.rowsBeside(10).isEmpty)
    try store.catchUpAll()
    try store.keeper.makeMissingRows(nil)
    #expect(store.rowsBeside(10).count == 2)
    try closeAndVerify(store)
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func `a store that is written to gets them`(mode: ProjectionMode) throws {
    var options = StoreOptions.knowing(MonthProjection(mode: mode))
    options.projections.append(TotalProjection(mode: mode))
    options.snapshotIntervalInEvents = 50
    let store = try makeStore(options, snapshots: [])
    let end = ContinuousClock.now + .seconds(30)
    func lacksRows() -> Bool {
      store.snapshots.isEmpty || store.snapshots.contains { store.rowsBeside($0.position).count < 2 }
    }
    while lacksRows(), ContinuousClock.now < end {
      store.services.snapshotScheduler.wait()
      Thread.sleep(forTimeInterval: 0.02)
    }
    #expect(!lacksRows())
    store.services.snapshotScheduler.wait()
    let snapshot = try #require(store.snapshots.first)
    #expect(try store.start(of: snapshot.position) == snapshot.position || snapshot.position == store.position)
    let marker = try #require(store.keeper.snapshotStore.markers().first)
    #expect(snapshot.sizeInBytes > marker.sizeInBytes)
    let found = try store.pastRows()
    try store.removeSnapshots()
    #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/snapshots").isEmpty)
    #expect(try store.start(of: 11) == nil && store.pastRows() == found)
    try closeAndVerify(store)
  }

  @Test func `a store is closed while they are made`() throws {
    try Seeds.run(6) { seed in
      var random = SeededRandom(seed: seed)
      var options = options()
      options.snapshotIntervalInEvents = 10
      let store = try makeStore(options, seed: seed, snapshots: [])
      Thread.sleep(forTimeInterval: Double(random.number(0...350)) / 1_000)
      store.close()
      let opened = try Store(at: path, options: self.options())
      try opened.catchUpAll()
      let found = try opened.pastRows()
      try opened.removeSnapshots()
      guard try opened.pastRows() == found else { throw Mismatch("the past is another one without snapshots") }
      try closeAndVerify(opened)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func `projections that keep no history have none`() throws {
    let months = MonthProjection(keepsHistory: false)
    let store = try makeStore(options(months, hasTotals: false), snapshots: [10])
    #expect(store.rowsBeside(10).isEmpty)
    #expect(try store.start(of: 11) == nil)
    try closeAndVerify(store)
  }
}

/// Writes random commits of authors and revisions.
private struct MonthWriter {
  private var random: SeededRandom
  private var authors: [ObjectID] = []
  private var revisions: [ObjectID] = []

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func commit(to store: Store) throws {
    var (random, authors, revisions) = (random, authors, revisions)
    try store.write { tx in
      for _ in 0..<random.number(1...3) {
        switch random.number(0...6) {
        case 0: authors.append(try tx.insert("Author", ["name": .string(random.pick(["a", "b", "c"]))]))
        case 1 where !authors.isEmpty: try tx.rename(random.pick(authors), to: random.pick(["a", "b", "x"]))
        case 2 where authors.count > 2: try tx.delete(authors.remove(at: random.number(0..<authors.count)))
        case 3 where !revisions.isEmpty: try tx.delete(revisions.remove(at: random.number(0..<revisions.count)))
        case 4 where !revisions.isEmpty: try tx.set(random.pick(revisions), ["size": .integer(7), "month": "1"])
        default:
          let id = try tx.insert("Revision", ["month": .string(random.pick(["1", "2", "3"])), "size": .integer(1)])
          if !authors.isEmpty { try tx.relate(id, "author", to: random.pick(authors)) }
          revisions.append(id)
        }
      }
    }
    (self.random, self.authors, self.revisions) = (random, authors, revisions)
  }
}

extension Store {
  fileprivate func catchUpAll() throws {
    for projection in keeper.files.options.projections { try self.projection(projection.name).catchUp() }
  }

  /// Requests that lead through the indexes of the rows, into stored objects and into rows of another projection.
  fileprivate func monthRequests() throws -> [Request<StoredObject>] {
    var requests = try ["author.name", "largest", "month"].map { path in
      Request<StoredObject>(
        entity: "AuthorMonth", sort: [try SortTerm(parsing: path), SortTerm(path: ["month"])],
        section: try SectionKey(parsing: "author.name"))
    }
    if try read({ try $0.derivedEntities() }).contains(where: { $0.name == "AuthorTotal" }) {
      requests.append(Request(entity: "AuthorTotal", sort: [try SortTerm(parsing: "changed.month")]))
    }
    return requests
  }

  /// The rows at each position from 1 to the head, read alone and together.
  fileprivate func pastRows() throws -> [[Results<StoredObject>]] {
    let requests = try monthRequests()
    return try (1...position.number).map { number in
      let past = at(Position(number))
      let results = try requests.map { try past.fetch($0) }
      let together = try past.read { reader in try requests.map { try reader.fetch($0) } }
      guard together == results else { throw Mismatch("position \(number) is read in two ways") }
      return results
    }
  }

  fileprivate func rowDifferences(seed: UInt64) throws -> [ResultsChange] {
    var random = SeededRandom(seed: seed)
    let requests = try monthRequests()
    return try (0..<40).map { _ in
      let (from, to) = (Position(UInt64(random.number(0...40))), Position(UInt64(random.number(1...40))))
      return try read { try $0.difference(of: random.pick(requests).fetch, from: from, to: to) }
    }
  }

  /// The projections whose rows are beside a snapshot.
  fileprivate func rowsBeside(_ position: Position) -> [String] {
    keeper.snapshotStore.files.projections(at: position)
  }

  /// The snapshot from which a derived entity is read at a position; `nil` if it is read from the live rows.
  fileprivate func start(of position: Position, _ entity: String = "AuthorMonth") throws -> Position? {
    try read { try $0.reading([entity]) { try $0.snapshot(nearestTo: position)?.state.position } }
  }
}
