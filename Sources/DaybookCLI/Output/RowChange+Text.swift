import Daybook

extension RowChange<ObjectID> {
  /// A character for the kind of change.
  var sign: Character {
    switch self {
    case .delete: "-"
    case .insert: "+"
    case .move: ">"
    case .update: "~"
    }
  }

  /// The index paths: `[0, 3] → [1, 0]`.
  var places: String {
    [from, to].compactMap { $0?.description }.joined(separator: " → ")
  }
}
