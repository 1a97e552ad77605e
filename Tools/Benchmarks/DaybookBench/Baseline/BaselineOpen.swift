import Foundation

/// Raw LMDB opens both environments and reads one object.
final class BaselineOpen: Contestant {
  let name = PeerName.rawLMDB
  let role = Role.engine
  private let workload: Workload
  private let count: Int
  private let settings: Settings
  private var directory: URL?

  init(_ workload: Workload, count: Int, settings: Settings) {
    self.workload = workload
    self.count = count
    self.settings = settings
  }

  func prepare(in directory: URL) throws {
    _ = try BaselineStore(filledIn: directory, with: workload, settings: settings)
    self.directory = directory
  }

  func run(round: Int) throws -> Work {
    try measuringOpens(of: workload, count: count, round: round) { id in
      let store = try BaselineStore(in: prepared(directory), flushesJournal: true, rows: workload.records.count)
      return (store, try store.get(id).sum)
    } close: { store in
      // It is closed when the last reference to it goes.
      withExtendedLifetime(store) {}
    }
  }
}
