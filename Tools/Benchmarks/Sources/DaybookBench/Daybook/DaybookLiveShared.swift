import Daybook
import Foundation

/// Daybook has different live requests open that each commit touches, and returns the differences of all of them.
///
/// Each request has the rows of one group after another time, so that all contain the row that a commit changes.
final class DaybookLiveShared: Contestant {
  let name: String
  let role = Role.subject
  private let workload: Workload
  private let requestCount: Int
  private let count: Int
  private let clock = FlushClock()
  private var store: Store?
  private var results: [LiveResults] = []

  init(_ workload: Workload, name: String, requestCount: Int, count: Int) {
    self.workload = workload
    self.name = name
    self.requestCount = requestCount
    self.count = count
  }

  func prepare(in directory: URL) throws {
    let store = try Store(liveIn: directory, with: workload, options: clock.options)
    self.store = store
    let first = workload.firstTimestamp
    results = try (0..<requestCount).map { number in
      let time = Timestamp(microseconds: first - 1 - Int64(number))
      return try store.liveResults(
        of: FetchRequest(
          entity: "Task", filter: try Filter(parsing: "group == 0 AND timestamp > \(time)"),
          sort: [SortTerm(["timestamp"])]))
    }
  }

  func run(round: Int) throws -> Work {
    let store = prepared(store)
    var work = Work(operations: count, elapsed: .zero)
    let ids = workload.idsOfFirstGroup
    for (index, update) in workload.updates(count: count, round: round).enumerated() {
      let time = Value.date(Timestamp(microseconds: update.timestamp))
      try store.write { try $0.set(ObjectID(ids[index % ids.count]), ["timestamp": time]) }
      for result in results {
        guard try result.update()?.difference.rows.count == 1 else {
          throw BenchmarkError.noDifference(contestant: name)
        }
      }
      let elapsed = clock.elapsed
      work.elapsed? += elapsed
      work.latencies.append(elapsed)
    }
    return work
  }

  func cleanUp() {
    results = []
    store?.close()
    store = nil
  }
}
