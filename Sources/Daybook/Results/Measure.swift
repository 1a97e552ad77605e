import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// A computation over all rows of a request's result.
///
///     try store.value(of: Recipe.all.sum(\.servings))
///     for try await total in store.values(of: Recipe.where { $0.type == dessert }.count()) { show(total.value) }
///
/// Nulls are ignored. Without values, the count and the sum are 0, and every other measure is null.
///
/// Sums and averages are exact, so they do not depend on the order of the rows or of the changes. A sum of integers or
/// decimals is their sum; a sum of doubles is the double that is nearest to it, and an average is the double, or the
/// decimal of 38 digits, that is nearest to the exact quotient. An infinity among the values is the result. A sum that no
/// value of its type can hold is an error with the code ``StoreError/Code/badValue``: of integers beyond 64 bits, of
/// decimals beyond 38 digits, of doubles beyond their range, of infinities of both signs. An average exists also then, but
/// for infinities of both signs.
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
