/// A condition that an object must meet to be in a result.
///
///     let filter = try Filter(parsing: #"type.name == "Dessert" AND (servings >= 4 OR ANY tags.name == "quick")"#)
///
/// A filter reads like a predicate of Core Data. It is parsed from text, or made of the fields of a struct. A
/// value of the program needs no quoting in either form:
///
///     let typed = Filter(parsing: "name BEGINSWITH[c] $start", variables: ["start": .value(.string(start))])
///     let recipes = Recipe.where { $0.name.beginsWith(start, .caseInsensitive) && !($0.servings < 4) }
///
/// A condition on related objects counts them, or demands one, each or none that meets all of it:
///
///     COUNT(ingredients WHERE amount > 2) >= 3
///     ANY tags WHERE (name == "quick" AND rank > 2)
///
/// A test is met or not met; there is no third outcome. Two nulls are equal, `!=` is the opposite of `==`, and a test
/// of order or of text with a null is not met. Strings are equal if their UTF-8 bytes are; their order is the
/// attribute's order in the model.
///
/// Filters are equal if they make the same tests in the same words; ``description`` is a canonical text, which parses
/// to an equal filter.
public struct Filter: Sendable {
  package let node: Node
  /// The nesting depth of the canonical text.
  let depth: Int
  /// The text to which the places in the filter refer, or `nil` for a filter built in code.
  let text: String?

  init(_ node: Node, depth: Int, text: String? = nil) {
    self.node = node
    self.depth = depth
    self.text = text
  }

  /// Creates a filter of a test.
  init(_ comparison: Comparison) { self.init(.comparison(comparison), depth: comparison.depth) }

  /// Creates a filter that makes one test.
  ///
  ///     Filter(.path("ingredients.name"), .contains, .value("sugar"), quantifier: .any)
  ///
  /// - Parameters:
  ///   - left: The operand to test.
  ///   - operation: The kind of test.
  ///   - right: The operand to compare with; a list of values for `IN` and `BETWEEN`.
  ///   - options: The differences that the comparison of strings ignores.
  ///   - quantifier: The number of values that must pass, if a path leads over a to-many relationship; `nil` for any
  ///     other path.
  package init(
    _ left: Operand, _ operation: Operator, _ right: Operand, options: Options = [], quantifier: Quantifier? = nil
  ) {
    let comparison = Comparison(
      quantifier: quantifier, left: left, operation: operation, options: options, right: right)
    self.init(comparison)
  }

  /// Creates a filter that tests the values of a to-many relationship.
  ///
  ///     Filter(.path("tags.name"), .equal, .value("quick"), quantifier: .none)
  ///
  /// With an optional parameter, `.none` would mean no quantifier.
  ///
  /// - Parameters:
  ///   - left: The operand to test: a path over a to-many relationship.
  ///   - operation: The kind of test.
  ///   - right: The operand to compare with; a list of values for `IN` and `BETWEEN`.
  ///   - options: The differences that the comparison of strings ignores.
  ///   - quantifier: The number of values that must pass.
  package init(
    _ left: Operand, _ operation: Operator, _ right: Operand, options: Options = [], quantifier: Quantifier
  ) {
    self.init(left, operation, right, options: options, quantifier: Optional(quantifier))
  }

  /// The filter that every object meets.
  package static let always = Filter(.constant(true), depth: 0)
  /// The filter that no object meets.
  package static let never = Filter(.constant(false), depth: 0)

  /// The limit on the bytes of a filter's text.
  package static let maximumByteCount = 65_536
  /// The limit on the nesting of parentheses and negations.
  package static let maximumDepth = 200
  /// The limit on `WHERE` inside of another `WHERE`, the outermost counted.
  package static let maximumWhereDepth = 8
  /// The limit on the key paths that share a test.
  package static let maximumListedPaths = 32

  /// The condition as a tree.
  ///
  /// Conjunctions and disjunctions have at least two parts, none of which is of the same kind.
  package indirect enum Node: Hashable, Sendable {
    case constant(Bool)
    case not(Node)
    case all([Node])
    case any([Node])
    case comparison(Comparison)
    /// At least one of the related objects meets a condition, each does, or none.
    case related(Quantifier, RelatedObjects)
  }
}

/// A condition of a request: a ``Filter``, or a Boolean field.
///
///     Task.where { !$0.isDone && ($0.isUrgent || $0.due < tomorrow) }
public protocol FilterConvertible {
  /// The filter that matches the same objects as the condition.
  var _filter: Filter { get }
}

extension FilterConvertible {
  /// Returns the filter that is met if both conditions are.
  public static func && (a: Self, b: some FilterConvertible) -> Filter { .all([a._filter, b._filter]) }

  /// Returns the filter that is met if either condition is.
  public static func || (a: Self, b: some FilterConvertible) -> Filter { .any([a._filter, b._filter]) }
}

extension Filter: FilterConvertible {
  public var _filter: Filter { self }
}

extension Filter: Hashable {
  /// Returns whether both make the same tests; their places in a text do not count.
  public static func == (a: Filter, b: Filter) -> Bool { a.node == b.node }

  public func hash(into hasher: inout Hasher) { hasher.combine(node) }
}

extension Filter {
  /// Returns the filter that is met if this one is not.
  public static prefix func ! (filter: Filter) -> Filter {
    let isGroup =
      switch filter.node {
      case .all, .any: true
      case .constant, .not, .comparison, .related: false
      }
    return Filter(.not(filter.node), depth: filter.depth + (isGroup ? 2 : 1))
  }

  /// Returns the filter that is met if all of these are; for an empty list by every object.
  public static func all(_ filters: [Filter]) -> Filter {
    guard filters.count != 1 else { return filters[0] }
    guard !filters.isEmpty else { return always }
    var parts: [Node] = []
    var depth = 0
    for filter in filters {
      if case .any = filter.node { depth = max(depth, filter.depth + 1) } else { depth = max(depth, filter.depth) }
      if case .all(let inner) = filter.node { parts += inner } else { parts.append(filter.node) }
    }
    return Filter(.all(parts), depth: depth)
  }

  /// Returns the filter that is met if at least one of these is; for an empty list by no object.
  public static func any(_ filters: [Filter]) -> Filter {
    guard filters.count != 1 else { return filters[0] }
    guard !filters.isEmpty else { return never }
    var parts: [Node] = []
    for filter in filters {
      if case .any(let inner) = filter.node { parts += inner } else { parts.append(filter.node) }
    }
    return Filter(.any(parts), depth: filters.map(\.depth).max() ?? 0)
  }
}
