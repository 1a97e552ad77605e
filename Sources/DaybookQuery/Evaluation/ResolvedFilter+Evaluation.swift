import DaybookModel

extension ResolvedFilter {
  /// Returns whether an object meets the filter.
  ///
  /// It reads no more than needed: parts are tested from left to right until the outcome is clear.
  ///
  /// - Throws: The errors of the source; `AggregateFault`; `WorkLimitExceeded`.
  package func matches(_ object: ObjectKey, in source: inout some ObjectSource) throws -> Bool {
    try node.matches(object, in: &source)
  }
}

private extension ResolvedFilter.Node {
  func matches(_ object: ObjectKey, in source: inout some ObjectSource) throws -> Bool {
    switch self {
    case .constant(let isMet): return isMet
    case .kind(let entity): return try source.isKind(object, of: entity)
    case .not(let inner): return try !inner.matches(object, in: &source)
    case .all(let parts):
      for part in parts where try !part.matches(object, in: &source) { return false }
      return true
    case .any(let parts):
      for part in parts where try part.matches(object, in: &source) { return true }
      return false
    case .test(let test): return try test.matches(object, in: &source)
    case .related(let quantifier, let objects): return try objects.meet(quantifier, from: object, in: &source)
    }
  }
}

extension ResolvedFilter.RelatedObjects {
  /// Returns whether as many of the related objects meet the condition as a quantifier demands.
  fileprivate func meet(
    _ quantifier: Filter.Quantifier, from object: ObjectKey, in source: inout some ObjectSource
  ) throws -> Bool {
    let wanted = quantifier == .all
    // The walk ends early at the first object that fails ALL, or passes ANY or NONE.
    let isExhausted = try path.forEachObject(from: object, in: &source) { related, source in
      try condition.matches(related, in: &source) == wanted
    }
    return quantifier == .any ? !isExhausted : isExhausted
  }

  /// Returns the number of related objects that meet the condition.
  ///
  /// An object that is reached over several paths counts once for each.
  fileprivate func count(from object: ObjectKey, in source: inout some ObjectSource) throws -> Int {
    var count = 0
    _ = try path.forEachObject(from: object, in: &source) { related, source in
      if try condition.matches(related, in: &source) { count += 1 }
      return true
    }
    return count
  }
}

private extension ResolvedFilter.Test {
  func matches(_ object: ObjectKey, in source: inout some ObjectSource) throws -> Bool {
    let other = try other?.value(of: object, in: &source) ?? otherValue
    guard let quantifier, case .path(let path) = subject else {
      return try condition.isMet(by: subject.value(of: object, in: &source), other: other)
    }
    let wanted = quantifier == .all
    let isExhausted = try path.forEach(from: object, in: &source) { value in
      try condition.isMet(by: value, other: other) == wanted
    }
    // The walk ends early at the first value that fails ALL, or passes ANY or NONE.
    return quantifier == .any ? !isExhausted : isExhausted
  }
}

private extension ResolvedFilter.Operand {
  func value(of object: ObjectKey, in source: inout some ObjectSource) throws -> Value {
    switch self {
    case .value(let value): value
    case .path(let path): try path.value(of: object, in: &source)
    case .aggregate(let aggregate, let path): try aggregate.value(over: path, of: object, in: &source)
    case .count(let objects): .integer(Int64(try objects.count(from: object, in: &source)))
    }
  }
}

extension ResolvedFilter.Condition {
  /// - Parameter other: The value of ``operand``, if it exists.
  /// - Throws: `WorkLimitExceeded`.
  func isMet(by value: Value, other: Value) throws -> Bool {
    switch self {
    case .compare(let relation, _, let order): return relation.isMet(value, other, order)
    case .foldedEqual(let isEqual, let operand, let fold):
      let other = operand.isFolded ? other : try fold.limited(other)
      return ValueComparison.areEqual(try fold.limited(value), other) == isEqual
    case .between(let low, let high, let order):
      return ResolvedFilter.Relation.greaterOrEqual.isMet(value, low, order)
        && ResolvedFilter.Relation.lessOrEqual.isMet(value, high, order)
    case .among(let list, let fold): return list.contains(try fold.limited(value))
    case .affix(let affix, let operand, let fold):
      guard case .string(let text) = value, case .string(let part) = other else { return false }
      return affix.isMet(try fold.limited(text), operand.isFolded ? part : try fold.limited(part))
    case .contains(let pattern, let fold):
      guard case .string(let text) = value else { return false }
      return pattern.isFound(in: try fold.limited(text))
    case .like(let pattern, let fold):
      guard case .string(let text) = value else { return false }
      return try pattern.matches(fold.limited(text))
    case .matches(let expression, let fold):
      guard case .string(let text) = value else { return false }
      return try expression.matches(fold.limited(text))
    }
  }
}

private extension ResolvedFilter.Operand {
  /// Whether resolution has folded the operand.
  var isFolded: Bool {
    if case .value = self { true } else { false }
  }
}

private extension ResolvedFilter.Relation {
  func isMet(_ a: Value, _ b: Value, _ order: StringOrder) -> Bool {
    switch self {
    case .equal: return ValueComparison.areEqual(a, b)
    case .notEqual: return !ValueComparison.areEqual(a, b)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: break
    }
    guard !a.isNull, !b.isNull else { return false }
    let result = ValueComparison.compare(a, b, order: order)
    return switch self {
    case .less: result < 0
    case .lessOrEqual: result <= 0
    case .greater: result > 0
    case .greaterOrEqual, .equal, .notEqual: result >= 0
    }
  }
}

private extension ResolvedFilter.Affix {
  /// Returns whether the part is at its place in the text, compared as UTF-8.
  func isMet(_ text: String, _ part: String) -> Bool {
    guard part.utf8.count <= text.utf8.count else { return false }
    return switch self {
    case .start: text.utf8.starts(with: part.utf8)
    case .end: text.utf8.suffix(part.utf8.count).elementsEqual(part.utf8)
    case .middle: BytePattern(part).isFound(in: text)
    }
  }
}
