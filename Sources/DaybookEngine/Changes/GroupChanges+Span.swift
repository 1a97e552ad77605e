import DaybookModel
import DaybookQuery

extension GroupChanges {
  /// Finds the objects that the commits of a span may have changed, and reads them at both ends.
  ///
  /// - Parameters:
  ///   - request: A grouped request.
  ///   - new: Reads the state after `last`.
  ///   - old: Returns a reader of the state before `first`; `nil` for the empty state before the model.
  /// - Throws: The errors of `old`; `SpanTooLarge`; `StoreError` with the code `damaged`.
  package init(
    _ request: ResolvedRequest, _ dependents: RequestDependents, from first: Position, through last: Position,
    in journal: some Journal, new: Reader, old: () throws -> Reader?
  ) throws {
    var collector = CandidateCollector(dependents, reader: new)
    try journal.forEachCommit(from: first, through: last) { commit in
      try collector.take(commit)
      return true
    }
    try self.init(
      from: request, to: request, collector.candidates, after: Position(first.number - 1), new: new, old: old)
  }

  /// Reads the objects that a span may have changed at both ends.
  package init(
    _ request: ResolvedRequest, _ dependents: RequestDependents, of span: SpanChanges, new: Reader,
    old: () throws -> Reader?
  ) throws {
    try self.init(
      from: request, to: request, span.candidates(dependents, in: new), after: Position(span.first.number - 1),
      new: new,
      old: old)
  }

  /// Reads the objects that may have changed at both ends.
  ///
  /// - Parameters:
  ///   - earlier: The request at the time of the old state.
  ///   - later: The request at the time of the new state.
  ///   - candidates: The objects, with the commits that touched them.
  ///   - start: The position of the old state; `nil` for edits that are not committed.
  init(
    from earlier: ResolvedRequest, to later: ResolvedRequest, _ candidates: [ObjectID: [Position]],
    after start: Position?, new: Reader, old: () throws -> Reader?
  ) throws {
    guard let former = earlier.grouping, let grouping = later.grouping else {
      preconditionFailure("The request has a grouping.")
    }
    let isFromNothing = start == .empty
    if candidates.isEmpty {
      self.init(changes: [], isFromNothing: isFromNothing)
    } else {
      try self.init(
        from: former, to: grouping, candidates, old: old(), new: new, isFromNothing: isFromNothing)
    }
  }
}
