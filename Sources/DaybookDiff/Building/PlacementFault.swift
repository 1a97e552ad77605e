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
