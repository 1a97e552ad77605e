#if Command

import Daybook

/// A change of a row or of a node of a tree, as the command prints it.
protocol PlacedChange {
  associatedtype Place: CustomStringConvertible

  /// The kind of change: `delete`, `insert`, `move` or `update`.
  var word: String { get }
  var from: Place? { get }
  var to: Place? { get }
}

extension PlacedChange {
  /// A character for the kind of change.
  var sign: Character {
    switch word {
    case "delete": "-"
    case "insert": "+"
    case "move": ">"
    default: "~"
    }
  }

  /// The paths: `[0, 3] → [1, 0]`.
  var places: String { [from, to].compactMap { $0?.description }.joined(separator: " → ") }
}

extension RowChange<ObjectID>: PlacedChange {}
extension NodeChange<ObjectID>: PlacedChange {}

#endif
