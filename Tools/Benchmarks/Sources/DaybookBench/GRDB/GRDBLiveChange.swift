import Foundation
import GRDB
import Synchronization

/// GRDB observes all rows sorted by name, and a difference is computed when a commit renames one: what a user would write
/// for a list that follows the database.
///
/// The identities come from an index that has all that the query needs. What is timed is the way from the commit's return
/// to the difference.
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
    let store = try GRDBStore(filledIn: directory, with: workload, variant: .tunedForCommits(.full))
    try store.pool.write { try $0.execute(sql: "CREATE INDEX todoByName ON todo(name, id)") }
    self.store = store
    let list = list
    observation =
      ValueObservation
      // The region is said to be constant, or the list would be read before the commit returns.
      .trackingConstantRegion { try UUID.fetchAll($0, sql: "SELECT id FROM todo ORDER BY name, id") }
      .start(
        in: store.pool, scheduling: .async(onQueue: DispatchQueue(label: "list")),
        onError: { fatalError("The observation ended: \($0)") }, onChange: { list.show($0) })
    list.first.wait()
    // A pool that finds something new while it begins to observe delivers once more; after that, once for each commit.
    while list.changed.wait(timeout: .now() + 3) == .success {}
  }

  func run(round: Int) throws -> Work {
    let store = prepared(store)
    let clock = ContinuousClock()
    var work = Work(operations: count, elapsed: .zero)
    for update in workload.updates(count: count, round: round) {
      try store.rename(update)
      let start = clock.now
      guard list.changed.wait(timeout: .now() + 60) == .success else {
        throw BenchmarkError.noDifference(contestant: name)
      }
      let elapsed = clock.now - start
      work.elapsed? += elapsed
      work.latencies.append(elapsed)
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
  private let state = Mutex<(ids: [UUID]?, changeCount: Int)>((nil, 0))
  /// Signalled when there is something to show, and each time that something else is.
  let first = DispatchSemaphore(value: 0)
  let changed = DispatchSemaphore(value: 0)

  func show(_ new: [UUID]) {
    state.withLock { state in
      defer { state.ids = new }
      guard let old = state.ids else {
        _ = first.signal()
        return
      }
      // Empty if the row has found its old place again.
      state.changeCount += new.difference(from: old).count
      changed.signal()
    }
  }
}

extension GRDBStore {
  fileprivate func rename(_ update: Update) throws {
    try pool.write { database in
      let statement = try database.cachedStatement(sql: "UPDATE todo SET name = ? WHERE id = ?")
      try statement.execute(arguments: [update.name, update.id])
    }
  }
}
