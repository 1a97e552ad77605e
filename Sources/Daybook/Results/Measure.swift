import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// A computation over all rows of a request's result.
///
///     try store.value(of: Recipe.all.sum(\.servings))
///     for try await total in store.values(of: Recipe.where { $0.type == dessert }.count()) { show(total.value) }
///
/// Nulls are ignored. Without values, the count and the sum are 0, and every other measure is null. Doubles and
/// decimals are added in the order of the rows' ids, so that a sum does not depend on the order of the changes; a sum
/// of integers beyond 64 bits is a decimal.
public struct Measure<Row: ResultRow>: Hashable, Sendable {
  /// The request whose rows are measured, within its limit and offset.
  package let request: Request<Row>
  package let aggregation: Aggregation

  package init(_ aggregation: Aggregation, of request: Request<Row>) {
    (self.request, self.aggregation) = (request, aggregation)
  }
}

/// The value of a measure over a request's result, at a position.
public struct LiveValue: Sendable, Hashable {
  /// The position of the result.
  public let position: Position
  /// The value; null if it is undefined, such as the minimum without rows.
  public let value: Value
}
