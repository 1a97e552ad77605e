import DaybookEngine
import DaybookModel

extension ProjectionRun {
  /// Applies the commits that the rows lack.
  ///
  /// - Parameters:
  ///   - target: The last commit to apply.
  ///   - scope: What the projection reads, at that position or a later one.
  ///   - rewindLimit: The most commits that are undone in memory to read stored objects.
  ///   - folded: Stored objects that were folded before.
  ///   - shouldContinue: Called after each commit; returns whether to continue.
  /// - Returns: The stored objects that were folded, from which a later call can continue.
  @discardableResult
  func takeIn(
    through target: Position, before scope: ScopedState, in journal: LMDBJournal, rewindLimit: UInt64,
    continuing folded: FoldedState? = nil,
    while shouldContinue: () throws -> Bool = { true }
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
    let walk = try StoredWalk(at: start, before: scope, rewindLimit: rewindLimit, continuing: folded)
    try scope.journal.forEachCommit(from: start.next, through: target) { commit in
      try walk.move(to: commit, before: scope.state) {
        try apply(commit.header, body: commit.body, hash: commit.hash, $0)
      }
      return try instance.stop == nil && shouldContinue()
    }
    // A stop is before a commit that the walk has passed.
    return instance.stop == nil ? walk.folded : nil
  }
}
