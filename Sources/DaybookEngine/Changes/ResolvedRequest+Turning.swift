import DaybookModel
import DaybookQuery

extension ResolvedRequest {
  /// Returns the objects whose outcome may have changed since another time by the time alone.
  func rowsTurning(since earlier: ResolvedRequest, in reader: Reader) throws -> [ObjectID] {
    guard let start = earlier.request.now, let end = request.now, start < end else { return [] }
    var ids: [ObjectID] = []
    try forEachRowTurning(after: start, through: end, in: reader) { ids.append($0) }
    return ids
  }

  /// Calls a closure with the objects whose outcome the time may change after a moment, up to another one.
  ///
  /// An object may come several times.
  func forEachRowTurning(
    after first: Timestamp, through last: Timestamp, in reader: Reader, _ body: (ObjectID) throws -> Void
  ) throws {
    for request in turning(after: first, through: last) {
      // Rows of constraints are not read for dates; in a context they are not up to date.
      try FetchExecutor(request, reader: reader, usesConstraints: false).forEachMatch { id, _ in try body(id) }
    }
  }
}
