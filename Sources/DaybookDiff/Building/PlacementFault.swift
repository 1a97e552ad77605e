/// Why placements cannot all be true. Rows are named by their index among the placements.
enum PlacementFault: Error {
  case nowhere(row: Int)
  case negativePath(row: Int)
  case samePath(row: Int, and: Int)
  /// A row that must keep its place among the fixed rows has another number of them before it.
  case leftItsPlace(row: Int)
}
