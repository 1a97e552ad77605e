extension Filter {
  /// Creates a filter that compares the dates at the end of a path with a time.
  ///
  ///     due < @now + 2d
  package init(_ left: Operand, _ operation: Operator, _ time: RelativeTime, quantifier: Quantifier? = nil) {
    let right = Operand(.time(time, word: KeyPath.builtInPresent))
    self.init(left, operation, right, quantifier: quantifier)
  }

  /// Whether the outcome may depend on the time: it names the present time, or a field that is called `now`.
  package var mayReadTime: Bool { node.mayReadTime }
}

extension Filter.Node {
  fileprivate var mayReadTime: Bool {
    switch self {
    case .constant: false
    case .not(let inner): inner.mayReadTime
    case .all(let parts), .any(let parts): parts.contains { $0.mayReadTime }
    case .comparison(let comparison): comparison.left.mayReadTime || comparison.right.mayReadTime
    case .related(_, let objects): objects.condition.mayReadTime
    }
  }
}

extension Filter.Operand {
  fileprivate var mayReadTime: Bool {
    switch form {
    case .time: true
    case .path(let path): path.isPresentTime
    case .count(let objects): objects.condition.mayReadTime
    case .value, .values: false
    }
  }
}

extension Filter.KeyPath {
  /// The word that always is the present time.
  static let builtInPresent = "@now"

  /// Whether it is the word for the present time, unless the entity has a field of that name.
  var isPresentTime: Bool {
    names.count == 1 && aggregate == nil && (names[0] == "now" || names[0] == Filter.KeyPath.builtInPresent)
  }
}
