import DaybookModel

/// The facts about the value of each path that follow from the parts of a filter.
struct Facts: Sendable {
  /// The facts about one path, each with the number of its part.
  struct Fact: Sendable {
    /// The value is one of these, without duplicates.
    var values: (list: [Value], part: Int)?
    var lower: (bound: Bound, part: Int)?
    var upper: (bound: Bound, part: Int)?
    /// The value is a string with this prefix.
    var prefix: (text: String, part: Int)?

    /// Whether all rows have the same value.
    var isFixed: Bool { values?.list.count == 1 }
  }

  /// A bound of a range of values; it is not null.
  struct Bound: Sendable {
    let value: Value
    let isInclusive: Bool
  }

  // Two lists instead of a dictionary: a filter has few paths, and hashing one takes longer than comparing it with all.
  private var paths: [ResolvedPath] = []
  private var facts: [Fact] = []

  init(_ parts: [ResolvedFilter.Node]) {
    for (number, part) in parts.enumerated() {
      guard case .test(let test) = part, test.quantifier == nil, case .path(let path) = test.subject else { continue }
      take(test.condition, about: path, part: number)
    }
  }

  /// Whether the filter states nothing about any path.
  var isEmpty: Bool { paths.isEmpty }

  /// The facts about a path.
  ///
  /// - Complexity: O(*n*) for *n* paths with facts.
  subscript(path: ResolvedPath) -> Fact? {
    paths.isEmpty ? nil : number(of: path.canonical).map { facts[$0] }
  }

  func isFixed(_ path: ResolvedPath) -> Bool {
    guard !paths.isEmpty, let number = number(of: path.canonical) else { return false }
    return facts[number].isFixed
  }

  /// Returns whether no row has null at the end of a path.
  func excludeNull(_ path: ResolvedPath) -> Bool {
    guard let fact = self[path] else { return false }
    return fact.lower != nil || fact.upper != nil || fact.prefix != nil
      || fact.values.map { !$0.list.contains(.null) } ?? false
  }

  private func number(of path: ResolvedPath) -> Int? {
    for number in paths.indices where paths[number] == path { return number }
    return nil
  }

  private mutating func take(_ condition: ResolvedFilter.Condition, about path: ResolvedPath, part: Int) {
    let number = number(of: path)
    var fact = number.map { facts[$0] } ?? Fact()
    switch condition {
    case .compare(.equal, .value(let value), _): fact.narrow(to: [value], part: part, type: path.type)
    case .among(let list, let fold) where fold.isNone: fact.narrow(to: list.values, part: part, type: path.type)
    case .compare(.greater, .value(let value), _):
      fact.raise(to: value, isInclusive: false, part: part, type: path.type)
    case .compare(.greaterOrEqual, .value(let value), _):
      fact.raise(to: value, isInclusive: true, part: part, type: path.type)
    case .compare(.less, .value(let value), _): fact.lower(to: value, isInclusive: false, part: part, type: path.type)
    case .compare(.lessOrEqual, .value(let value), _):
      fact.lower(to: value, isInclusive: true, part: part, type: path.type)
    case .between(let low, let high, _) where low.isKey(of: path.type) && high.isKey(of: path.type):
      // A part contributes both bounds or none, because it is tested again unless both are used.
      guard fact.lower == nil, fact.upper == nil else { break }
      fact.raise(to: low, isInclusive: true, part: part, type: path.type)
      fact.lower(to: high, isInclusive: true, part: part, type: path.type)
    case .affix(.start, .value(.string(let text)), let fold) where fold.isNone && path.order == .codepoint:
      fact.prefix = fact.prefix ?? (text, part)
    default: return
    }
    if let number {
      facts[number] = fact
    } else {
      paths.append(path)
      facts.append(fact)
    }
  }
}

extension Facts.Fact {
  /// Keeps the shortest of several lists; the others are tested.
  fileprivate mutating func narrow(to list: [Value], part: Int, type: AttributeType) {
    guard list.allSatisfy({ $0.isNull || $0.isKey(of: type) }), list.count < values?.list.count ?? .max else { return }
    values = (list, part)
  }

  fileprivate mutating func raise(to value: Value, isInclusive: Bool, part: Int, type: AttributeType) {
    guard lower == nil, value.isKey(of: type) else { return }
    lower = (Facts.Bound(value: value, isInclusive: isInclusive), part)
  }

  fileprivate mutating func lower(to value: Value, isInclusive: Bool, part: Int, type: AttributeType) {
    guard upper == nil, value.isKey(of: type) else { return }
    upper = (Facts.Bound(value: value, isInclusive: isInclusive), part)
  }
}

private extension Value {
  /// Whether the value is a key of this type.
  ///
  /// Null has a key too, but no range begins or ends there.
  func isKey(of type: AttributeType) -> Bool { literalType == type }
}
