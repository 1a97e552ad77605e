import DaybookModel
import DaybookQuery

extension RowChanges {
  /// Finds the rows that commits, or the time, may have changed, and reads them at both ends.
  ///
  /// A row that the time alone changed has no commits as its causes.
  ///
  /// - Parameters:
  ///   - earlier: The request at the time of the old state.
  ///   - later: The request at the time of the new state, which is not before the one of the old state. It is the same as
  ///     the earlier one unless the result depends on the time.
  ///   - start: The position of the old state.
  ///   - last: The position of the new state, or the same one.
  ///   - new: Reads the new state, with its indexes.
  ///   - turned: The rows that may turn between the two times, if the caller knows them.
  ///   - old: Returns a reader of the state before the commits; `nil` for the empty state before the model. Called only if
  ///     something may have changed.
  /// - Complexity: O(*k* log *n*) for *k* events and rows that turn, if an index has the dates or the caller knows these
  ///   rows, else O(*n*).
  package init(
    from earlier: ResolvedRequest, to later: ResolvedRequest, _ dependents: RequestDependents, after start: Position,
    through last: Position, in journal: some Journal, new: Reader, turned: [ObjectID]? = nil, limitInBytes: Int = .max,
    old: () throws -> Reader?
  ) throws {
    guard later.readsTime else {
      try self.init(
        later, dependents, from: start.next, through: last, in: journal, new: new, limitInBytes: limitInBytes, old: old)
      return
    }
    var collector = CandidateCollector(dependents, reader: new)
    if start < last {
      try journal.forEachCommit(from: start.next, through: last) { commit in
        try collector.take(commit)
        return true
      }
    }
    try self.init(from: earlier, to: later, collector.candidates, after: start, new: new, turned: turned, old: old)
  }

  /// Reads rows that may have changed, and the rows that turn between two times, at both ends.
  ///
  /// - Parameters:
  ///   - candidates: Rows, or objects of groups, that may have changed, with the commits that touched them.
  ///   - start: The position of the old state; `nil` for edits that are not committed.
  ///   - new: Reads the new state, with its indexes.
  ///   - turned: The rows that may turn between the two times, if the caller knows them.
  ///   - old: Returns a reader of the old state; `nil` for the empty state before the model. Called only if something may
  ///     have changed.
  package init(
    from earlier: ResolvedRequest, to later: ResolvedRequest, _ candidates: [ObjectID: [Position]],
    after start: Position? = nil, new: Reader, turned: [ObjectID]? = nil, old: () throws -> Reader?
  ) throws {
    var candidates = candidates
    for id in try turned ?? later.rowsTurning(since: earlier, in: new) where candidates[id] == nil {
      candidates[id] = []
    }
    if later.grouping != nil {
      self = .groups(try GroupChanges(from: earlier, to: later, candidates, after: start, new: new, old: old))
    } else if candidates.isEmpty {
      self = .rows(NetChanges(rows: []))
    } else {
      self = .rows(try NetChanges(later, candidates: candidates, from: earlier, old: old(), new: new))
    }
  }
}
