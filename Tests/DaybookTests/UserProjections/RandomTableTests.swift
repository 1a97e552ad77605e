import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Random commits, and followers of typed tables, which are compared with dictionaries.
@Suite(.hangLimit) struct RandomTableTests {
  @Test func followedTablesAreThoseOfThePlainLedger() throws {
    try Seeds.run(Rounds.of(12, "DAYBOOK_TABLE_RUNS")) { seed in try TableRun(seed: seed).run() }
  }
}

private final class TableRun {
  typealias Count = LedgerProjection.Count
  typealias AuthorName = LedgerProjection.AuthorName

  private let directory: TemporaryDirectory
  private let mode: ProjectionMode
  private var store: Store
  private var random: SeededRandom
  private var plain = PlainLedger()
  private var version = 1
  private var ids: [ObjectID] = []
  private var names: [Follower<String, Count>] = []
  private var authors: [Follower<AuthorName, Int>] = []

  private static let authors: [String?] = [nil, "emma", "paul"]

  init(seed: UInt64) throws {
    directory = try TemporaryDirectory()
    random = SeededRandom(seed: seed)
    mode = random.pick([.inline, .catchUp])
    store = try Store(
      at: directory.path("store"), model: FeedModel.model, options: .knowing(LedgerProjection(mode: mode)))
  }

  func run() throws {
    for _ in 0..<60 {
      for _ in 0..<random.number(0...3) { try commit() }
      try maintain()
      try follow()
      let position = try store.projection("ledger").read { $0.position }
      try plain.follow(store, through: position)
      for follower in names where random.isTrue(percent: 60) { try follower.step(store, plain.names, at: position) }
      for follower in authors where random.isTrue(percent: 60) { try follower.step(store, plain.authors, at: position) }
    }
    let faults = try store.verify().faults
    guard faults.isEmpty else { throw Mismatch("\(faults)") }
    store.close()
  }

  private func commit() throws {
    let names = (0..<8).map { "n\($0)" } + ["bad1", "bad2"]
    _ = try store.commit(CommitInfo(author: random.pick(TableRun.authors))) { tx in
      for _ in 0..<random.number(1...4) {
        let name = random.pick(names)
        switch random.number(0...3) {
        case 0, 1: ids.append(try tx.insert("Recipe", ["name": .string(name)]))
        case 2: if !ids.isEmpty { try tx.rename(random.pick(ids), to: name) }
        default: if !ids.isEmpty { try tx.delete(ids.remove(at: random.number(0...(ids.count - 1)))) }
        }
      }
    }
  }

  /// Catches up, rebuilds, or opens the store again, perhaps with a later version.
  private func maintain() throws {
    switch random.number(0...9) {
    case 0...4: try store.projection("ledger").catchUp()
    case 5: try store.projection("ledger").rebuild()
    case 6:
      store.close()
      if random.isTrue(percent: 50) { version += 1 }
      store = try Store(
        at: directory.path("store"), options: .knowing(LedgerProjection(version: version, mode: mode)))
      for follower in names { follower.reopen() }
      for follower in authors { follower.reopen() }
    default: break
    }
  }

  private func follow() throws {
    if names.count < 4 {
      let keys = random.pick([KeyRange<String>.all, .from("n2"), .from("n1", upTo: "n6"), .through("n3")])
      names.append(Follower(window(TableRequest(LedgerProjection.byName, keys: keys))))
    }
    if authors.count < 3 {
      let keys = random.pick([KeyRange<AuthorName>.all, .beginning(with: ["emma"]), .beginning(with: [.null])])
      authors.append(Follower(window(TableRequest(LedgerProjection.byAuthor, keys: keys))))
    }
    if random.isTrue(percent: 10) { names.removeLast() }
    if random.isTrue(percent: 10) { authors.removeLast() }
  }

  private func window<Key, Content>(_ request: TableRequest<Key, Content>) -> TableRequest<Key, Content> {
    var request = request
    request.isDescending = random.isTrue(percent: 50)
    if random.isTrue(percent: 30) { request.offset = random.number(0...3) }
    if random.isTrue(percent: 30) { request.limit = random.number(0...4) }
    return request
  }
}

/// A consumer of a table's feed, with the rows that follow from the elements.
private final class Follower<Key: TableKey & Equatable, Content: AttributeValue & Equatable> {
  private let request: TableRequest<Key, Content>
  private var source: TableSource<Key, Content>?
  private var known: TableRows<Key, Content>?
  private var rows: [TableRow<Key, Content>] = []
  private var last = Position.empty

  init(_ request: TableRequest<Key, Content>) { self.request = request }

  /// Continues from the rows that it has, in a store that was opened again.
  func reopen() { source = nil }

  func step(_ store: Store, _ all: [TableRow<Key, Content>], at position: Position) throws {
    let source = self.source ?? TableSource(store, request, of: "ledger", from: known)
    self.source = source
    switch try source.poll() {
    case .state(let state):
      guard known == nil else { throw Mismatch("a second state") }
      rows = try state.rows
    case .change(let change):
      guard change.from == last, !change.difference.isEmpty else { throw Mismatch("\(change)") }
      rows = try change.difference.applied(to: rows)
    case nil: break
    }
    guard source.position == position else { throw Mismatch("it is at \(source.position) instead of \(position)") }
    guard try source.poll() == nil else { throw Mismatch("a second element at one position") }
    let wanted = try wanted(all)
    guard rows == wanted else { throw Mismatch("\(request.keys) at \(position): \(rows) instead of \(wanted)") }
    guard try store.count(request, in: "ledger") == wanted.count else { throw Mismatch("a wrong count") }
    let present = try store.rows(of: request, in: "ledger")
    if known == nil || present.content.rows != known?.content.rows { (known, last) = (present, position) }
  }

  private func wanted(_ all: [TableRow<Key, Content>]) throws -> [TableRow<Key, Content>] {
    let range = try request.bytes()
    let inRange = try all.filter { row in
      let key = try ProjectionKey.full(row.key.keyBytes(), in: request.table.name)
      return !key.lexicographicallyPrecedes(range.lower) && key.lexicographicallyPrecedes(range.upper)
    }
    let ordered = request.isDescending ? inRange.reversed() : inRange
    return Array(ordered.dropFirst(request.offset).prefix(request.limit ?? .max))
  }
}
