import DaybookModel

/// A fault of a filter, with its place.
struct FilterFault: Error {
  let message: String
  let place: Place
  /// Whether no text has this fault, but only a filter built in code.
  var isInCode = false
}

/// Resolves the tree of a filter.
struct FilterResolver {
  let finder: PathFinder
  /// The scopes of the paths to the related objects of each `WHERE` around the filter.
  var outerScopes: [PathScope?] = []
  /// The present time; `nil` where the filter must not depend on the time.
  var now: Timestamp?

  func node(_ node: Filter.Node) throws(FilterFault) -> ResolvedFilter.Node {
    switch node {
    case .constant(let isMet): return .constant(isMet)
    case .not(let inner): return .negation(try self.node(inner))
    case .all(let parts): return .conjunction(try nodes(parts))
    case .any(let parts): return .disjunction(try nodes(parts))
    case .comparison(let comparison): return .test(try test(comparison))
    case .related(let quantifier, let objects): return .related(quantifier, try related(objects))
    }
  }

  private func nodes(_ parts: [Filter.Node]) throws(FilterFault) -> [ResolvedFilter.Node] {
    var nodes: [ResolvedFilter.Node] = []
    for part in parts { nodes.append(try node(part)) }
    return nodes
  }

  private func test(_ comparison: Filter.Comparison) throws(FilterFault) -> ResolvedFilter.Test {
    try checkForm(comparison)
    var sides = (left: try side(comparison.left), right: try side(comparison.right))
    var operation = comparison.operation
    // A value on the left, or many values on the right, changes sides: conditions apply to the left operand.
    let isRightTested = !sides.left.isSubject || sides.right.isMany && !sides.left.isMany
    if let flipped = operation.flipped, sides.right.isSubject, isRightTested {
      swap(&sides.left, &sides.right)
      operation = flipped
    }
    try checkTime(sides.left, sides.right, operation)
    try checkQuantifier(comparison, sides.left, sides.right)
    try checkEntity(sides.left, sides.right, operation)
    let parts = TestParts(
      subject: sides.left, operation: operation, other: sides.right, options: comparison.options,
      place: comparison.place)
    return ResolvedFilter.Test(
      subject: sides.left.operand, quantifier: comparison.quantifier, condition: try parts.condition(),
      comparison: comparison, time: sides.right.time)
  }

  /// Checks the rules of the parser for filters that are built in code.
  private func checkForm(_ comparison: Filter.Comparison) throws(FilterFault) {
    let operation = comparison.operation
    if comparison.left.isList || comparison.right.isList && !operation.takesList {
      throw FilterFault(message: "only IN and BETWEEN take a list, on their right", place: comparison.place)
    }
    if operation.takesList && !comparison.right.isList {
      throw FilterFault(message: "\(operation.rawValue) takes a list", place: comparison.place)
    }
    if !comparison.options.isEmpty && !operation.takesOptions {
      throw FilterFault(message: "\(operation.rawValue) has no [c] or [d]", place: comparison.place)
    }
  }

  /// Checks that exactly the paths to many values have a quantifier, and are on the left.
  private func checkQuantifier(_ comparison: Filter.Comparison, _ subject: Side, _ other: Side) throws(FilterFault) {
    if other.isMany {
      let advice = subject.isMany ? "one side only can be to-many" : "put the to-many path on the left"
      throw FilterFault(message: "“\(other.name)” is to-many; \(advice)", place: other.place)
    }
    guard subject.isMany != (comparison.quantifier != nil) else { return }
    if let quantifier = comparison.quantifier {
      let message = "\(quantifier.rawValue) asks for a path over a to-many relationship, and “\(subject.name)” is none"
      throw FilterFault(message: message, place: subject.place)
    }
    let message = "“\(subject.name)” leads to many values; put ANY, ALL or NONE before it, or count with @count"
    throw FilterFault(message: message, place: subject.place)
  }
}

// Operands.
extension FilterResolver {
  /// One operand of a test, resolved.
  struct Side {
    let operand: ResolvedFilter.Operand
    /// The elements of a list, with their places.
    let list: [(value: Value, place: Place)]
    let written: Filter.Operand
    /// What the value follows from, if it depends on the time.
    var time: RelativeTime?
    var place: Place { written.place }

    /// The operand's text for messages, formatted only on demand.
    var name: String {
      if case .values = written.form { return "the list" }
      return String(written.description.prefix(FilterResolver.shownCharacters))
    }

    var isMany: Bool {
      if case .path(let path) = operand { path.isMany } else { false }
    }

    /// Whether the operand depends on the object.
    var isSubject: Bool {
      if case .value = operand { false } else { true }
    }
  }

  private func side(_ operand: Filter.Operand) throws(FilterFault) -> Side {
    switch operand.form {
    case .value(let value):
      return Side(operand: .value(value), list: [], written: operand)
    case .values(let values):
      var list: [(Value, Place)] = []
      for element in values {
        if case .value(let value) = element.form { list.append((value, element.place)) }
      }
      return Side(operand: .value(.null), list: list, written: operand)
    case .time(let time, let word): return try side(time, word, operand)
    case .path(let path) where path.isPresentTime && !declares(path.names[0]):
      return try side(.present, path.names[0], operand)
    case .path(let path):
      let resolved = try resolve(path)
      return Side(operand: resolved, list: [], written: operand)
    case .count(let objects):
      return Side(operand: .count(try related(objects)), list: [], written: operand)
    }
  }

  /// The number of an operand's characters that messages show.
  fileprivate static let shownCharacters = 80

  /// Returns the path of a key path's names, without its aggregate.
  func find(_ path: Filter.KeyPath) throws(FilterFault) -> ResolvedPath {
    if let scope = path.scope, outerScopes.contains(where: { $0 === scope }) {
      let message = "a condition on related objects cannot name a field of the outer object"
      throw FilterFault(
        message: "\(message), such as “\(path.names.joined(separator: "."))”", place: path.places.first ?? Place(),
        isInCode: true)
    }
    do {
      return try finder.path(path.names)
    } catch {
      throw FilterFault(message: error.message, place: path.places[min(error.index, path.places.count - 1)])
    }
  }

  private func resolve(_ path: Filter.KeyPath) throws(FilterFault) -> ResolvedFilter.Operand {
    let resolved = try find(path)
    guard let aggregate = path.aggregate else { return .path(resolved) }
    try check(aggregate, over: resolved, named: path)
    return .aggregate(aggregate, resolved)
  }

  private func check(
    _ aggregate: Filter.Aggregate, over resolved: ResolvedPath, named path: Filter.KeyPath
  ) throws(FilterFault) {
    let place = path.places[path.places.count - 1]
    let word = "@" + aggregate.rawValue
    let manyBefore = resolved.steps.prefix(path.aggregateIndex).contains(where: \.isMany)
    guard manyBefore, !resolved.steps.dropFirst(path.aggregateIndex).contains(where: \.isMany) else {
      throw FilterFault(message: "\(word) follows a to-many relationship", place: place)
    }
    switch aggregate {
    case .count:
      guard path.aggregateIndex == path.names.count, resolved.field == .id else {
        throw FilterFault(message: "@count ends a path, right behind a to-many relationship", place: place)
      }
    case .sum, .avg:
      guard path.aggregateIndex < path.names.count, resolved.type.isNumeric else {
        throw FilterFault(message: "\(word) is followed by an attribute that is a number", place: place)
      }
    case .min, .max:
      guard path.aggregateIndex < path.names.count, resolved.type.isOrdered else {
        throw FilterFault(message: "\(word) is followed by an attribute that has an order", place: place)
      }
    }
  }
}

private extension Filter.Operand {
  var isList: Bool {
    if case .values = form { true } else { false }
  }
}
