import DaybookModel

/// A filter whose names were looked up in a model and whose values were brought to the types of what they are compared
/// with: what is evaluated and planned.
package struct ResolvedFilter: Sendable {
  package let node: Node

  /// Conjunctions and disjunctions have at least two parts, none of which is constant or of the same kind.
  package indirect enum Node: Sendable {
    case constant(Bool)
    case not(Node)
    case all([Node])
    case any([Node])
    case test(Test)
  }

  /// One test of an object. A class, because a copy of all its parts for every object cost more than the test.
  package final class Test: Sendable {
    /// What is tested; a route to many values only if there is a quantifier.
    package let subject: Operand
    package let quantifier: Filter.Quantifier?
    package let condition: Condition
    /// The test in the filter's own words.
    package let comparison: Filter.Comparison
    /// The other operand, unless it is a value or among the condition's own values.
    let other: Operand?
    /// The other operand, if it is a value.
    let otherValue: Value

    init(
      subject: Operand, quantifier: Filter.Quantifier?, condition: Condition, comparison: Filter.Comparison
    ) {
      self.subject = subject
      self.quantifier = quantifier
      self.condition = condition
      self.comparison = comparison
      let operand = condition.operand
      if case .value(let value) = operand {
        other = nil
        otherValue = value
      } else {
        other = operand
        otherValue = .null
      }
    }
  }

  package enum Operand: Sendable {
    case value(Value)
    case route(Route)
    case aggregate(Filter.Aggregate, Route)
  }

  /// What a value must meet.
  package enum Condition: Sendable {
    /// Equal to, or ordered as given towards, the other operand; strings in this order.
    case compare(Relation, Operand, StringOrder)
    /// Equal after folding, or not; a value as other operand is folded already.
    case foldedEqual(Bool, Operand, TextFold)
    case between(Value, Value, StringOrder)
    /// Equal to one of the values, which are without double and fold as the fold does.
    case among(ValueList, TextFold)
    /// Begins with, ends with or contains the other operand; a value as other operand is folded already.
    case affix(Affix, Operand, TextFold)
    /// Contains a value, which is folded already.
    case contains(BytePattern, TextFold)
    case like(LikePattern, TextFold)
    case matches(RegularExpression, TextFold)
  }

  /// Two nulls are equal; the relations of order are never met by a null.
  package enum Relation: Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }

  package enum Affix: Sendable { case start, end, middle }

  /// The routes whose values the filter looks at.
  package var routes: [Route] { node.routes }
}

extension ResolvedFilter.Node {
  /// The conjunction, made as simple as constants allow.
  static func conjunction(_ parts: [Self]) -> Self {
    var kept: [Self] = []
    for part in parts {
      switch part {
      case .constant(true): continue
      case .constant(false): return .constant(false)
      case .all(let inner): kept += inner
      default: kept.append(part)
      }
    }
    return kept.count > 1 ? .all(kept) : kept.first ?? .constant(true)
  }

  /// The disjunction, made as simple as constants allow.
  static func disjunction(_ parts: [Self]) -> Self {
    var kept: [Self] = []
    for part in parts {
      switch part {
      case .constant(false): continue
      case .constant(true): return .constant(true)
      case .any(let inner): kept += inner
      default: kept.append(part)
      }
    }
    return kept.count > 1 ? .any(kept) : kept.first ?? .constant(false)
  }

  /// The negation, without double ones.
  static func negation(_ part: Self) -> Self {
    switch part {
    case .constant(let isMet): .constant(!isMet)
    case .not(let inner): inner
    default: .not(part)
    }
  }

  /// The parts that must all be met; none for a filter that is always met.
  var conjuncts: [Self] {
    switch self {
    case .constant(true): []
    case .all(let parts): parts
    default: [self]
    }
  }

  var routes: [Route] {
    switch self {
    case .constant: []
    case .not(let inner): inner.routes
    case .all(let parts), .any(let parts): parts.flatMap(\.routes)
    case .test(let test): [test.subject, test.condition.operand].compactMap { $0?.route }
    }
  }
}

extension ResolvedFilter.Operand {
  var route: Route? {
    switch self {
    case .value: nil
    case .route(let route), .aggregate(_, let route): route
    }
  }
}

extension ResolvedFilter.Condition {
  /// The other operand, where it is not among the condition's own values.
  var operand: ResolvedFilter.Operand? {
    switch self {
    case .compare(_, let operand, _), .foldedEqual(_, let operand, _), .affix(_, let operand, _): operand
    case .between, .among, .contains, .like, .matches: nil
    }
  }
}

extension ResolvedFilter: CustomStringConvertible {
  /// The filter in the words of the filter language.
  package var description: String { node.written.description }
}

extension ResolvedFilter.Node {
  fileprivate var written: Filter {
    switch self {
    case .constant(let isMet): isMet ? .always : .never
    case .not(let inner): !inner.written
    case .all(let parts): .all(parts.map(\.written))
    case .any(let parts): .any(parts.map(\.written))
    case .test(let test): Filter(.comparison(test.comparison), depth: 0)
    }
  }
}
