import DaybookEngine
import DaybookModel

/// The commits that the rows of a scope lack.
package struct ScopeLag: Sendable {
  /// The position of the store's last commit.
  package let head: Position
  /// The checkpoint of each projection, by rising name.
  let checkpoints: [(projection: String, position: Position)]

  /// The numbers of commits that projections lack, by name; empty if all are at the head.
  package var behind: [String: UInt64] {
    checkpoints.reduce(into: [:]) { if $1.position < head { $0[$1.projection] = head.number - $1.position.number } }
  }

  /// Returns the error of reading a position that the rows lack.
  func error(of position: Position) -> StoreError {
    guard let lowest = checkpoints.min(by: { $0.position < $1.position }) else {
      return StoreError(.notFound, "There is no commit \(position); the head is \(head).")
    }
    return StoreError(
      .notFound,
      "The rows of the projection \(lowest.projection) are at \(lowest.position): they lack "
        + "\(position.number - lowest.position.number) of the commits up to \(position).",
      advice: "Wait for the projection, or read a position up to \(lowest.position).")
  }
}
