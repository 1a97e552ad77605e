import Daybook
import Foundation

/// Daybook has many live requests open, each for another group, and returns the difference of each commit that touches
/// one of them.
final class DaybookLiveMany: Contestant {
  /// What is timed.
  enum Span {
    /// From the end of the commit's flush to the difference.
    case difference
    /// The commit too, which is durable.
    case commitAndDifference
  }

  let name: String
  let role = Role.subject
  private let workload: Workload
  private let requestCount: Int
  private let span: Span
  private let count: Int
  private let flushClock = FlushClock()
  private var store: Store?
  private var results: [LiveResults] = []

  init(_ workload: Workload, name: String, requestCount: Int, span: Span, count: Int) {
    self.workload = workload
    self.name = name
    self.requestCount = requestCount
    self.span = span
    self.count = count
  }

  func prepare(in directory: URL) throws {
    let store = try Store(liveIn: directory, with: workload, options: flushClock.options)
    self.store = store
    results = try (0..<requestCount).map { group in
      try store.liveResults(
        of: FetchRequest(
          entity: "Task", filter: try Filter(parsing: "group == \(group)"), sort: [SortTerm(["timestamp"])]))
    }
  }

  func run(round: Int) throws -> Work {
    let (store, results) = (prepared(store), results.first)
    let clock = ContinuousClock()
    var work = Work(operations: count, elapsed: .zero)
    // Either contestant follows the first group.
    let ids = workload.idsOfFirstGroup
    for (index, update) in workload.updates(count: count, round: round).enumerated() {
      let time = Value.date(Timestamp(microseconds: update.timestamp))
      let start = clock.now
      try store.write { try $0.set(ObjectID(ids[index % ids.count]), ["timestamp": time]) }
      let change = try results?.update()
      let elapsed = span == .difference ? flushClock.elapsed : clock.now - start
      guard results == nil || change?.difference.rows.count == 1 else {
        throw BenchmarkError.noDifference(contestant: name)
      }
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
