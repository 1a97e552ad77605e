import DaybookEngine
import DaybookModel

extension ProjectionRun {
  /// Applies the commits that the rows lack.
  ///
  /// - Parameters:
  ///   - target: The last commit to apply.
  ///   - objects: The objects that the projection reads.
  ///   - folded: Stored objects that were folded before.
  ///   - shouldContinue: Called after each commit; returns whether to continue.
  /// - Returns: The stored objects that were folded, from which a later call can continue.
  @discardableResult
  func takeIn(
    through target: Position, over objects: StoredWalk.Base, in journal: LMDBJournal,
    continuing folded: FoldedState? = nil, while shouldContinue: () throws -> Bool = { true }
  ) throws -> FoldedState? {
    let start = instance.checkpoint.position
    guard instance.stop == nil, start < target else { return folded }
    // Daybook's own projections read no objects.
    guard !(projection is any DaybookProjection) else {
      try journal.forEachCommit(from: start.next, through: target) { commit in
        try apply(commit.header, body: commit.body, hash: commit.hash, nil)
        return try instance.stop == nil && shouldContinue()
      }
      return nil
    }
    let walk = try StoredWalk(at: start, over: objects, continuing: folded)
    try objects.journal.forEachCommit(from: start.next, through: target) { commit in
      try walk.move(to: commit) { try apply(commit.header, body: commit.body, hash: commit.hash, $0) }
      return try instance.stop == nil && shouldContinue()
    }
    // A stop is before a commit that the walk has passed.
    return instance.stop == nil ? walk.folded : nil
  }
}
