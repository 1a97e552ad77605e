import Foundation

/// Raw LMDB reads every event of its journal.
final class BaselineReplay: Contestant {
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
    let tally = try prepared(store).scanJournal()
    return Work(operations: tally.count, digest: tally.sum)
  }

  func cleanUp() {
    store = nil
  }
}
