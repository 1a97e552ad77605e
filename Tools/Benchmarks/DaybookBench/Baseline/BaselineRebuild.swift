import Foundation

/// Raw LMDB folds its journal into fresh projections: sorted for each tree, appended.
final class BaselineRebuild: FilledBaseline {
  private var roundDirectory: URL?

  override func beginRound(_ round: Int, in directory: URL) {
    roundDirectory = directory
  }

  override func run(round: Int, in store: BaselineStore) throws -> Work {
    let tally = try store.rebuild(into: prepared(roundDirectory))
    return Work(operations: tally.count, digest: tally.sum)
  }
}
