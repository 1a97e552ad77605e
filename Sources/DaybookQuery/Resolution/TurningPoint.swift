import DaybookModel

/// A moment at which the outcome of a filter may change by the time alone: a date that an object reaches, plus a
/// constant.
///
/// The test `due < now + 2d` is met from the microsecond after `due - 2d` on. So what the time changes between two
/// moments are the objects with a turning point after the first one, up to the second one.
package struct TurningPoint: Hashable, Sendable {
  /// The path to the dates; it leads to several if a relationship on it is to-many.
  package let path: ResolvedPath
  /// Microseconds from a date to the moment.
  private let shift: Int64

  init(_ path: ResolvedPath, shift: Int64) { (self.path, self.shift) = (path, shift) }

  /// Returns the moments of an object.
  package func moments(of object: ObjectKey, in source: inout some ObjectSource) throws -> [Timestamp] {
    var moments: [Timestamp] = []
    _ = try path.forEach(from: object, in: &source) { value in
      if case .date(let time) = value {
        moments.append(Timestamp(microseconds: time.microseconds.saturatingAdding(shift)))
      }
      return true
    }
    return moments
  }

  /// Returns the request for the objects of an entity that have a moment after a time, up to another time.
  func request(
    after first: Timestamp, through last: Timestamp, like request: ResolvedRequest
  ) -> ResolvedRequest {
    func date(_ moment: Timestamp) -> Value {
      .date(Timestamp(microseconds: moment.microseconds.saturatingAdding(-max(shift, -.max))))
    }
    // The first date itself counts too, because a date at the end of all times has no exact moment.
    let (least, greatest) = (date(first), date(last))
    let quantifier: Filter.Quantifier? = path.isMany ? .any : nil
    let test = ResolvedFilter.Test(
      subject: .path(path), quantifier: quantifier, condition: .between(least, greatest, path.order),
      comparison: Filter.Comparison(
        quantifier: quantifier, left: Filter.Operand(.path(Filter.KeyPath(["date"]))), operation: .between, options: [],
        right: .values([least, greatest])))
    let filter = ResolvedFilter(node: .test(test))
    return ResolvedRequest(FetchRequest(entity: request.request.entity), objectsOf: request, filter: filter)
  }
}

extension TurningPoint {
  /// Returns the turning point of the objects from which a path leads to its own objects.
  func following(_ path: ResolvedPath) -> TurningPoint {
    TurningPoint(path.followed(by: self.path), shift: shift)
  }
}
