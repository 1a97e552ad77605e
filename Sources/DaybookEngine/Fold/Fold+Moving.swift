import DaybookModel

extension Fold {
  /// Folds one commit of events, forward or backward.
  ///
  /// - Parameter damagedPath: The environment of the tables, if it may be damaged instead of the journal.
  /// - Returns: The rules of the model that the resulting state breaks.
  /// - Throws: `StoreError` with the code `damaged` if the commit does not fit the state.
  @discardableResult
  package func fold(
    _ header: CommitHeader, events: RawSpan, _ direction: Direction, damagedPath: String? = nil
  ) throws -> [Violation] {
    reset()
    do {
      try apply(events, position: header.position, time: header.time, direction: direction)
      return try finish()
    } catch let error as ProjectionFault {
      throw StoreError(contradiction: error, at: header.position, direction, damagedPath: damagedPath)
    }
  }

  /// Folds the commits that lead from one position to another, up to a commit of a model.
  ///
  /// - Parameters:
  ///   - damagedPath: As for ``fold(_:events:_:damagedPath:)``.
  ///   - check: Called after each commit.
  /// - Returns: The position of the resulting state.
  /// - Throws: As ``fold(_:events:_:damagedPath:)``.
  package func move(
    from start: Position, to end: Position, in journal: some Journal, damagedPath: String? = nil,
    check: (CommitView) throws -> Void
  ) throws -> Position {
    let direction: Direction = end < start ? .backward : .forward
    return try journal.walk(from: start, to: end) { commit in
      try fold(commit.header, events: commit.eventBytes, direction, damagedPath: damagedPath)
      try check(commit)
      return true
    }
  }
}
