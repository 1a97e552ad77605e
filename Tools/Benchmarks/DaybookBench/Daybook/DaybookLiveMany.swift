import Daybook
import Foundation

/// Daybook has live requests open, and returns the differences of each commit that touches one of them, or all.
final class DaybookLiveMany: Contestant {
  /// What is followed.
  enum Requests {
    /// Each group by a request of its own, of which a commit touches the first.
    case ofEachGroup(Int)
    /// The first group by different requests, all of which a commit touches.
    case ofOneGroup(Int)
  }

  /// What is timed.
  enum Span {
    /// From the end of the commit's flush to the last difference.
    case difference
    /// The commit too, which is durable.
    case commitAndDifference
  }

  let name: String
  let role = Role.subject
  private let workload: Workload
  private let requests: Requests
  private let span: Span
  private let count: Int
  private let flushClock = FlushClock()
  private var store: Store?
  private var results: [LiveResults<StoredObject>] = []

  init(_ workload: Workload, name: String, requests: Requests, span: Span, count: Int) {
    self.workload = workload
    self.name = name
    self.requests = requests
    self.span = span
    self.count = count
  }

  func prepare(in directory: URL) throws {
    let store = try Store(liveIn: directory, with: workload, options: flushClock.options)
    self.store = store
    results = try filters().map { filter in
      try store.liveResults(
        of: Request(entity: "Task", filter: try Filter(parsing: filter), sort: [SortTerm(path: ["timestamp"])]))
    }
  }

  private func filters() -> [String] {
    switch requests {
    case .ofEachGroup(let count): return (0..<count).map { "group == \($0)" }
    case .ofOneGroup(let count):
      // All times are later, so each request has all rows of the group.
      let first = workload.firstTimestamp
      return (0..<count).map { "group == 0 AND timestamp > \(Timestamp(microseconds: first - 1 - Int64($0)))" }
    }
  }

  /// The results that each commit touches.
  private var touched: ArraySlice<LiveResults<StoredObject>> {
    switch requests {
    case .ofEachGroup: results.prefix(1)
    case .ofOneGroup: results[...]
    }
  }

  func run(round: Int) throws -> Work {
    let (store, touched) = (prepared(store), touched)
    let clock = ContinuousClock()
    var work = Work(operations: count, elapsed: .zero)
    let ids = workload.idsOfFirstGroup
    for (index, update) in workload.updates(count: count, round: round).enumerated() {
      let time = Value.date(Timestamp(microseconds: update.timestamp))
      let start = clock.now
      try store.write { try $0.set(ObjectID(ids[index % ids.count]), ["timestamp": time]) }
      for results in touched {
        guard try results.update()?.difference.rows.count == 1 else {
          throw BenchmarkError.noDifference(contestant: name)
        }
      }
      work.add(span == .difference ? flushClock.elapsed : clock.now - start)
    }
    return work
  }

  func cleanUp() {
    results = []
    store?.close()
    store = nil
  }
}
