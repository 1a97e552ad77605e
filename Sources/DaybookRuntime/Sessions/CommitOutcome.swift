import DaybookModel

/// What became of a commit.
///
///     switch try store.commit(info, { try $0.insert("Order", ["number": 4711]) }) {
///     case .committed(let position, let order): ship(order, position)
///     case .unchanged: break
///     case .alreadyCommitted(let position): print("sent again; it is commit \(position)")
///     }
public enum CommitOutcome<Result> {
  /// There is a new commit; with the closure's result.
  case committed(position: Position, result: Result)
  /// The closure changed nothing, so there is no commit; with the head, and the closure's result.
  case unchanged(position: Position, result: Result)
  /// The journal had a commit with this id before, and the closure did not run; with the position of that commit.
  case alreadyCommitted(position: Position)

  /// The position of the commit, or the head if nothing changed.
  public var position: Position {
    switch self {
    case .committed(let position, _), .unchanged(let position, _), .alreadyCommitted(let position): position
    }
  }

  /// The result of the closure, or `nil` if it did not run.
  public var result: Result? {
    switch self {
    case .committed(_, let result), .unchanged(_, let result): result
    case .alreadyCommitted: nil
    }
  }
}

extension CommitOutcome: Sendable where Result: Sendable {}
extension CommitOutcome: Equatable where Result: Equatable {}
