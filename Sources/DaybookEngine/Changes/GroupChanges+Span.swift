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
    try self.init(request, collector.candidates, from: first, new: new, old: old)
  }

  /// Reads the objects that a span may have changed at both ends.
  package init(
    _ request: ResolvedRequest, _ dependents: RequestDependents, of span: SpanChanges, new: Reader,
    old: () throws -> Reader?
  ) throws {
    try self.init(request, span.candidates(dependents, in: new), from: span.first, new: new, old: old)
  }

  private init(
    _ request: ResolvedRequest, _ candidates: [ObjectID: [Position]], from first: Position, new: Reader,
    old: () throws -> Reader?
  ) throws {
    guard let grouping = request.grouping else { preconditionFailure("The request has a grouping.") }
    let isFromNothing = first <= 1
    if candidates.isEmpty {
      self.init(changes: [], isFromNothing: isFromNothing)
    } else {
      try self.init(grouping, candidates, old: old(), new: new, isFromNothing: isFromNothing)
    }
  }
}
