import Foundation
import GRDB
import Synchronization

/// GRDB observes all rows sorted by name, and a difference is computed when a commit renames one: what a user would write
/// for a list that follows the database.
///
/// The identities come from an index that has all that the query needs. What is timed is the way from the end of the
/// transaction's closure to the difference: the observation begins to read before the write returns. The commit that is
/// in this time is not flushed.
final class GRDBLiveChange: Contestant {
  let name: String
  let role = Role.peer
  private let workload: Workload
  private let count: Int
  private var store: GRDBStore?
  private var observation: AnyDatabaseCancellable?
  private let list = ObservedList()

  init(_ workload: Workload, name: String, count: Int) {
    self.workload = workload
    self.name = name
    self.count = count
  }

  func prepare(in directory: URL) throws {
    let store = try GRDBStore(filledIn: directory, with: workload, variant: .tunedForCommits(.off))
    try store.pool.write { try $0.execute(sql: "CREATE INDEX todoByName ON todo(name, id)") }
    self.store = store
    let list = list
    observation =
      ValueObservation
      // The region is declared constant, or the list would be read before the commit returns.
      .trackingConstantRegion { database in
        (
          ids: try UUID.fetchAll(database, sql: "SELECT id FROM todo ORDER BY name, id"),
          change: try database.lastChange()
        )
      }
      .start(
        in: store.pool, scheduling: .async(onQueue: DispatchQueue(label: "list")),
        onError: { fatalError("The observation ended: \($0)") }, onChange: { list.show($0.ids, change: $0.change) })
    try list.wait(for: 0, name)
  }

  func run(round: Int) throws -> Work {
    let store = prepared(store)
    let clock = ContinuousClock()
    var work = Work(operations: count, elapsed: .zero)
    for update in workload.updates(count: count, round: round) {
      let (change, start) = try store.rename(update, clock)
      try list.wait(for: change, name)
      let elapsed = clock.now - start
      work.add(elapsed)
    }
    return work
  }

  func cleanUp() throws {
    observation = nil
    try store?.close()
    store = nil
  }
}

/// What a list shows.
private final class ObservedList: Sendable {
  private struct State {
    var ids: [UUID]?
    var changeCount = 0
  }

  private let state = Mutex(State())
  /// The last change that is shown; an observation may deliver the same one twice.
  private let shownChange = Mutex(-1)
  private let shown = DispatchSemaphore(value: 0)

  func show(_ new: [UUID], change: Int) {
    state.withLock { state in
      // Empty if the row has found its old place again.
      if let old = state.ids { state.changeCount += new.difference(from: old).count }
      state.ids = new
    }
    shownChange.withLock { $0 = change }
    shown.signal()
  }

  func wait(for change: Int, _ contestant: String) throws {
    while shownChange.withLock({ $0 < change }) {
      guard shown.wait(timeout: .now() + 60) == .success else {
        throw BenchmarkError.noDifference(contestant: contestant)
      }
    }
  }
}

extension Database {
  /// The number of the last change in the history.
  fileprivate func lastChange() throws -> Int {
    try Int.fetchOne(self, sql: "SELECT max(sequence) FROM history") ?? 0
  }
}

extension GRDBStore {
  /// - Returns: The number of the change, and the moment before it was committed.
  fileprivate func rename(_ update: Update, _ clock: ContinuousClock) throws -> (Int, ContinuousClock.Instant) {
    try pool.write { database in
      let statement = try database.cachedStatement(sql: "UPDATE todo SET name = ? WHERE id = ?")
      try statement.execute(arguments: [update.name, update.id])
      return (try database.lastChange(), clock.now)
    }
  }
}
