import DaybookModel
import DaybookQuery
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Damage to the projections while a store is open and written to.
@Suite(.hangLimit) struct LiveDamageTests {
  private static func projections(of path: String) -> FileDamage { FileDamage(file: "\(path)/projections/data.mdb") }

  @Test func `a store whose rows are damaged while it is open does what the reference does`() throws {
    let rounds = Rounds.given("DAYBOOK_DAMAGE_ROUNDS") ?? 150
    let count = Mutex(0)
    try Seeds.run(max(1, rounds / 50)) { seed in
      var settings = RandomRun.Settings()
      settings.operationCount = .max
      settings.damageCount = 50
      let run = try RandomRun(seed: seed, settings: settings)
      try run.run()
      try withExtendedLifetime(run) { run in
        // Damage of a row that nothing read since is found by the verification, which replaces the projections.
        let store = try run.reopened()
        #expect(try store.verify().faults.allSatisfy { $0.part == .projections }, "seed \(seed)")
        #expect(try store.verify().faults == [], "seed \(seed)")
      }
      count.withLock { $0 += run.damageCount }
    }
    #expect(count.withLock { $0 } >= min(rounds, 50))
  }

  private static let model = Model(entities: [
    Entity(
      name: "List", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string),
        Attribute(name: "count", type: nil, derivation: .count(relationship: "notes")),
        Attribute(name: "total", type: nil, derivation: .sum(relationship: "notes", attribute: "size")),
      ],
      relationships: [
        Relationship(
          name: "notes", target: "Note", inverse: "list", isMany: true, isOrdered: true, deleteRule: .cascade)
      ], unique: [["name"]]),
    Entity(
      name: "Note", attributes: [Attribute(name: "size", type: .integer)],
      relationships: [Relationship(name: "list", target: "List", inverse: "notes")]),
  ])

  @Test func `readers, feeds and a writer never see damaged rows`() async throws {
    let seed = Seeds.one
    let path = try TemporaryDirectory()
    var options = StoreOptions()
    options.durability = .relaxed
    let store = try Store(at: path.path("store"), model: Self.model, options: options)
    let lists = try Self.makeLists(in: store)
    let watch = Watch(store: store, lists: lists)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 { group.addTask { try await watch.read() } }
      group.addTask { try await watch.follow() }
      // A feed that began later might have no change to follow.
      while !watch.isFollowing { try await Task.sleep(for: .milliseconds(1)) }
      var random = SeededRandom(seed: seed)
      let damage = Self.projections(of: store.path)
      var notes: [ObjectID] = []
      for _ in 0..<(Rounds.given("DAYBOOK_DAMAGE_ROUNDS") ?? 150) {
        // While another thread replaces the file, it may be missing.
        _ = try? damage.flip(try damage.rows { TableName.hasChecksums($0) }, &random)
        try Self.change(store, lists, &notes, &random)
      }
      watch.finish()
      // The feed ends with this commit.
      notes = []
      try Self.change(store, lists, &notes, &random)
      try await group.waitForAll()
    }
    #expect(watch.problems.isEmpty, "seed \(seed): \(watch.problems.prefix(5))")
    _ = try store.verify()
    #expect(try store.verify().faults == [], "seed \(seed)")
    store.close()
  }

  private static func makeLists(in store: Store) throws -> [ObjectID] {
    try store.write { tx in try (0..<5).map { try tx.insert("List", ["name": .string("list \($0)")]) } }
  }

  /// Adds a note to a list, or deletes a note when there are many.
  private static func change(
    _ store: Store, _ lists: [ObjectID], _ notes: inout [ObjectID], _ random: inout SeededRandom
  ) throws {
    let doomed = notes.count > 40 ? random.number(0...(notes.count - 1)) : nil
    let (size, list) = (Value.integer(Int64(random.number(1...1_000))), random.pick(lists))
    let id = doomed.map { notes.remove(at: $0) }
    // The closure may run twice: its result is recorded only after it returned.
    let made = try store.write { tx -> ObjectID? in
      if let id {
        try tx.delete(id)
        return nil
      }
      let note = try tx.insert("Note", ["size": size])
      try tx.relate(note, "list", to: list)
      return note
    }
    if let made { notes.append(made) }
  }

  @Test func `damage anywhere in the projections never reaches the journal`() throws {
    let seed = Seeds.one
    var random = SeededRandom(seed: seed)
    var outcomes: [String: Int] = [:]
    let count = Rounds.given("DAYBOOK_DAMAGE_ROUNDS") ?? 30
    // The writers write without a pause, so a round takes as long as its store is large: after some, another store.
    for first in stride(from: 0, to: count, by: 50) {
      try Self.damageAnywhere(first..<min(first + 50, count), seed, &random, &outcomes)
    }
    print("damage anywhere, seed \(seed):", outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
  }

  /// Damages one store's projections in each round, while a process writes to it.
  ///
  /// - Parameter outcomes: Counts how the writers ended, and how often a verification found the damage.
  private static func damageAnywhere(
    _ rounds: Range<Int>, _ seed: UInt64, _ random: inout SeededRandom, _ outcomes: inout [String: Int]
  ) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let store = try Store(at: path, model: CrashRun.model)
    try store.write { try $0.insert("Tag", ["name": "all"]) }
    store.close()
    var next: UInt64 = 0
    for round in rounds {
      let writer = KilledWriter(seed: 1, first: next)
      try writer.start(path, durability: "relaxed", mode: "one", probe: "none", count: 1)
      Thread.sleep(forTimeInterval: Double(random.number(15...30)) / 1_000)
      let damage = projections(of: path)
      do {
        for _ in 0..<random.number(1...3) {
          let size = try damage.contents().count
          try damage.flip(at: random.number(0...max(0, size - 1)), bit: random.number(0...7))
        }
      } catch let error as CocoaError where error.code == .fileNoSuchFile || error.code == .fileReadNoSuchFile {
        // The writer has found the damage, and just replaces the file.
        outcomes["replaced meanwhile", default: 0] += 1
      }
      Thread.sleep(forTimeInterval: 0.015)
      let hadEnded = !writer.isRunning
      for (number, _) in try writer.end() { next = max(next, number + 1) }
      // The id shows the number of a durable commit that was not acknowledged.
      let name = hadEnded ? writer.endedBySignal ? "signal" : "error" : "went on"
      outcomes[name, default: 0] += 1
      let verification = try Store.verify(at: path)
      let faults = verification.faults.filter { $0.part == .journal }
      #expect(faults.isEmpty, "seed \(seed), round \(round): \(faults)")
      if !verification.isSound { outcomes["found by verify", default: 0] += 1 }
      let again = try Store(at: path)
      try again.write { try $0.insert("Note", ["title": .string("round \(round)"), "size": 0]) }
      #expect(try again.verify().faults == [], "seed \(seed), round \(round)")
      again.close()
    }
  }
}

/// Reads and follows a store while it is damaged and written.
private final class Watch: Sendable {
  private let store: Store
  private let lists: [ObjectID]
  private let isDone = Atomic(false)
  private let hasBegun = Atomic(false)
  private let found = Mutex<[String]>([])

  init(store: Store, lists: [ObjectID]) {
    self.store = store
    self.lists = lists
  }

  var problems: [String] { found.withLock { $0 } }

  var isFollowing: Bool { hasBegun.load(ordering: .relaxed) }

  func finish() { isDone.store(true, ordering: .relaxed) }

  private func note(_ problem: String) { found.withLock { $0.append(problem) } }

  /// Compares the store's derived values of each list with the list's notes.
  func read() async throws {
    while !isDone.load(ordering: .relaxed), !Task.isCancelled {
      try store.read { reader in for id in lists { try compare(id, reader) } }
      await Task.yield()
    }
  }

  private func compare(_ id: ObjectID, _ reader: borrowing StoreReader) throws {
    guard let list = try reader.get(id) else { return note("list \(id) is gone") }
    var (count, total): (Int64, Int64) = (0, 0)
    for note in try reader.targets(of: id, "notes") {
      count += 1
      if case .integer(let size)? = try reader.get(note)?["size"] { total += size } else { total = .min }
    }
    if list["count"] != .integer(count) || list["total"] != .integer(total) {
      note("\(list) where there are \(count) notes of \(total)")
    }
  }

  /// Applies each difference of a feed to the previous result.
  func follow() async throws {
    let request = Request(entity: "Note", sort: [SortTerm(path: ["size"])])
    let results = try store.liveResults(of: request)
    var ids = try results.ids
    hasBegun.store(true, ordering: .relaxed)
    for try await change in store.changes(of: request, from: results.position) {
      ids = change.isReset ? try results.ids : try ids.applying(change.difference)
      if isDone.load(ordering: .relaxed) { break }
    }
  }
}
