import DaybookEngine
import DaybookModel

/// The projections whose derived entities requests reach, by rising name; none for stored objects alone.
///
/// All that is read in a scope is of one position: the lowest checkpoint of the projections.
package struct RequestScope: Hashable, Sendable {
  package let projections: [String]

  init(_ projections: Set<String>) {
    self.projections = projections.sorted()
  }

  /// The stored objects alone, which are read at the head.
  package static let stored = RequestScope([])

  package var isStored: Bool { projections.isEmpty }
}

/// The rows that are read in a scope: another stamp means that rows were replaced by rebuilt ones.
package struct ScopeStamp: Hashable, Sendable {
  /// The rows of one projection.
  struct Part: Hashable, Sendable {
    let projection: String
    let version: UInt64
    /// The number of the rows, which grows each time that others take their place.
    let generation: UInt64
  }

  let parts: [Part]

  /// The stamp of stored objects.
  package static let stored = ScopeStamp(parts: [])

  /// Whether rows of an earlier reader were replaced by ones that this stamp has.
  func isLater(than other: ScopeStamp) -> Bool {
    zip(parts, other.parts).contains { $0.generation > $1.generation }
  }
}

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
