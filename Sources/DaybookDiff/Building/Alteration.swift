/// What is different about a row that is in both results, apart from its path.
///
/// In a row whose section differs it does not matter: such a row moves.
package enum Alteration: Hashable, Sendable {
  /// Its state is the same. Such a row need not be given at all, unless its section differs.
  case nothing
  /// Its sort keys are the same, other state changed: it keeps its place among the rows around it and is an update.
  case values
  /// Its sort keys changed: it is a move or an update.
  case keys
  /// Its state is the same, but the request itself orders it otherwise: it is a move or nothing.
  case order

  /// Whether the row may have to leave its place among the rows of its section.
  var mayMove: Bool {
    switch self {
    case .nothing, .values: false
    case .keys, .order: true
    }
  }

  /// Whether a row that keeps its place is an update.
  var isUpdate: Bool {
    switch self {
    case .values, .keys: true
    case .nothing, .order: false
    }
  }
}
