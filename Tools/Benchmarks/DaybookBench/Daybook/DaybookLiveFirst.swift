import CBaseline
import Daybook
import Foundation

/// Daybook opens a filled store and gives the first result of a live request over all rows; opening it is not counted.
final class DaybookLiveFirst: Contestant {
  /// What the rows are ordered by.
  enum Order {
    /// A time that a view has.
    case indexed
    /// A name that no view has.
    case unindexed
    /// Months, and the name in these.
    case sectioned

    fileprivate var request: Request<StoredObject> {
      switch self {
      case .indexed: Request(entity: "Task", sort: [SortTerm(path: ["timestamp"])])
      case .unindexed: Request(entity: "Task", sort: [SortTerm(path: ["name"])])
      case .sectioned:
        Request<StoredObject>(
          entity: "Task", sort: [SortTerm(path: ["name"])], section: SectionKey(path: ["timestamp"], transform: .month))
      }
    }
  }

  let name: String
  let role = Role.subject
  private let workload: Workload
  private let order: Order
  private let settings: Settings
  private var path: String?
  private var store: Store?

  init(_ workload: Workload, name: String, order: Order, settings: Settings) {
    self.workload = workload
    self.name = name
    self.order = order
    self.settings = settings
  }

  func prepare(in directory: URL) throws {
    path = try Store.fill(in: directory, with: workload, settings: settings)
  }

  func beginRound(_ round: Int, in directory: URL) throws {
    store = try Store(at: prepared(path))
    // The tables and the model are not what this job is about.
    _ = try store?.position
  }

  func run(round: Int) throws -> Work {
    let store = prepared(store)
    let before = baseline_allocated_bytes()
    let clock = ContinuousClock()
    let start = clock.now
    let results = try store.liveResults(of: order.request)
    let page = try results.rows(in: 0..<50)
    let elapsed = clock.now - start
    let held = before < 0 ? nil : Double(baseline_allocated_bytes() - before)
    guard try results.count == workload.records.count, !page.isEmpty else {
      throw BenchmarkError.noDifference(contestant: name)
    }
    var figures: [Figure: Double] = [:]
    figures[.heldBytesPerRow] = held.map { $0 / Double(workload.records.count) }
    return Work(
      operations: 1, elapsed: elapsed, figures: figures)
  }

  func endRound(_ round: Int) {
    store?.close()
    store = nil
  }
}
