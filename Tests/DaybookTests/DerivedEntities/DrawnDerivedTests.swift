import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Random histories under projections that copy, join, read named events and follow deletions, compared at each position
/// with what plain code makes of the journal.
@Suite(.hangLimit) struct DrawnDerivedTests {
  @Test func `rows of every position are what the events of the journal say`() throws {
    try Seeds.run(Rounds.of(7, "DAYBOOK_DERIVED_RUNS")) { seed in try DrawnRun(seed: seed).run() }
  }
}

private final class DrawnRun {
  private let directory: TemporaryDirectory
  private var options: StoreOptions
  private var store: Store
  private var random: SeededRandom
  private var version = 1
  private let modes: [DrawnProjection.Kind: ProjectionMode]
  private var authors: [ObjectID] = []
  private var revisions: [ObjectID] = []
  private var followers: [DerivedFollower] = []

  init(seed: UInt64) throws {
    directory = try TemporaryDirectory()
    var random = SeededRandom(seed: seed)
    modes = DrawnProjection.Kind.allCases.reduce(into: [:]) { $0[$1] = random.pick([.inline, .catchUp]) }
    var options = StoreOptions.knowing()
    options.projections = DrawnRun.projections(modes, version: 1)
    options.projectionBatchLimit = random.number(1...6)
    options.projectionRewindLimit = random.pick([0, 2, 4_096])
    (self.options, self.random) = (options, random)
    store = try Store(at: directory.path("store"), model: DrawnProjection.model, options: options)
  }

  private static func projections(
    _ modes: [DrawnProjection.Kind: ProjectionMode], version: Int
  ) -> [any Projection] {
    DrawnProjection.Kind.allCases.map { DrawnProjection(kind: $0, mode: modes[$0] ?? .inline, version: version) }
  }

  func run() throws {
    // What is followed has rows.
    try catchUp()
    for _ in 0..<25 {
      for _ in 0..<random.number(1...3) { try commit() }
      try maintain()
      try follow()
    }
    try catchUp()
    try check(percent: 100)
    try reopen()
    try check(percent: 20)
    for kind in DrawnProjection.Kind.allCases { try store.projection(kind.rawValue).rebuild() }
    try check(percent: 20)
    try followAll()
    try useNextVersion()
    try check(percent: 50)
    let faults = try store.verify().faults
    guard faults.isEmpty else { throw Mismatch("\(faults)") }
    followers = []
    store.close()
  }

  private func month() -> Value { .string(random.pick(["1", "2", "3"])) }

  private func commit() throws {
    try store.write { tx in
      for _ in 0..<random.number(1...4) {
        switch random.number(0...10) {
        case 0: authors.append(try tx.insert("Author", ["name": .string(random.pick(["a", "b", "c", ""]))]))
        case 1: if !authors.isEmpty { try tx.rename(random.pick(authors), to: random.pick(["a", "b", "x"])) }
        case 2:
          guard !authors.isEmpty, random.isTrue(percent: 50) else { continue }
          try tx.delete(authors.remove(at: random.number(0..<authors.count)))
        case 3:
          guard !revisions.isEmpty else { continue }
          try tx.delete(revisions.remove(at: random.number(0..<revisions.count)))
        case 4:
          guard !revisions.isEmpty else { continue }
          try tx.set(random.pick(revisions), ["size": .integer(Int64(random.number(0...3))), "month": month()])
        case 5:
          guard !revisions.isEmpty, !authors.isEmpty else { continue }
          try tx.relate(random.pick(revisions), "author", to: random.pick(authors))
        case 6, 7:
          guard !revisions.isEmpty else { continue }
          try tx.record(
            "Reviewed", about: random.pick(revisions), ["score": .integer(Int64(random.number(0...3)))])
        default:
          revisions.append(
            try tx.insert("Revision", ["month": month(), "size": .integer(Int64(random.number(0...3)))]))
          if !authors.isEmpty { try tx.relate(revisions[revisions.count - 1], "author", to: random.pick(authors)) }
        }
      }
    }
  }

  private func maintain() throws {
    switch random.number(0...9) {
    case 0: try store.projection(random.pick(DrawnProjection.Kind.allCases).rawValue).rebuild()
    case 1: try reopen()
    case 2:
      _ = try? store.undo(.last())
      // It may have brought objects back, or taken them away.
      authors = try store.fetch(Request(entity: "Author")).rows.map(\.id)
      revisions = try store.fetch(Request(entity: "Revision")).rows.map(\.id)
    case 3: try store.makeSnapshot(at: Position(UInt64(random.number(1...Int(store.position.number)))))
    case 4: try catchUp()
    default: break
    }
  }

  private func reopen() throws {
    for follower in followers { follower.stop() }
    store.close()
    store = try Store(at: directory.path("store"), options: options)
    try catchUp()
  }

  private func catchUp() throws {
    for kind in DrawnProjection.Kind.allCases { try store.projection(kind.rawValue).catchUp() }
  }

  /// Followers of one projection, of two, and of one with stored objects.
  private func follow() throws {
    if followers.count < 4 {
      let requests = DrawnProjection.Kind.allCases.map { window($0.request) }
      let number = random.number(0..<requests.count)
      let other = requests[(number + random.number(1..<requests.count)) % requests.count]
      followers.append(
        DerivedFollower(
          requests[number],
          together: random.pick([nil, other, Request(entity: "Author", sort: [SortTerm(path: ["name"])])]),
          granularity: random.pick([.coalesced, .everyCommit])))
    }
    for follower in followers where random.isTrue(percent: 50) {
      try follower.follow(store)
      if random.isTrue(percent: 20) { follower.stop() }
    }
  }

  /// Returns a request for all rows of another one or for the first of them, in its order or the reverse.
  private func window(_ request: Request<StoredObject>) -> Request<StoredObject> {
    var request = request
    if random.isTrue(percent: 30) { request.fetch.sort[0].direction = .descending }
    if random.isTrue(percent: 30) { request.fetch.limit = random.number(1...4) }
    return request
  }

  private func followAll() throws {
    for follower in followers { try follower.follow(store) }
  }

  /// Opens the store with a version that makes other rows; a follower that comes back begins with a reset, once.
  private func useNextVersion() throws {
    version += 1
    options.projections = DrawnRun.projections(modes, version: version)
    try reopen()
    let counts = followers.map { (resets: $0.resetCount, changes: $0.changeCount) }
    try followAll()
    try followAll()
    for (follower, (resets, changes)) in zip(followers, counts) {
      guard follower.resetCount > resets, follower.changeCount == changes + 1 else {
        throw Mismatch("\(follower.changeCount - changes) changes, \(follower.resetCount - resets) resets")
      }
    }
  }

  /// Compares rows, their order and their differences at positions of which this share is drawn.
  private func check(percent: Int) throws {
    let states = try PlainDrawn.states(of: store, version: version)
    guard try states.count == Int(store.position.number) else { throw Mismatch("the log has \(states.count) commits") }
    for kind in DrawnProjection.Kind.allCases {
      let lists = try states.map { try $0.ids(of: kind) }
      for (number, list) in lists.enumerated() where random.isTrue(percent: percent) {
        let position = Position(UInt64(number) + 1)
        let ids = try store.read { try $0.ids(of: kind.request, at: position) }
        guard ids == list else { throw Mismatch("\(kind) at \(position): \(ids), not \(list)") }
        let rows = try read(kind, at: position)
        let expected = try states[number].rows(of: kind)
        guard rows == expected else { throw Mismatch("\(kind) at \(position): \(rows), not \(expected)") }
      }
      for _ in 0..<15 {
        let (from, to) = (random.number(0..<lists.count), random.number(0..<lists.count))
        let change = try store.difference(
          of: kind.request, from: Position(UInt64(from) + 1), to: Position(UInt64(to) + 1))
        let moved = try lists[from].applying(change.difference)
        guard moved == lists[to] else { throw Mismatch("\(kind), \(change): \(moved), not \(lists[to])") }
      }
    }
  }

  /// Reads the rows of a position, with their values that are not null.
  private func read(_ kind: DrawnProjection.Kind, at position: Position) throws -> [ObjectID: PlainDrawn.Row] {
    var rows: [ObjectID: PlainDrawn.Row] = [:]
    for object in try store.at(position).fetch(kind.request).rows {
      var row: PlainDrawn.Row = [:]
      for named in object.values where !named.value.isNull { row[named.name] = named.value }
      for link in object.links { row[link.name] = link.target.map { .uuid($0) } }
      rows[object.id] = row
    }
    return rows
  }
}
