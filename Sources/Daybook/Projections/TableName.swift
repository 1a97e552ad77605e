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

  /// Whether the rows of a table in a projections' environment end in a checksum.
  ///
  /// All do but those of views: a write reads nothing from views that goes into the journal, and a damaged row there leads
  /// to an object that is not there, or is not where it belongs, which reading or verifying finds.
  package static let hasChecksums: @Sendable (_ table: String) -> Bool = { !$0.hasPrefix("\(views).") }
}
