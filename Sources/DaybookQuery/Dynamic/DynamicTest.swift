import DaybookModel

/// One test of a ``DynamicFilter``, prepared for values of each type.
struct DynamicTest: Sendable {
  enum Operand: Sendable {
    case path(DynamicFilter.Path)
    case value(Value)
    case values([(value: Value, place: Place)])
  }

  private let left: Operand
  private let right: Operand
  /// The outcome for values that cannot be compared: they are unequal.
  private let outcomeOfUnlike: Bool
  /// The condition of each type that the other operand can be compared with.
  private let conditions: [AttributeType: ResolvedFilter.Condition]
  /// A condition for a missing value, whose type does not matter.
  private let conditionOfMissing: ResolvedFilter.Condition?

  /// The types of values that events and metadata have.
  private static let types: [AttributeType] = [
    .string, .integer, .double, .decimal, .boolean, .date, .uuid, .data,
  ]

  /// - Throws: `FilterFault` if the test can be met by no value of any type.
  init(_ comparison: Filter.Comparison, left: Operand, right: Operand) throws(FilterFault) {
    var (left, right, operation) = (left, right, comparison.operation)
    // Conditions apply to a path on the left.
    if case .path = right, case .value = left, let flipped = operation.flipped {
      (left, right, operation) = (right, left, flipped)
    }
    (self.left, self.right) = (left, right)
    outcomeOfUnlike = operation == .notEqual
    var conditions: [AttributeType: ResolvedFilter.Condition] = [:]
    var firstFault: FilterFault?
    for type in DynamicTest.types {
      do throws(FilterFault) {
        conditions[type] = try DynamicTest.condition(comparison, operation, left, right, type)
      } catch {
        firstFault = firstFault ?? error
      }
    }
    if conditions.isEmpty, let firstFault { throw firstFault }
    self.conditions = conditions
    conditionOfMissing = DynamicTest.types.lazy.compactMap { conditions[$0] }.first
  }

  private static func condition(
    _ comparison: Filter.Comparison, _ operation: Filter.Operator, _ left: Operand, _ right: Operand,
    _ type: AttributeType
  ) throws(FilterFault) -> ResolvedFilter.Condition {
    var right = right
    // Elements of other types are equal to no value of this one, so only the others are tested for it.
    if operation == .among, case .values(let list) = right {
      let fitting = list.filter { $0.value.converted(to: type) != nil }
      if !fitting.isEmpty { right = .values(fitting) }
    }
    let parts = TestParts(
      subject: side(left, comparison.left, type), operation: operation, other: side(right, comparison.right, type),
      options: comparison.options, place: comparison.place)
    return try parts.condition()
  }

  /// Returns an operand as the resolver of typed filters has it, with a path to a value of a type.
  private static func side(
    _ operand: Operand, _ written: Filter.Operand, _ type: AttributeType
  ) -> FilterResolver.Side {
    switch operand {
    case .path:
      let path = ResolvedPath(start: 0, field: .attribute(0), type: type)
      return FilterResolver.Side(operand: .path(path), list: [], written: written)
    case .value(let value): return FilterResolver.Side(operand: .value(value), list: [], written: written)
    case .values(let list): return FilterResolver.Side(operand: .value(.null), list: list, written: written)
    }
  }

  func isMet(_ value: (DynamicFilter.Path) throws -> Value) throws -> Bool {
    let subject = try DynamicTest.value(left, value)
    let other = try DynamicTest.value(right, value)
    guard let type = subject.literalType ?? other.literalType else {
      return try conditionOfMissing?.isMet(by: subject, other: otherValue(other)) ?? outcomeOfUnlike
    }
    if case .path = right, !DynamicTest.areAlike(subject, other) { return outcomeOfUnlike }
    guard let condition = conditions[type] else { return outcomeOfUnlike }
    return try condition.isMet(by: subject, other: condition.operand?.literal ?? other)
  }

  private func otherValue(_ value: Value) -> Value { conditionOfMissing?.operand?.literal ?? value }

  private static func value(_ operand: Operand, _ value: (DynamicFilter.Path) throws -> Value) throws -> Value {
    switch operand {
    case .path(let path): try value(path)
    case .value(let value): value
    case .values: .null
    }
  }

  /// Returns whether values of two paths can be compared.
  private static func areAlike(_ a: Value, _ b: Value) -> Bool {
    guard let first = a.literalType, let second = b.literalType else { return true }
    return first == second || first.isNumeric && second.isNumeric
  }
}

private extension ResolvedFilter.Operand {
  /// The operand's value, if resolution has converted it to the type of the condition.
  var literal: Value? {
    if case .value(let value) = self { value } else { nil }
  }
}
