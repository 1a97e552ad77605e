import DaybookModel
import Foundation

/// A test with resolved operands, which builds the test's condition.
///
/// It checks the types, and converts values to the type of the operand they are compared with.
struct TestParts {
  typealias Side = FilterResolver.Side

  let subject: Side
  let operation: Filter.Operator
  let other: Side
  let options: Filter.Options
  let place: Place

  private var fold: TextFold { TextFold(options) }

  func condition() throws(FilterFault) -> ResolvedFilter.Condition {
    if operation.isTextual || !options.isEmpty { try checkText(subject) }
    switch operation {
    case .equal, .notEqual: return try equality()
    case .less: return try order(.less)
    case .lessOrEqual: return try order(.lessOrEqual)
    case .greater: return try order(.greater)
    case .greaterOrEqual: return try order(.greaterOrEqual)
    case .between:
      try checkOrder()
      let bounds = try values()
      guard bounds.count == 2 else { throw FilterFault(message: "BETWEEN takes two values", place: other.place) }
      return .between(bounds[0], bounds[1], subject.order)
    case .among: return .among(ValueList(try values().map(fold.apply)), fold)
    case .beginsWith: return .affix(.start, try text(), fold)
    case .endsWith: return .affix(.end, try text(), fold)
    case .contains: return try containment()
    case .like: return .like(LikePattern(try literalText(), fold: fold), fold)
    case .matches: return .matches(try expression(), TextFold(options.intersection(.diacriticInsensitive)))
    }
  }

  private func equality() throws(FilterFault) -> ResolvedFilter.Condition {
    let isEqual = operation == .equal
    let operand = try comparable()
    guard !options.isEmpty else { return .compare(isEqual ? .equal : .notEqual, operand, subject.order) }
    return .foldedEqual(isEqual, folded(operand), fold)
  }

  private func order(_ relation: ResolvedFilter.Relation) throws(FilterFault) -> ResolvedFilter.Condition {
    try checkOrder()
    return .compare(relation, try comparable(), subject.order)
  }

  private func checkOrder() throws(FilterFault) {
    guard let type = subject.type, !type.isOrdered else { return }
    throw FilterFault(message: "“\(subject.name)” is \(type.nounPhrase), which has no order", place: subject.place)
  }

  /// Returns the other operand; throws if its type cannot be compared with the subject's.
  private func comparable() throws(FilterFault) -> ResolvedFilter.Operand {
    if case .value(let value) = other.operand { return .value(try converted(value, at: other.place)) }
    guard let type = subject.type, let otherType = other.type, type != otherType,
      !(type.isNumeric && otherType.isNumeric)
    else { return other.operand }
    let message = "“\(other.name)” is \(otherType.nounPhrase), and “\(subject.name)” is \(type.nounPhrase)"
    throw FilterFault(message: message, place: other.place)
  }

  private func values() throws(FilterFault) -> [Value] {
    var values: [Value] = []
    for element in other.list { values.append(try converted(element.value, at: element.place)) }
    return values
  }

  private func converted(_ value: Value, at place: Place) throws(FilterFault) -> Value {
    if case .double(let number) = value, number.isNaN {
      throw FilterFault(message: "a value that is not a number cannot be compared", place: place)
    }
    guard let type = subject.type else { return value }
    if let value = value.converted(to: type) { return value }
    throw FilterFault(message: LiteralAdvice.message(for: value, type: type, name: subject.name), place: place)
  }
}

// Text.
extension TestParts {
  private func checkText(_ side: Side) throws(FilterFault) {
    guard let type = side.type, type != .string else { return }
    let word = operation.isTextual ? operation.rawValue : options.description
    let message = "\(word) is for strings, and “\(side.name)” is \(type.nounPhrase)"
    throw FilterFault(message: message, place: side.place)
  }

  private func text() throws(FilterFault) -> ResolvedFilter.Operand {
    guard case .value = other.operand else {
      try checkText(other)
      return other.operand
    }
    return folded(.value(.string(try literalText())))
  }

  /// Returns the condition of a `CONTAINS`.
  ///
  /// The search for a value is prepared once; the search for a path's value is prepared for each object.
  private func containment() throws(FilterFault) -> ResolvedFilter.Condition {
    let operand = try text()
    guard case .value(.string(let text)) = operand else { return .affix(.middle, operand, fold) }
    return .contains(BytePattern(text), fold)
  }

  private func literalText() throws(FilterFault) -> String {
    if case .value(.string(let text)) = other.operand { return text }
    throw FilterFault(message: "\(operation.rawValue) takes text in quotes", place: other.place)
  }

  private func folded(_ operand: ResolvedFilter.Operand) -> ResolvedFilter.Operand {
    if case .value(let value) = operand { .value(fold.apply(value)) } else { operand }
  }

  private func expression() throws(FilterFault) -> RegularExpression {
    let text = try literalText()
    do {
      return try RegularExpression(text, options: options)
    } catch {
      throw FilterFault(message: "this regular expression is not right: \(error)", place: other.place)
    }
  }
}

private extension FilterResolver.Side {
  /// The type of the values, or `nil` for null.
  var type: AttributeType? {
    switch operand {
    case .path(let path): path.type
    case .value(let value): value.literalType
    case .aggregate(.count, _), .count: .integer
    case .aggregate(.avg, let path): path.type == .decimal ? .decimal : .double
    case .aggregate(_, let path): path.type
    }
  }

  /// The order of the values, if they are strings.
  var order: StringOrder {
    switch operand {
    case .path(let path), .aggregate(_, let path): path.order
    case .value, .count: .codepoint
    }
  }
}
