import Daybook
import Foundation

/// Daybook keeps a live result of all rows, sorted by name, and gives the difference of each commit that renames one.
///
/// What is timed is the way from the commit's return to the difference.
final class DaybookLiveChange: Contestant {
  let name: String
  let role = Role.subject
  private let workload: Workload
  private let count: Int
  private var store: Store?
  private var results: LiveResults?

  init(_ workload: Workload, name: String, count: Int) {
    self.workload = workload
    self.name = name
    self.count = count
  }

  func prepare(in directory: URL) throws {
    let store = try Store(liveIn: directory, with: workload)
    self.store = store
    results = try store.liveResults(of: FetchRequest(entity: "Task", sort: [SortTerm(["name"])]))
  }

  func run(round: Int) throws -> Work {
    let (store, results) = (prepared(store), prepared(results))
    let clock = ContinuousClock()
    var work = Work(operations: count, elapsed: .zero)
    for update in workload.updates(count: count, round: round) {
      try store.write { try $0.set(ObjectID(update.id), ["name": .string(update.name)]) }
      let start = clock.now
      let change = try results.update()
      let elapsed = clock.now - start
      guard change?.difference.rows.count == 1 else { throw BenchmarkError.noDifference(contestant: name) }
      work.elapsed? += elapsed
      work.latencies.append(elapsed)
    }
    return work
  }

  func cleanUp() {
    results = nil
    store?.close()
    store = nil
  }
}
