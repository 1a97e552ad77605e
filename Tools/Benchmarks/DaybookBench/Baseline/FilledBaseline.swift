import Foundation

/// Raw LMDB over a store that holds the workload; a subclass does the work of the job.
class FilledBaseline: Contestant {
  let name: String
  let role = Role.engine
  let workload: Workload
  let settings: Settings
  private var filled: BaselineStore?

  init(_ workload: Workload, name: String = PeerName.rawLMDB, settings: Settings) {
    self.workload = workload
    self.name = name
    self.settings = settings
  }

  final func prepare(in directory: URL) throws {
    filled = try BaselineStore(filledIn: directory, with: workload, settings: settings)
  }

  func beginRound(_ round: Int, in directory: URL) {}

  final func run(round: Int) throws -> Work { try run(round: round, in: prepared(filled)) }

  /// Does the job once.
  func run(round: Int, in store: BaselineStore) throws -> Work {
    preconditionFailure("A subclass does the work.")
  }

  final func cleanUp() {
    filled = nil
  }
}
