#if Import

import GRDB

/// Reads columns without trust in their types: a damaged store has text where Core Data writes numbers.
extension Row {
  /// Returns a whole number, or `nil` for any other value.
  func integer(_ column: Int) -> Int64? {
    if case .int64(let number) = (self[column] as DatabaseValue).storage { number } else { nil }
  }

  /// Returns a number of rows, as `count(*)` computes it.
  func count(_ column: Int) -> Int { Int(clamping: integer(column) ?? 0) }

  /// Returns text, or `nil` for any other value.
  func text(_ column: Int) -> String? {
    if case .string(let text) = (self[column] as DatabaseValue).storage { text } else { nil }
  }

  /// Returns bytes, or `nil` for any other value.
  func bytes(_ column: Int) -> [UInt8]? {
    if case .blob(let data) = (self[column] as DatabaseValue).storage { Array(data) } else { nil }
  }
}

#endif
