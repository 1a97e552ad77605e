/// A changed row without its id: its paths in both results, and its alteration.
struct RowPlacement {
  /// Its path in the old result, or `nil` if it is not there.
  var from: RowPath?
  /// Its path in the new result, or `nil` if it is not there.
  var to: RowPath?
  var alteration: Alteration
}

/// The kind of change of a row that is in both results, apart from its path.
///
/// It has no effect for a row whose section differs, because such a row moves.
@usableFromInline
package enum Alteration: Hashable, Sendable {
  /// Its state is the same. Such a row may be omitted, unless its section differs.
  case nothing
  /// Its other state changed, but not its sort keys: it keeps its place and is an update.
  case values
  /// Its sort keys changed: it is a move or an update.
  case keys
  /// Its state is the same, but the request's order changed: it is a move or unchanged.
  case order

  /// Whether the row may have to leave its place among the rows of its section.
  @inlinable var mayMove: Bool {
    switch self {
    case .nothing, .values: false
    case .keys, .order: true
    }
  }

  /// Whether a row that keeps its place is an update.
  @inlinable var isUpdate: Bool {
    switch self {
    case .values, .keys: true
    case .nothing, .order: false
    }
  }
}

/// A contradiction between placements.
///
/// Rows are identified by their index among the placements.
enum PlacementFault: Error {
  case nowhere(row: Int)
  case negativePath(row: Int)
  case samePath(row: Int, and: Int)
  /// A row that must keep its place has a different number of fixed rows before it.
  case leftItsPlace(row: Int)
}
