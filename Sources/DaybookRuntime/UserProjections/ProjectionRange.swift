import DaybookEngine

/// A range of the whole keys of a projection's rows, which does not include its upper bound.
package struct ProjectionRange {
  package var lower: [UInt8]
  package var upper: [UInt8]

  /// The range of all rows of a table.
  ///
  /// - Throws: `StoreError` with the code `badValue` for an invalid name.
  package init(_ table: String) throws(StoreError) {
    lower = try ProjectionKey.prefix(of: table)
    upper = lower
    // The keys of a table begin with its name and 0.
    upper[upper.count - 1] = 1
  }

  package func contains(_ key: [UInt8]) -> Bool {
    !key.lexicographicallyPrecedes(lower) && key.lexicographicallyPrecedes(upper)
  }

  var isEmpty: Bool { !lower.lexicographicallyPrecedes(upper) }
}
