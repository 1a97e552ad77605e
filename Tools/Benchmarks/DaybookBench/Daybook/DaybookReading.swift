import Daybook
import Foundation

/// Daybook fetches some rows from the middle of the sorted view.
///
/// Like the raw engine and keyset paging it is given the first row's key; ranks are for live results.
final class DaybookFetch: Contestant {
  let name = "Daybook"
  let role = Role.subject
  private let workload: Workload
  private let count: Int
  private let settings: Settings
  private var store: Store?
  private var requests: [Request<StoredObject>] = []

  init(_ workload: Workload, count: Int, settings: Settings) {
    self.workload = workload
    self.count = count
    self.settings = settings
  }

  func prepare(in directory: URL) throws {
    store = try Store(filledIn: directory, with: workload, settings: settings)
  }

  func beginRound(_ round: Int, in directory: URL) throws {
    requests = try workload.middleOffsets(count: count, round: round).map { offset in
      let first = Timestamp(microseconds: workload.records[workload.indexOrder[offset]].timestamp)
      return Request<StoredObject>(
        entity: "Task", filter: try Filter(parsing: "timestamp >= \(first)"), sort: [SortTerm(path: ["timestamp"])],
        limit: settings.fetchLimit)
    }
  }

  func run(round: Int) throws -> Work {
    let store = prepared(store)
    let digest = try store.fetch(requests[0]).rows.reduce(0) { $0 &+ $1.digest }
    for request in requests.dropFirst() { _ = try store.fetch(request) }
    return Work(operations: count, digest: digest)
  }

  func cleanUp() {
    store?.close()
    store = nil
  }
}

/// Daybook opens a filled store and reads one object.
final class DaybookOpen: Contestant {
  let name = "Daybook"
  let role = Role.subject
  private let workload: Workload
  private let count: Int
  private let settings: Settings
  private var path: String?

  init(_ workload: Workload, count: Int, settings: Settings) {
    self.workload = workload
    self.count = count
    self.settings = settings
  }

  func prepare(in directory: URL) throws {
    path = try Store.fill(in: directory, with: workload, settings: settings)
  }

  func run(round: Int) throws -> Work {
    try measuringOpens(of: workload, count: count, round: round) { id in
      let store = try Store(at: prepared(path))
      return (store, try store.get(ObjectID(id))?.digest ?? 0)
    } close: {
      $0.close()
    }
  }
}
