import DaybookModel

/// A filter with resolved names, and values converted to the types of their comparison.
///
/// It is the form for evaluation and planning.
package struct ResolvedFilter: Sendable {
  package let node: Node

  /// The condition as a tree.
  ///
  /// Conjunctions and disjunctions have at least two parts, none of which is constant or of the same kind.
  package indirect enum Node: Sendable {
    case constant(Bool)
    case not(Node)
    case all([Node])
    case any([Node])
    case test(Test)
    /// At least one of the related objects meets a condition, each does, or none.
    case related(Filter.Quantifier, RelatedObjects)
    /// The object is of an entity or of a descendant of it.
    ///
    /// Only plans have it, where the rows that they read include objects of other entities of a hierarchy.
    case kind(Int)
  }

  /// One test of an object.
  ///
  /// It is a class, because copying all its parts for every object cost more than the test.
  package final class Test: Sendable {
    /// The operand to test; a path to many values only if there is a quantifier.
    package let subject: Operand
    package let quantifier: Filter.Quantifier?
    package let condition: Condition
    /// The test in the filter's own words.
    package let comparison: Filter.Comparison
    /// The other operand, unless it is a value or among the condition's own values.
    let other: Operand?
    /// The other operand, if it is a value.
    let otherValue: Value
    /// What the other operand follows from, if it depends on the time.
    package let time: RelativeTime?

    init(
      subject: Operand, quantifier: Filter.Quantifier?, condition: Condition, comparison: Filter.Comparison,
      time: RelativeTime? = nil
    ) {
      self.time = time
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
    case path(ResolvedPath)
    case aggregate(Filter.Aggregate, ResolvedPath)
    /// The number of related objects that meet a condition.
    case count(RelatedObjects)
  }

  /// A condition on a value.
  package enum Condition: Sendable {
    /// Equal to the other operand, or in the relation to it; strings in this order.
    case compare(Relation, Operand, StringOrder)
    /// Equal after folding, or not; a value as the other operand is already folded.
    case foldedEqual(Bool, Operand, TextFold)
    case between(Value, Value, StringOrder)
    /// Equal to one of the values, which have no duplicates and are already folded.
    case among(ValueList, TextFold)
    /// Begins with, ends with or contains the other operand.
    ///
    /// A value as that operand is already folded.
    case affix(Affix, Operand, TextFold)
    /// Contains a value, which is already folded.
    case contains(BytePattern, TextFold)
    case like(LikePattern, TextFold)
    case matches(RegularExpression, TextFold)
  }

  /// A relation of two values; two nulls are equal, and null meets no relation of order.
  package enum Relation: Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
  }

  package enum Affix: Sendable { case start, end, middle }

  /// The paths whose values the filter reads.
  package var paths: [ResolvedPath] { node.paths }
}

extension ResolvedFilter.Node {
  /// Returns the conjunction, simplified by its constants.
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

  /// Returns the disjunction, simplified by its constants.
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

  /// Returns the negation, without double negations.
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

  var paths: [ResolvedPath] {
    switch self {
    case .constant, .kind: []
    case .not(let inner): inner.paths
    case .all(let parts), .any(let parts): parts.flatMap(\.paths)
    case .test(let test): test.subject.paths + (test.condition.operand?.paths ?? [])
    case .related(_, let objects): objects.paths
    }
  }
}

extension ResolvedFilter.Operand {
  /// The paths whose values the operand reads; none for a value.
  var paths: [ResolvedPath] {
    switch self {
    case .value: []
    case .path(let path), .aggregate(_, let path): [path]
    case .count(let objects): objects.paths
    }
  }
}

extension ResolvedFilter.Condition {
  /// The other operand, unless it is among the condition's own values.
  var operand: ResolvedFilter.Operand? {
    switch self {
    case .compare(_, let operand, _), .foldedEqual(_, let operand, _), .affix(_, let operand, _): operand
    case .between, .among, .contains, .like, .matches: nil
    }
  }
}

extension ResolvedFilter: CustomStringConvertible {
  /// The filter in the filter language.
  package var description: String { node.written.description }
}

extension ResolvedFilter.Node {
  fileprivate var written: Filter {
    switch self {
    case .constant(let isMet): isMet ? .always : .never
    case .kind: .always
    case .not(let inner): !inner.written
    case .all(let parts): .all(parts.map(\.written))
    case .any(let parts): .any(parts.map(\.written))
    case .test(let test): Filter(test.comparison)
    case .related(let quantifier, let objects):
      Filter(.related(quantifier, objects.written), depth: objects.written.depth)
    }
  }
}

extension ResolvedFilter {
  /// Resolves the names in a filter.
  ///
  /// - Parameter now: The present time; `nil` where the outcome must not depend on the time.
  /// - Throws: A ``QueryError`` that points at a name which the model does not have, at a value that cannot be compared
  ///   with the other operand, or at the present time without one.
  package init(_ filter: Filter, entity: Int, in model: ResolvedModel, at now: Timestamp? = nil) throws(QueryError) {
    guard filter.depth <= Filter.maximumDepth else {
      throw QueryError("the filter nests deeper than \(Filter.maximumDepth)", inFilter: "", utf8Offset: 0)
    }
    let resolver = FilterResolver(finder: PathFinder(model: model, entity: entity), now: now)
    do {
      node = try resolver.node(filter.node)
    } catch {
      throw ResolvedFilter.located(error, in: filter, resolver: resolver)
    }
  }

  /// Returns the fault with its place in the text.
  ///
  /// A filter built in code has no text, so the fault is searched for in the filter that its canonical text parses to.
  private static func located(_ fault: FilterFault, in filter: Filter, resolver: FilterResolver) -> QueryError {
    if let text = filter.text { return QueryError(fault.message, inFilter: text, utf8Offset: fault.place.utf8Offset) }
    let text = filter.description
    if fault.isInCode { return QueryError(fault.message, inFilter: text, utf8Offset: 0) }
    do {
      let parsed = try Filter(parsing: text)
      _ = try resolver.node(parsed.node)
      return QueryError(fault.message, inFilter: text, utf8Offset: 0)
    } catch let error as QueryError {
      return error
    } catch let fault as FilterFault {
      return QueryError(fault.message, inFilter: text, utf8Offset: fault.place.utf8Offset)
    } catch {
      return QueryError(fault.message, inFilter: text, utf8Offset: 0)
    }
  }
}
