import DaybookEngine
import DaybookModel

extension ProjectionRun {
  /// Applies the commits that the rows lack.
  ///
  /// - Parameters:
  ///   - target: The last commit to apply.
  ///   - present: The stored objects at that position or a later one, for a projection with derived entities.
  ///   - rewindLimit: The most commits that are undone in memory to read stored objects.
  ///   - folded: Stored objects that were folded before, for a projection with derived entities.
  ///   - shouldContinue: Called after each commit; returns whether to continue.
  /// - Returns: The stored objects that were folded, from which a later call can continue.
  @discardableResult
  func takeIn(
    through target: Position, before present: State?, in journal: LMDBJournal, rewindLimit: UInt64,
    continuing folded: FoldedState? = nil,
    while shouldContinue: () -> Bool = { true }
  ) throws -> FoldedState? {
    let start = instance.checkpoint.position
    guard instance.stop == nil, start < target else { return folded }
    let walk = try present.flatMap {
      try derived == nil
        ? nil : StoredWalk(at: start, before: $0, in: journal, rewindLimit: rewindLimit, continuing: folded)
    }
    try journal.forEachCommit(from: start.next, through: target) { commit in
      if let walk, let present {
        try walk.move(to: commit, before: present) {
          try apply(commit.header, body: commit.body, hash: commit.hash, $0)
        }
      } else {
        try apply(commit.header, body: commit.body, hash: commit.hash)
      }
      return instance.stop == nil && shouldContinue()
    }
    // A stop is before a commit that the walk has passed.
    return instance.stop == nil ? walk?.folded : nil
  }
}
