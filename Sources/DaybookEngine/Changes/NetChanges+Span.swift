import DaybookModel
import DaybookQuery

extension NetChanges {
  /// Finds the rows that a span may have changed, and reads them at both ends.
  ///
  /// - Parameters:
  ///   - new: Reads the state after the span.
  ///   - old: Returns a reader of the state before the span; `nil` for the empty state before the model. Called only if
  ///     the span may have changed rows.
  package init(
    _ request: ResolvedRequest, _ dependents: RequestDependents, of span: SpanChanges, new: Reader,
    old: () throws -> Reader?
  ) throws {
    let candidates = try span.candidates(dependents, in: new)
    guard !candidates.isEmpty else {
      self.init(rows: [])
      return
    }
    try self.init(request, candidates: candidates, old: old(), new: new)
  }
}
