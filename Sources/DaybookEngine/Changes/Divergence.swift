import DaybookModel

/// The rows whose place at a position differs from their place in an ordering, with both.
package struct Divergence {
  private var rows: [ObjectID: Row] = [:]

  private struct Row {
    /// The row's place at the position, or `nil` if the row is not in the result there.
    var here: RowState?
    /// The row's place in the ordering, or `nil` if the ordering lacks the row.
    var base: RowState?
  }

  /// Creates an empty divergence: the position is the ordering's own.
  package init() {}

  /// Moves the position from the later end of a span of changes to the earlier end.
  package mutating func goBack(over changes: NetChanges) {
    for row in changes.rows where row.isMoved {
      let base = if let known = rows[row.id] { known.base } else { row.new }
      if row.old?.key == base?.key {
        rows[row.id] = nil
      } else {
        rows[row.id] = Row(here: row.old, base: base)
      }
    }
  }

  /// Returns the ordering as it was at the position.
  ///
  /// - Parameter reader: Reads at the ordering's position.
  package func applied(to ordering: Ordering, in reader: Reader?) -> ShiftedOrdering {
    guard !rows.isEmpty else { return ShiftedOrdering(ordering, in: reader) }
    return ShiftedOrdering(
      ordering, in: reader,
      adding: rows.values.compactMap { row in row.here.map { ($0.key, $0.sectionName) } },
      removing: rows.values.compactMap { row in row.base.map { ($0.key, $0.sectionName) } })
  }
}
