import DaybookTestSupport
import Foundation
import Synchronization
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Another process writes and is killed, even between its commits, while this one follows.
@Suite(.hangLimit) struct KilledWriterFeedTests {
  /// The number of kills; `DAYBOOK_FOLLOWED_KILLS` overrides it.
  private let killCount = Rounds.given("DAYBOOK_FOLLOWED_KILLS") ?? 50

  @Test func nothingIsMissedOrRepeated() async throws {
    let seed = Seeds.one
    do {
      let run = try FollowedKills(seed: seed)
      try await run.run(killCount)
    } catch {
      throw SeedFailure(seed: seed, error: error)
    }
  }
}

/// A store that this process follows and other processes write.
private final class FollowedKills: Sendable {
  private let directory: TemporaryDirectory
  private let store: Store
  private let seed: UInt64
  /// The position of each commit from the commit feed, and the end of each difference.
  private let commits = Mutex<[(position: Position, id: ObjectID?)]>([])
  private let changes = Mutex<[Position]>([])
  private let request = Request(entity: "Note", sort: [SortTerm(path: ["title"])])

  init(seed: UInt64) throws {
    self.seed = seed
    directory = try TemporaryDirectory()
    store = try Store(at: directory.path("store"), model: CrashRun.model)
    try store.write { try $0.insert("Tag", ["name": "all"]) }
  }

  func run(_ killCount: Int) async throws {
    let list = Task {
      var list = SectionedIDs<ObjectID>.empty(self.request)
      for try await change in self.store.changes(of: self.request, from: 2, granularity: .everyCommit) {
        list = try list.applying(change.difference)
        self.changes.withLock { $0.append(change.to) }
        if try self.store.get(.zero) != nil, try change.to == self.store.position { break }
      }
      return list
    }
    let copy = Task {
      for try await commit in self.store.commits(from: 3) {
        self.commits.withLock { $0.append((commit.position, commit.commitID)) }
      }
    }
    let acknowledged = try await kill(killCount)
    // The last note ends the loop.
    try store.writeNow { try $0.insert("Note", ["title": "", "size": 0], id: .zero) }
    #expect(try await list.value == store.fetch(request).ids)
    try await untilCopied()
    copy.cancel()
    try await copy.value
    try compare(acknowledged)
    try closeAndVerify(store)
  }

  /// Starts a writer and kills it, a number of times.
  ///
  /// - Returns: The position of each acknowledged commit.
  private func kill(_ count: Int) async throws -> [ObjectID: Position] {
    var random = SeededRandom(seed: seed)
    var acknowledged: [ObjectID: Position] = [:]
    var first: UInt64 = 0
    for _ in 0..<count {
      let writer = KilledWriter(seed: seed, first: first)
      let probe = random.pick(["none", "none"] + WriteProbe.ofCommits.map(\.rawValue) + ["betweenCommits"])
      try writer.start(
        store.path, durability: "relaxed", mode: random.isTrue(percent: 30) ? "batch" : "one", probe: probe,
        count: random.number(1...8))
      try await Task.sleep(for: .milliseconds(random.number(20...90)))
      for (number, position) in try writer.kill() {
        acknowledged[ObjectID(high: seed, low: number)] = position
        first = max(first, number + 1)
      }
      // The writer's commits must arrive without further writes, whether its projections were committed or not.
      try await untilCopied()
    }
    return acknowledged
  }

  /// Waits until the commit feed has reached the end of the journal.
  private func untilCopied() async throws {
    let head = try store.files.journalEnvironment.withSnapshot {
      try LMDBJournal(snapshot: $0, tables: store.files.journalTables).head()
    }
    // Much longer than necessary, because other tests may use all threads.
    for _ in 0..<6_000 where last < head { try await Task.sleep(for: .milliseconds(5)) }
    guard last >= head else { throw Mismatch("commit \(head) did not arrive, only \(last)") }
  }

  private var last: Position { commits.withLock { $0.last?.position ?? 2 } }

  private func compare(_ acknowledged: [ObjectID: Position]) throws {
    let head = try store.position
    let positions = (3...head.number).map { Position($0) }
    let commits = commits.withLock { $0 }
    #expect(commits.map(\.position) == positions, "a commit was missed or repeated")
    // Each commit of a writer inserts a note, so each makes a difference.
    #expect(changes.withLock { $0 } == positions, "a difference was missed or repeated")
    #expect(!acknowledged.isEmpty)
    let ids = Dictionary(commits.compactMap { commit in commit.id.map { ($0, commit.position) } }) { first, _ in first }
    for (id, position) in acknowledged { #expect(ids[id] == position) }
  }
}
