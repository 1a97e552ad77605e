extension Fold {
  /// Folds a commit of events backward.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the commit does not fit the state.
  func undo(_ commit: CommitView) throws { try take(commit, .backward) }

  /// Folds a commit of events forward.
  ///
  /// - Throws: As ``undo(_:)``.
  func redo(_ commit: CommitView) throws { try take(commit, .forward) }

  private func take(_ commit: CommitView, _ direction: Direction) throws {
    let position = commit.header.position
    reset()
    do {
      try apply(commit.body, position: position, time: commit.header.time, direction: direction)
      _ = try finish()
    } catch let error as ProjectionFault {
      let side = direction == .forward ? "before" : "after"
      throw StoreError(
        .damaged, "Commit \(position) does not fit the state \(side) it: \(error).",
        advice: .verifyAndRestore)
    }
  }
}
