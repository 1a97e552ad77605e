import DaybookModel

/// The rows whose places at some position differ from those in an ordering, and how.
struct Divergence {
  private var rows: [ObjectID: Row] = [:]

  private struct Row {
    /// Its place at the position; nil if it is not there.
    var here: RowState?
    /// Its place in the ordering.
    var base: RowState?
  }

  /// None: the position is that of the ordering.
  init() {}

  /// Goes from the later end of some changes to the earlier one.
  mutating func goBack(over changes: NetChanges) {
    for row in changes.rows where row.isMoved {
      let base = if let known = rows[row.id] { known.base } else { row.new }
      if row.old?.key == base?.key {
        rows[row.id] = nil
      } else {
        rows[row.id] = Row(here: row.old, base: base)
      }
    }
  }

  /// The ordering as it was at the position.
  ///
  /// - Parameter reader: Reads the position of the ordering.
  func applied(to ordering: Ordering, in reader: Reader?) -> ShiftedOrdering {
    guard !rows.isEmpty else { return ShiftedOrdering(ordering, in: reader) }
    return ShiftedOrdering(
      ordering, in: reader,
      adding: rows.values.compactMap { row in row.here.map { ($0.key, $0.sectionName) } },
      removing: rows.values.compactMap { row in row.base.map { ($0.key, $0.sectionName) } })
  }
}
