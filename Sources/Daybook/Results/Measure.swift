import DaybookQuery

/// What is computed over all rows of a request's result.
///
///     store.value(.sum("servings"), of: request)
///
/// Nulls are left out. Of no values the count and the sum are 0, all else is null. Doubles and decimals are added in the
/// order of the rows' ids, so that a sum does not depend on how it came about; a sum of integers beyond 64 bits is a
/// decimal.
public struct Measure: Hashable, Sendable {
  let aggregate: Filter.Aggregate
  /// Where the values are; empty for the count of the rows.
  let path: [String]

  private init(_ aggregate: Filter.Aggregate, _ path: String) {
    self.aggregate = aggregate
    self.path = path.isEmpty ? [] : path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// The number of rows.
  public static let count = Measure(.count, "")

  /// The sum of the numbers that a key path over to-one relationships leads to.
  public static func sum(_ path: String) -> Measure { Measure(.sum, path) }

  /// The least value.
  public static func minimum(_ path: String) -> Measure { Measure(.min, path) }

  /// The greatest value.
  public static func maximum(_ path: String) -> Measure { Measure(.max, path) }

  /// The average of numbers; null of none.
  public static func average(_ path: String) -> Measure { Measure(.avg, path) }
}
