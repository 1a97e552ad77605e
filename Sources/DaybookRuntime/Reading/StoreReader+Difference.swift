import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery

extension StoreReader {
  /// Returns the difference of a request's result between two positions, by ids of objects.
  ///
  /// The results are the ones at the times at which the commits of the positions were recorded.
  package func difference(of request: FetchRequest, from: Position, to: Position) throws -> ResultsChange {
    if let derived = try derived(request.entity) { return try derived.difference(of: request, from: from, to: to) }
    try requirePosition(max(from, to))
    if to < from { return try difference(of: request, from: to, to: from).inverted }
    guard to > .empty else { return ResultsChange(from: from, to: to, difference: Difference(sections: [], rows: [])) }
    return try withPast(to) { try difference(of: request, from: from, to: $0) }
  }

  private func difference(
    of request: FetchRequest, from: Position, to new: State
  ) throws -> ResultsChange {
    let to = new.position
    let mayReadTime = request.mayReadTime
    let resolved = try new.reader.resolve(mayReadTime ? request.at(recordedTime(of: to)) : request)
    guard from < to else { return ResultsChange(from: from, to: to, difference: Difference(sections: [], rows: [])) }
    guard try !isReset(resolved, model: new.reader.model, from: from, to: to) else {
      return .reset(from: from, to: to)
    }
    let journal = journal
    let earlier = mayReadTime ? try new.reader.resolve(request.at(recordedTime(of: from))) : resolved
    let changes = try RowChanges(
      from: earlier, to: resolved, RequestDependents(resolved, in: new.reader.model), after: from, through: to,
      in: journal, new: new.reader
    ) { from == .empty ? nil : try new.rewound(to: from, in: journal, parts: .derived).reader }
    let base = try RankBase(resolved, in: new.reader)
    return try changes.netChanges(resolved, endingAt: base.groups)
      .change(from: from, to: to, endingAt: RankedKeys(base), in: new.reader)
  }

  /// Returns whether the model changed between two positions in what a request reaches.
  package func isReset(
    _ request: ResolvedRequest, model: ResolvedModel, from: Position, to: Position
  ) throws -> Bool {
    // In the common case the last model is older than both positions. Derived entities are read by the model of the
    // head, whatever their position.
    let last = derivation.map { ($0.storedPosition, $0.storedPosition) } ?? (modelPosition, to)
    guard last.0 > from else { return false }
    let models = try journal.allModelPositions()
    guard let first = models.first, models.contains(where: { $0 > max(from, first) && $0 <= last.1 }) else {
      return false
    }
    // For position 0, the first model is used.
    let start = models.last { $0 <= from } ?? first
    let stored = try journal.model(at: start)
    guard let earlier = try? derivation.map({ try stored.adding($0.parts.map(\.entities)) }) ?? stored,
      let resolved = try? ResolvedRequest(request.request, in: earlier)
    else {
      // The earlier model lacks what the request names, so there is no earlier result.
      return true
    }
    return RequestRegion(resolved, in: earlier) != RequestRegion(request, in: model)
  }
}
