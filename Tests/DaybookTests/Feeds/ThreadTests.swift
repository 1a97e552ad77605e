import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Two writers, eight readers and five consumers at once, for the thread sanitizer too.
@Suite(.hangLimit) struct ThreadTests {
  /// The duration; `DAYBOOK_SECONDS` overrides it.
  private var duration: Duration {
    .seconds(ProcessInfo.processInfo.environment["DAYBOOK_SECONDS"].flatMap { Double($0) } ?? 2)
  }

  @Test func allAtOnce() async throws {
    let seed = Seeds.one
    var model = FeedModel.model
    model.entities[0].indexes.append(Index([SortTerm(path: ["name"])]))
    var options = StoreOptions()
    options.durability = .relaxed
    do {
      try await withTemporaryStore(model, options: options) { store in
        try await ThreadRun(store: store, seed: seed, duration: duration).run()
      }
    } catch {
      throw SeedFailure(seed: seed, error: error)
    }
  }
}

/// The state that all threads of a run share.
final class ThreadRun: Sendable {
  let store: Store
  let seed: UInt64
  // A clock and no flag: a task that sets one may have to wait for minutes until a thread of the pool is free, and all that
  // time the threads of this run would take the processors from the other tests.
  private let end: ContinuousClock.Instant
  private let types: [ObjectID]

  init(store: Store, seed: UInt64, duration: Duration) throws {
    (self.store, self.seed, end) = (store, seed, .now + duration)
    types = try store.writeNow { tx in
      try ["Bread", "Dessert", "Soup"].map { try tx.insert("RecipeType", ["name": .string($0)]) }
    }
  }

  /// The requests to follow: over a counted view, over sorted keys in sections, and by a value.
  var requests: [Request<StoredObject>] {
    [
      FeedModel.byName, FeedModel.byType,
      Request<StoredObject>(
        entity: "Recipe", filter: Filter(.path("type"), .equal, .value(.uuid(types[0]))),
        sort: [SortTerm(path: ["servings"], .descending)]),
    ]
  }

  private var isOver: Bool { ContinuousClock.now > end }

  func run() async throws {
    let subscribers = try Subscribers(store, requests)
    let workers = Workers()
    workers.add { try self.write() }
    for number in 0..<8 {
      workers.add {
        do {
          try self.read(number)
        } catch {
          throw Mismatch("reader \(number): \(error)")
        }
      }
    }
    let writer = Task { try await self.writeLater() }
    try await workers.wait()
    try await writer.value
    // A last change of every followed result ends the consumers.
    try store.insertRecipes("the end", type: types[0])
    try await subscribers.finish(at: try store.position)
  }
}

/// Writing.
extension ThreadRun {
  private func write() throws {
    var random = SeededRandom(seed: seed)
    while !isOver {
      try store.write { try change($0, &random) }
      // Consumers of every commit must be able to keep up.
      Thread.sleep(forTimeInterval: 0.03)
    }
  }

  private func writeLater() async throws {
    var seeds = SeededRandom(seed: ~seed)
    while !isOver {
      let seed = seeds.next()
      try await store.write { tx in
        var random = SeededRandom(seed: seed)
        try self.change(tx, &random)
      }
      try await Task.sleep(for: .milliseconds(30))
    }
  }

  func change(_ tx: borrowing Transaction, _ random: inout SeededRandom) throws {
    let request = Request(entity: "Recipe", limit: 1, offset: random.number(0...150))
    let id = try tx.fetch(request).rows.first?.id
    guard let id, random.isTrue(percent: 60) else {
      let id = try tx.insert("Recipe", ["name": .string("\(random.number(0...99))")])
      if random.isTrue(percent: 60) { try tx.relate(id, "type", to: random.pick(types)) }
      return
    }
    switch random.number(0...4) {
    case 0: try tx.rename(id, to: "\(random.number(0...99))")
    case 1: try tx.set(id, ["servings": .integer(Int64(random.number(0...9)))])
    case 2: try tx.relate(id, "type", to: random.pick(types))
    case 3: try tx.rename(random.pick(types), to: random.pick(["Bread", "Cake", "Dessert", "Soup", "Tea"]))
    default: try tx.delete(id)
    }
  }
}

/// Reading, on eight threads.
extension ThreadRun {
  private func read(_ number: Int) throws {
    var random = SeededRandom(seed: seed &+ UInt64(number) &+ 1)
    let request = requests[number % 3]
    switch number {
    case 0..<2: try untilTheEnd { try fetch(request) }
    case 2..<4: try untilTheEnd { try compare(request, &random) }
    default:
      var results = try store.liveResults(of: request, granularity: number == 7 ? .everyCommit : .coalesced)
      var shown = try results.ids
      try untilTheEnd {
        // Results are sometimes opened again.
        if random.isTrue(percent: 3) {
          results = try store.liveResults(of: request)
          shown = try results.ids
        }
        if let change = try results.update() { shown = try shown.applying(change.difference) }
        try look(at: results, shown, &random)
      }
    }
  }

  private func untilTheEnd(_ body: () throws -> Void) throws {
    while !isOver { try body() }
  }

  private func fetch(_ request: Request<StoredObject>) throws {
    try store.read { reader in
      let ids = try reader.fetch(request).ids
      guard try ids == reader.ids(of: request, at: reader.position) else { throw Mismatch("two answers differ") }
    }
  }

  /// Applies the difference of a random span to its first state.
  private func compare(_ request: Request<StoredObject>, _ random: inout SeededRandom) throws {
    let (back, length) = (UInt64(random.number(0...60)), UInt64(random.number(0...20)))
    try store.read { reader in
      let from = Position(reader.position.number - min(back, reader.position.number - 1))
      let to = Position(min(reader.position.number, from.number + length))
      let change = try reader.difference(of: request, from: from, to: to)
      let applied = try reader.ids(of: request, at: from).applying(change.difference)
      guard try applied == reader.ids(of: request, at: to) else { throw Mismatch("\(from) to \(to) differ") }
    }
  }

  private func look(
    at results: LiveResults<StoredObject>, _ shown: SectionedIDs<ObjectID>, _ random: inout SeededRandom
  ) throws {
    guard try results.ids == shown, try results.count == shown.count else { throw Mismatch("it shows other rows") }
    guard let section = shown.sections.indices.randomElement(using: &random),
      let row = shown.sections[section].rows.indices.randomElement(using: &random)
    else { return }
    let (path, id) = (RowPath(section: section, row: row), shown.sections[section].rows[row])
    guard try results.row(at: path).id == id, try results.path(of: id) == path else {
      throw Mismatch("\(path) leads to another row")
    }
  }
}
