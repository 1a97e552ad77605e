import DaybookDiff
import DaybookModel
import DaybookQuery

extension StoreReader {
  /// Returns the ids of a request's result at a position, by section.
  ///
  /// - Throws: `StoreError`: `notFound` for a position beyond the head, `badRequest` if the request names what the
  ///   model of that position lacks.
  /// - Complexity: O(*k* log *n*) for *k* events between the position and the nearest snapshot or the head, plus the
  ///   cost of fetching there.
  public func ids(of request: FetchRequest, at position: Position) throws -> SectionedIDs<ObjectID> {
    try requirePosition(position)
    guard position > .empty else {
      // Before the model there are no objects; the request must be valid nevertheless.
      _ = try reader.resolve(request)
      return request.section == nil ? SectionedIDs(unsectioned: []) : SectionedIDs(sections: [])
    }
    return try withPast(position) { try $0.reader.ids(of: request) }
  }
}
