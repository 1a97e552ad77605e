extension ResolvedFilter.Node {
  /// The moments at which the outcome may change by the time alone; each once.
  var turningPoints: [TurningPoint] {
    switch self {
    case .constant, .kind: []
    case .not(let inner): inner.turningPoints
    case .all(let parts), .any(let parts): parts.flatMap(\.turningPoints)
    case .test(let test): test.turningPoints
    case .related(_, let objects): objects.turningPoints
    }
  }
}

extension ResolvedFilter.RelatedObjects {
  fileprivate var turningPoints: [TurningPoint] { condition.turningPoints.map { $0.following(path) } }
}

extension ResolvedFilter.Operand {
  fileprivate var turningPoints: [TurningPoint] {
    if case .count(let objects) = self { objects.turningPoints } else { [] }
  }
}

extension ResolvedFilter.Test {
  fileprivate var turningPoints: [TurningPoint] {
    guard let time, case .path(let path) = subject, case .compare(let relation, _, _) = condition else {
      return subject.turningPoints + (condition.operand?.turningPoints ?? [])
    }
    // The present time reaches the moment at which both sides are equal, and leaves it a microsecond later.
    let equal = -max(time.microseconds, -.max)
    let shifts =
      switch relation {
      case .lessOrEqual, .greater: [equal]
      case .less, .greaterOrEqual: [equal.saturatingAdding(1)]
      case .equal, .notEqual: [equal, equal.saturatingAdding(1)]
      }
    return shifts.map { TurningPoint(path, shift: $0) }
  }
}
