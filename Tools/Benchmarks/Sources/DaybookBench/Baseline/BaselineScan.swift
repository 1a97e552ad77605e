import Foundation

/// Raw LMDB reads every key of the sorted view, which is the least that counting or ranking its rows takes.
final class BaselineScan: Contestant {
  let name = PeerName.rawLMDB
  let role = Role.engine
  private let workload: Workload
  private let settings: Settings
  private var store: BaselineStore?

  init(_ workload: Workload, settings: Settings) {
    self.workload = workload
    self.settings = settings
  }

  func prepare(in directory: URL) throws {
    store = try BaselineStore(filledIn: directory, with: workload, settings: settings)
  }

  func run(round: Int) throws -> Work {
    guard try prepared(store).scanView().count == workload.records.count else {
      throw BenchmarkError.noDifference(contestant: name)
    }
    return Work(operations: 1)
  }

  func cleanUp() {
    store = nil
  }
}
