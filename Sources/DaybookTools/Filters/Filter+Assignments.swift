import Daybook

extension Filter {
  /// Reads a filter whose variables are given as text; of two values for a variable, the last counts.
  ///
  /// - Throws: `QueryError`, as `Filter(parsing:variables:lists:)`.
  public init(parsing text: String, variables: [Assignment]) throws(QueryError) {
    try self.init(parsing: text, operands: Filter.operands(variables))
  }

  /// Reads a condition on groups whose variables are given as text; of two values for a variable, the last counts.
  ///
  /// - Throws: `QueryError`, as `Filter(parsingHaving:operands:)`.
  package init(parsingHaving text: String, variables: [Assignment]) throws(QueryError) {
    try self.init(parsingHaving: text, operands: Filter.operands(variables))
  }

  private static func operands(_ variables: [Assignment]) -> [String: Operand] {
    Dictionary(variables.map { ($0.name, Operand.value(.string($0.text))) }) { _, last in last }
  }
}
