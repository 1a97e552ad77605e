import Daybook

extension Filter {
  /// Reads a filter whose variables are given as text; of two values for a variable, the last counts.
  ///
  /// - Throws: `QueryError`, as `Filter(parsing:variables:lists:)`.
  public init(parsing text: String, variables: [Assignment]) throws(QueryError) {
    let pairs = variables.map { ($0.name, Value.string($0.text)) }
    try self.init(parsing: text, variables: Dictionary(pairs) { _, last in last })
  }
}
