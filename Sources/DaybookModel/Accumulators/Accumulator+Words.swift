extension Accumulator.Function {
  /// The word for it in texts.
  package var word: String {
    switch self {
    case .count: "count"
    case .sum: "sum"
    case .average: "average"
    case .minimum: "min"
    case .maximum: "max"
    case .distinct: "distinct"
    case .first: "first"
    case .last: "last"
    }
  }

  /// Reads the word for a function.
  package init?(word: some StringProtocol) {
    guard let function = Accumulator.Function.allCases.first(where: { $0.word == word }) else { return nil }
    self = function
  }
}
