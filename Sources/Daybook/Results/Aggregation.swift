import DaybookModel
import DaybookQuery

/// What is computed over all rows of a request's result; see ``Measure``.
package struct Aggregation: Hashable, Sendable {
  let aggregate: Filter.Aggregate
  /// The key path to the values; empty for the count of the rows.
  let path: [String]

  init(_ aggregate: Filter.Aggregate, _ path: [String]) {
    (self.aggregate, self.path) = (aggregate, path)
  }

  /// The number of rows.
  package static let count = Aggregation(.count, [])
}
