import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookRuntime

extension StoreReader {
  /// Returns the ids of a request's result at a position, by section.
  ///
  /// - Throws: `StoreError`: `notFound` for a position beyond the head, `badRequest` if the request names what the
  ///   model of that position lacks.
  /// - Complexity: O(*k* log *n*) for *k* events between the position and the nearest snapshot or the head, plus the
  ///   cost of fetching there.
  package func ids<Row: ResultRow>(of request: Request<Row>, at position: Position) throws -> SectionedIDs<Row.ID> {
    try ids(of: request.fetch, at: position).mapped { Row._id(of: $0) }
  }

  /// Returns the difference of a request's result between two positions; see `Store.difference(of:from:to:)`.
  package func difference<Row: ResultRow>(
    of request: Request<Row>, from: Position, to: Position
  ) throws -> Change<Difference<Row.ID>> {
    try difference(of: request.fetch, from: from, to: to).of(request, in: keeper?.owner as? Store)
  }
}
