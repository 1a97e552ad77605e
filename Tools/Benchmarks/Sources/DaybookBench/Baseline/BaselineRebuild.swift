import Foundation

/// Raw LMDB folds its journal into fresh projections: sorted for each tree, appended.
final class BaselineRebuild: Contestant {
  let name = PeerName.rawLMDB
  let role = Role.engine
  private let workload: Workload
  private let settings: Settings
  private var store: BaselineStore?
  private var roundDirectory: URL?

  init(_ workload: Workload, settings: Settings) {
    self.workload = workload
    self.settings = settings
  }

  func prepare(in directory: URL) throws {
    store = try BaselineStore(filledIn: directory, with: workload, settings: settings)
  }

  func beginRound(_ round: Int, in directory: URL) {
    roundDirectory = directory
  }

  func run(round: Int) throws -> Work {
    let tally = try prepared(store).rebuild(into: prepared(roundDirectory))
    return Work(operations: tally.count, digest: tally.sum)
  }

  func cleanUp() {
    store = nil
  }
}
