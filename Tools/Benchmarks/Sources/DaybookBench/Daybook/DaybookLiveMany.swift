import Daybook
import Foundation

/// Daybook has many live requests open, each for another group, and gives the difference of each commit that touches one
/// of them.
final class DaybookLiveMany: Contestant {
  /// What is timed.
  enum Span {
    /// From the commit's return to the difference.
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
    let store = try Store(liveIn: directory, with: workload)
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
    // The records of the first group, which either contestant follows.
    let ids = stride(from: 0, to: workload.records.count, by: Store.liveGroupCount).map { workload.records[$0].id }
    for (index, update) in workload.updates(count: count, round: round).enumerated() {
      let id = ObjectID(ids[index % ids.count])
      let time = Value.date(Timestamp(microseconds: update.timestamp))
      var start = clock.now
      try store.write { try $0.set(id, ["timestamp": time]) }
      if span == .difference { start = clock.now }
      let change = try results?.update()
      let elapsed = clock.now - start
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
