import DaybookModel
import DaybookQuery

/// The value of a measure over a request's result, at a position.
public struct LiveValue: Sendable, Hashable {
  /// The position of the result.
  public let position: Position
  /// The value; null if it is undefined, such as the minimum without rows.
  public let value: Value
}

/// A computation over all rows of a request's result.
///
///     store.value(.sum("servings"), of: request)
///
/// Nulls are ignored. Without values, the count and the sum are 0, and every other measure is null. Doubles and
/// decimals are added in the order of the rows' ids, so that a sum does not depend on the order of the changes; a sum
/// of integers beyond 64 bits is a decimal.
public struct Measure: Hashable, Sendable {
  let aggregate: Filter.Aggregate
  /// The key path to the values; empty for the count of the rows.
  let path: [String]

  private init(_ aggregate: Filter.Aggregate, _ path: String) {
    self.aggregate = aggregate
    self.path = path.isEmpty ? [] : path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// The number of rows.
  public static let count = Measure(.count, "")

  /// Returns the sum of the numbers at the end of a key path over to-one relationships.
  public static func sum(_ path: String) -> Measure { Measure(.sum, path) }

  /// Returns the measure of the least value.
  public static func minimum(_ path: String) -> Measure { Measure(.min, path) }

  /// Returns the measure of the greatest value.
  public static func maximum(_ path: String) -> Measure { Measure(.max, path) }

  /// Returns the measure of the average of numbers, which is null without numbers.
  public static func average(_ path: String) -> Measure { Measure(.avg, path) }
}
