import DaybookModel
import DaybookQuery
import DaybookRuntime

extension Store {
  /// Returns the first position at which the number of rows of a request satisfies a condition.
  ///
  ///     let sold = Request(entity: "Item", filter: try Filter(parsing: "stock == 0"))
  ///     let position = try store.bisect(sold) { $0 >= 10 }
  ///
  /// The condition is assumed to stay true once it is true; otherwise the position returned is one at which it is true and
  /// before which it is not. Where the model of a position lacks what the request names, the request has no rows.
  ///
  /// - Parameters:
  ///   - request: The request whose rows are counted.
  ///   - first: The first position to consider; 0 is the state before the model.
  ///   - last: The last position to consider; `nil` for the head, or the checkpoint of the
  ///     entity's projection.
  ///   - isMet: The condition on the number of rows; at least one row unless given.
  /// - Returns: The position, or `nil` if the condition is not true at `last`.
  /// - Throws: `StoreError`: `badRequest` if the model of the last position lacks what the request names, or `first` is
  ///   after `last`; `notFound` for a position beyond the head.
  /// - Complexity: O(log *n*) reads of the past for *n* positions.
  public func bisect(
    _ request: Request<some ResultRow>, from first: Position = 1, to last: Position? = nil,
    where isMet: (_ count: Int) throws -> Bool = { $0 >= 1 }
  ) throws -> Position? {
    let last = try read { head in
      try head.reading([request.fetch.entity]) { reader in
        try reader.requirePosition(max(first, last ?? .empty))
        return last ?? reader.position
      }
    }
    guard first <= last else {
      throw StoreError(
        .badRequest, "Commit \(first) is not before commit \(last).", advice: "Give the earlier position first.")
    }
    var bisection = Bisection(from: first, through: last)
    while let position = bisection.candidate {
      let count = try count(request, at: position, isLast: position == last)
      bisection.record(try isMet(count))
    }
    if case .first(let position) = bisection.finding { return position }
    return nil
  }

  private func count(_ request: Request<some ResultRow>, at position: Position, isLast: Bool) throws -> Int {
    guard position > .empty else { return 0 }
    do {
      return try at(position).count(request)
    } catch let error as StoreError where error.code == .badRequest && !isLast {
      return 0
    }
  }
}
