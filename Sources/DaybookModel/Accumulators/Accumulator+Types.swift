extension Accumulator.Function {
  /// Returns why nothing is computed over values of a type, or `nil` if it is.
  package func complaint(about type: AttributeType) -> String? {
    switch self {
    case .sum, .average: type.isNumeric ? nil : "this is \(type.nounPhrase), which cannot be added"
    case .minimum, .maximum: type.isOrdered ? nil : "this is \(type.nounPhrase), which has no order"
    case .count, .distinct, .first, .last: nil
    }
  }

  /// Returns the type of what is computed over values of a type.
  package func result(of type: AttributeType) -> AttributeType {
    switch self {
    case .count, .distinct: .integer
    case .average: type == .integer ? .double : type
    case .sum, .minimum, .maximum, .first, .last: type
    }
  }
}
