import DaybookDiff
import DaybookModel
import DaybookQuery

extension StoreReader {
  /// The ids of a request's result as it was at a position, by section.
  ///
  /// - Throws: `StoreError`: `notFound` for a position beyond the head, `badRequest` if the request names what the model of
  ///   that position lacks.
  /// - Complexity: O(*k* log *n*) for *k* events between the position and the nearest snapshot or the head, and that of fetching there.
  public func ids(of request: FetchRequest, at position: Position) throws -> SectionedIDs<ObjectID> {
    try requirePosition(position)
    guard position > .empty else {
      // Nothing is there before the model; the request must make sense all the same.
      _ = try reader.resolve(request)
      return request.section == nil ? SectionedIDs(unsectioned: []) : SectionedIDs(sections: [])
    }
    return try withPast(position) { try $0.reader.ids(of: request) }
  }
}
