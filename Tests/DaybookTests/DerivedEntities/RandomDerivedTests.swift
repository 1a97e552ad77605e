import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Random histories, of which a projection's rows are compared with what the revisions add up to.
@Suite(.hangLimit) struct RandomDerivedTests {
  @Test func rowsAreWhatTheRevisionsAddUpTo() throws {
    try Seeds.run(Rounds.of(12, "DAYBOOK_DERIVED_RUNS")) { seed in try DerivedRandomRun(seed: seed).run() }
  }
}

private final class DerivedRandomRun {
  private let directory: TemporaryDirectory
  private let projection: MonthProjection
  /// Whether another projection reads the rows, which then keep their history.
  private let hasTotals: Bool
  private let options: StoreOptions
  private var store: Store
  private var random: SeededRandom
  private var authors: [ObjectID] = []
  private var revisions: [ObjectID] = []
  /// What was read at each position.
  private var past: [Position: SectionedIDs<ObjectID>] = [:]
  private let request: Request<StoredObject>
  private var followers: [DerivedFollower] = []

  init(seed: UInt64) throws {
    directory = try TemporaryDirectory()
    random = SeededRandom(seed: seed)
    request = Request(
      entity: "AuthorMonth", filter: try Filter(parsing: "count > 0"),
      sort: try ["author.name", "month", "largest"].map { try SortTerm(parsing: $0) },
      section: try SectionKey(parsing: "author.name"))
    hasTotals = random.isTrue(percent: 60)
    projection = MonthProjection(mode: random.pick([.inline, .catchUp]), keepsHistory: hasTotals)
    var options = StoreOptions.knowing(projection)
    if hasTotals { options.projections.append(TotalProjection(mode: projection.mode)) }
    options.keptCommitCount = random.pick([1, 6, 40])
    // Steps of a few commits, before which the stored objects are folded again or undone in memory.
    options.projectionBatchLimit = random.number(1...8)
    options.projectionRewindLimit = random.pick([0, 2, 4_096])
    // Small snapshots, which have the rows of that position beside them.
    options.snapshotIntervalInEvents = random.pick([0, 0, 30])
    options.maximumSnapshotCount = random.pick([1, 3, 8])
    self.options = options
    store = try Store(at: directory.path("store"), model: MonthProjection.model, options: options)
  }

  func run() throws {
    for _ in 0..<60 {
      for _ in 0..<random.number(1...3) { try commit() }
      try maintain()
      try check()
      try follow()
    }
    followers = []
    try checkPast()
    let faults = try store.verify().faults
    guard faults.isEmpty else { throw Mismatch("\(faults)") }
    store.close()
  }

  private func commit() throws {
    try store.write { tx in
      for _ in 0..<random.number(1...4) {
        switch random.number(0...9) {
        case 0: authors.append(try tx.insert("Author", ["name": .string(random.pick(["a", "b", "c", ""]))]))
        case 1: if !authors.isEmpty { try tx.rename(random.pick(authors), to: random.pick(["a", "b", "x"])) }
        case 2:
          guard !authors.isEmpty, random.isTrue(percent: 50) else { continue }
          try tx.delete(authors.remove(at: random.number(0...authors.count - 1)))
        case 3:
          guard !revisions.isEmpty else { continue }
          try tx.delete(revisions.remove(at: random.number(0...revisions.count - 1)))
        case 4, 5:
          guard !revisions.isEmpty else { continue }
          try tx.set(random.pick(revisions), ["size": .integer(Int64(random.number(0...3))), "month": month()])
        case 6:
          guard !revisions.isEmpty, !authors.isEmpty else { continue }
          try tx.relate(random.pick(revisions), "author", to: random.pick(authors))
        default:
          revisions.append(try tx.insert("Revision", ["month": month(), "size": .integer(1)]))
          if !authors.isEmpty { try tx.relate(revisions[revisions.count - 1], "author", to: random.pick(authors)) }
        }
      }
    }
  }

  /// Followers begin, fall behind, stop and resume; each has the rows of its position after each change.
  private func follow() throws {
    if followers.count < 3 {
      followers.append(
        DerivedFollower(
          window(request),
          together: random.pick([
            nil, Request(entity: "Revision", sort: [SortTerm(path: ["size"])]),
            Request(
              entity: hasTotals ? "AuthorTotal" : "AuthorMonth",
              sort: [SortTerm(path: [hasTotals ? "changed" : "largest", "month"])]),
          ]),
          granularity: random.pick([.coalesced, .everyCommit])))
    }
    for follower in followers where random.isTrue(percent: 60) {
      try follower.follow(store)
      if random.isTrue(percent: 20) { follower.stop() }
    }
  }

  /// Returns a request for all rows of another one, or for a part of them.
  private func window(_ request: Request<StoredObject>) -> Request<StoredObject> {
    var request = request
    if random.isTrue(percent: 30) { request.fetch.sort[request.fetch.sort.count - 1].direction = .descending }
    if random.isTrue(percent: 20) { request.fetch.offset = random.number(0...3) }
    if random.isTrue(percent: 20) { request.fetch.limit = random.number(0...4) }
    return request
  }

  private func month() -> Value { .string(random.pick(["1", "2", "3"])) }

  private func maintain() throws {
    let handle = try store.projection(projection.name)
    switch random.number(0...12) {
    case 0: try handle.rebuild()
    case 4: if hasTotals { try store.projection("author-totals").rebuild() }
    case 1: try store.rebuild()
    case 2:
      for follower in followers { follower.stop() }
      store.close()
      store = try Store(at: directory.path("store"), options: options)
    case 3: _ = try? store.undo(.last())
    case 5: try store.makeSnapshots()
    case 6: _ = try store.makeSnapshot(at: Position(UInt64(random.number(1...Int(store.position.number)))))
    default: break
    }
    try refresh()
    // A reader applies what an inline projection lacks after a rebuild, unless the notifier does so at that time.
    try store.projection(hasTotals ? "author-totals" : projection.name).catchUp()
  }

  /// Reads what exists: an undo may have brought objects back, or taken them away.
  private func refresh() throws {
    authors = try store.fetch(Request(entity: "Author")).rows.map(\.id)
    revisions = try store.fetch(Request(entity: "Revision")).rows.map(\.id)
  }

  private func check() throws {
    let found = try store.fetch(Request(entity: "AuthorMonth"))
    let (rows, plain) = (Set(try found.rows.map(PlainMonth.init)), try PlainMonth.all(in: store))
    guard try found.position == store.position, rows == plain else {
      throw Mismatch("at \(found.position) there is \(rows.sorted { "\($0)" < "\($1)" }), not \(plain)")
    }
    if hasTotals { try TotalProjection.check(store) }
    // The order by a plan is the order of all rows without an index.
    let ids = try store.read { try $0.ids(of: request, at: found.position) }
    past[found.position] = ids
    let names = try found.rows.map { row in
      (id: row.id, name: try row.target("author").flatMap { try store.get($0) }?["name"] ?? .null)
    }
    for section in ids.sections {
      for id in section.rows {
        let name = names.first { $0.id == id }?.name ?? .null
        guard name == .string(section.name) || section.name.isEmpty && name == .null else {
          throw Mismatch("\(id) is in the section “\(section.name)”, and its author is called \(name)")
        }
      }
    }
  }

  /// Every state is read as it was, and differences lead from one to the other.
  private func checkPast() throws {
    for (position, ids) in past {
      let again = try store.read { try $0.ids(of: request, at: position) }
      guard again == ids else { throw Mismatch("\(position) is now \(again), and was \(ids)") }
    }
    let positions = past.keys.sorted()
    for _ in 0..<20 {
      let (from, to) = (random.pick(positions), random.pick(positions))
      let change = try store.read { try $0.difference(of: request, from: from, to: to) }
      guard let old = past[from], let new = past[to] else { continue }
      let moved = try old.applying(change.difference)
      guard moved == new else { throw Mismatch("from \(from) to \(to): \(moved), not \(new)") }
    }
  }
}
