import Daybook
import Foundation

/// Daybook keeps a live result of all rows, sorted by name, and returns the difference of each commit that renames one.
///
/// What is timed is the way from the end of the commit's flush until the difference is ready: a follower that asks then gets
/// it at once. The writer takes it after the commit and checks it.
final class DaybookLiveChange: Contestant {
  let name: String
  let role = Role.subject
  private let workload: Workload
  private let count: Int
  private let isDerived: Bool
  private let clock = FlushClock()
  private var store: Store?
  private var results: LiveResults<StoredObject>?

  /// - Parameter isDerived: Whether the result is of copies of the objects, which an inline projection makes.
  init(_ workload: Workload, name: String, count: Int, isDerived: Bool = false) {
    self.workload = workload
    self.name = name
    self.count = count
    self.isDerived = isDerived
  }

  func prepare(in directory: URL) throws {
    var options = clock.options
    if isDerived { options.projections = [CopyProjection()] }
    let store = try Store(liveIn: directory, with: workload, options: options)
    self.store = store
    let entity = isDerived ? CopyProjection.entity : "Task"
    results = try store.liveResults(of: Request(entity: entity, sort: [SortTerm(path: ["name"])]))
  }

  func run(round: Int) throws -> Work {
    let (store, results) = (prepared(store), prepared(results))
    var work = Work(operations: count, elapsed: .zero)
    for update in workload.updates(count: count, round: round) {
      try store.write { try $0.set(ObjectID(update.id), ["name": .string(update.name)]) }
      let change = try results.update()
      let elapsed = clock.timeUntilReady
      guard change?.difference.rows.count == 1 else { throw BenchmarkError.noDifference(contestant: name) }
      work.add(elapsed)
    }
    return work
  }

  func cleanUp() {
    results = nil
    store?.close()
    store = nil
  }
}

/// Daybook delivers the same differences to a task that loops over the changes of the live result.
///
/// What is timed is the way from the end of the commit's flush to the step of the loop.
final class DaybookLiveDelivery: Contestant {
  let name: String
  let role = Role.subject
  private let workload: Workload
  private let count: Int
  private let clock = FlushClock()
  private var store: Store?
  private var results: LiveResults<StoredObject>?
  private var changes: Feed<Change<Difference<ObjectID>>>.AsyncIterator?

  init(_ workload: Workload, name: String, count: Int) {
    self.workload = workload
    self.name = name
    self.count = count
  }

  func prepare(in directory: URL) throws {
    let store = try Store(liveIn: directory, with: workload, options: clock.options)
    let results = try store.liveResults(of: Request(entity: "Task", sort: [SortTerm(path: ["name"])]))
    self.store = store
    self.results = results
    changes = results.changes.makeAsyncIterator()
  }

  func run(round: Int) async throws -> Work {
    let store = prepared(store)
    var changes = prepared(changes)
    let writes = workload.updates(count: count, round: round).map { update -> @Sendable () throws -> Void in
      { try store.write { try $0.set(ObjectID(update.id), ["name": .string(update.name)]) } }
    }
    return try await measuringDeliveries(of: &changes, writes, clock)
  }

  func cleanUp() {
    changes = nil
    results = nil
    store?.close()
    store = nil
  }
}
