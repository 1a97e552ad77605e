/// The tables of the built-in projections.
package enum TableName: Int, CaseIterable, Sendable {
  /// Entity tag, object id → record.
  case objects
  /// Relationship tag, source id, (order key,) target id; both directions.
  case links
  /// View tag, encoded terms, object id → nothing.
  case views
  /// Constraint tag, values → object id.
  case unique

  /// The name that people use, and the stem of the table's name in the environment.
  package var name: String { "\(self)" }
}
