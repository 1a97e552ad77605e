import Daybook
import Foundation

/// Daybook keeps a measure over a filtered request, and delivers its value after each commit that moves a row into the
/// result or out of it.
final class DaybookLiveValue: Contestant {
  let name: String
  let role = Role.subject
  private let workload: Workload
  private let measure: @Sendable (Request<StoredObject>) -> Measure<StoredObject>
  private let count: Int
  private let clock = FlushClock()
  private var store: Store?
  private var values: Feed<LiveValue>.AsyncIterator?
  /// The flags of the records at present.
  private var flags: [Bool]

  init(
    _ workload: Workload, name: String,
    measure: @escaping @Sendable (Request<StoredObject>) -> Measure<StoredObject>, count: Int
  ) {
    self.workload = workload
    self.name = name
    self.measure = measure
    self.count = count
    flags = workload.records.map(\.isDone)
  }

  func prepare(in directory: URL) async throws {
    let store = try Store(liveIn: directory, with: workload, options: clock.options)
    let request = Request<StoredObject>(
      entity: "Task", filter: try Filter(parsing: "isDone == true"), sort: [SortTerm(path: ["timestamp"])])
    var values = store.values(of: measure(request)).makeAsyncIterator()
    // The first value is there before any commit.
    _ = try await values.next()
    self.store = store
    self.values = values
  }

  func run(round: Int) async throws -> Work {
    let store = prepared(store)
    var values = prepared(values)
    var random = SplitMix64(seed: UInt64(round + 5000))
    let writes = (0..<count).map { _ -> @Sendable () throws -> Void in
      var index = Int.random(in: 0..<flags.count, using: &random)
      // A row of group 0 would not change the sum of the groups.
      if index % Store.liveGroupCount == 0 { index += 1 }
      flags[index].toggle()
      let (id, flag) = (ObjectID(workload.records[index].id), flags[index])
      return { try store.write { try $0.set(id, ["isDone": .boolean(flag)]) } }
    }
    return try await measuringDeliveries(of: &values, writes, clock)
  }

  func cleanUp() {
    values = nil
    store?.close()
    store = nil
  }
}
