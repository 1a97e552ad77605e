#if Import

import DaybookModel

/// The values of one row, in the order of the table's columns.
package struct TableRow: Sendable {
  package let values: [Value]
  /// The places of the cells, for errors.
  package let places: [TextPlace]

  /// The line of the row.
  package var line: Int { places.first?.line ?? 1 }
}

#endif
