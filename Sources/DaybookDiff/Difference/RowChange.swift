/// A change of one row. `from` counts in the old list, `to` in the new one.
public enum RowChange<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The row is only in the old list.
  case delete(ID, from: RowPath)
  /// The row is only in the new list.
  case insert(ID, to: RowPath)
  /// The row is in another section, or had to leave its place among the rows of its section.
  ///
  /// Its shown state may have changed too: a move implies an update.
  case move(ID, from: RowPath, to: RowPath)
  /// The row kept its place among the rows around it, but its shown state changed.
  ///
  /// Its path may have shifted, because other rows were inserted or deleted.
  case update(ID, from: RowPath, to: RowPath)

  /// The row.
  public var id: ID {
    switch self {
    case .delete(let id, _), .insert(let id, _), .move(let id, _, _), .update(let id, _, _): id
    }
  }

  /// The path in the old list, or `nil` for an insert.
  public var from: RowPath? {
    switch self {
    case .delete(_, let from), .move(_, let from, _), .update(_, let from, _): from
    case .insert: nil
    }
  }

  /// The path in the new list, or `nil` for a delete.
  public var to: RowPath? {
    switch self {
    case .insert(_, let to), .move(_, _, let to), .update(_, _, let to): to
    case .delete: nil
    }
  }

  /// The change that undoes this one.
  var inverted: RowChange {
    switch self {
    case .delete(let id, let from): .insert(id, to: from)
    case .insert(let id, let to): .delete(id, from: to)
    case .move(let id, let from, let to): .move(id, from: to, to: from)
    case .update(let id, let from, let to): .update(id, from: to, to: from)
    }
  }
}

extension RowChange: CustomStringConvertible {
  public var description: String {
    switch self {
    case .delete(let id, let from): "delete \(id) \(from)"
    case .insert(let id, let to): "insert \(id) \(to)"
    case .move(let id, let from, let to): "move \(id) \(from) to \(to)"
    case .update(let id, let from, let to): "update \(id) \(from) to \(to)"
    }
  }
}

extension RowChange {
  /// Orders changes: deletes by descending `from`, inserts by `to`, moves, updates by `from`.
  static func precedes(_ a: RowChange, _ b: RowChange) -> Bool {
    switch (a, b) {
    case (.delete(_, let a), .delete(_, let b)): a > b
    case (.insert(_, let a), .insert(_, let b)): a < b
    case (.move(_, let a, _), .move(_, let b, _)): a < b
    case (.update(_, let a, _), .update(_, let b, _)): a < b
    default: a.kindRank < b.kindRank
    }
  }

  private var kindRank: Int {
    switch self {
    case .delete: 0
    case .insert: 1
    case .move: 2
    case .update: 3
    }
  }
}

extension RowChange {
  /// The name of the kind of change.
  package var word: String {
    switch self {
    case .delete: "delete"
    case .insert: "insert"
    case .move: "move"
    case .update: "update"
    }
  }
}
