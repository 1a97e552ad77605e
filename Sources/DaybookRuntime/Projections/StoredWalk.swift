import DaybookEngine
import DaybookModel

/// The objects that a projection reads, at a position that moves forward by one commit after the other.
///
/// Near the head they are the present ones with the inverse of the commits since. For more commits than
/// ``StoreOptions/projectionRewindLimit`` they are folded again from the start, into temporary files that are removed at the end.
final class StoredWalk {
  /// What the objects are made from.
  enum Base {
    /// The present state, at the last commit of the walk or a later one, with the rows of the projections that are read.
    ///
    /// The limit is the most commits that are undone in memory.
    case present(ScopedState, rewindLimit: UInt64)
    /// The journal alone, with the changes of the projections that are read, and the model by which commits are read.
    case journal(LMDBJournal, ResolvedModel)

    /// The model of the store, with the entities of the projections that are read.
    var model: ResolvedModel {
      switch self {
      case .present(let scope, _): scope.state.reader.model
      case .journal(_, let model): model
      }
    }

    /// The journal with the changes of the projections that are read.
    var journal: LMDBJournal {
      switch self {
      case .present(let scope, _): scope.journal
      case .journal(let journal, _): journal
      }
    }

    func folded() throws -> FoldedState {
      switch self {
      case .present(let scope, _): try FoldedState(scope.state.reader.model, scope.state.dependents)
      case .journal(_, let model): try FoldedState(model, Dependents(model))
      }
    }
  }

  private enum Place {
    case rewound(RewoundState, before: State)
    case folded(FoldedState)
  }

  private var place: Place
  private let journal: LMDBJournal

  /// The most memory that undoing commits may take, in bytes.
  private static let maximumSizeInBytes = 64 << 20

  /// The number of commits that are undone in memory however early the position is: fewer than that are not worth
  /// temporary files.
  static let leastRewindLimit: UInt64 = 64

  /// - Parameters:
  ///   - position: The position at which to begin.
  ///   - base: What the objects are made from.
  ///   - folded: A state that an earlier walk folded, which is of no use if it is after that position.
  /// - Throws: `StoreError` with the code `damaged`; `LMDBError`, also where there is no room for temporary files.
  init(at position: Position, over base: Base, continuing folded: FoldedState?) throws {
    journal = base.journal
    let folded = folded.flatMap { $0.position <= position ? $0 : nil }
    if folded == nil, case .present(let scope, let rewindLimit) = base {
      let present = scope.state
      // What is undone is undone in each step of a walk, and done again by it; what is folded is folded once.
      let limit = min(rewindLimit, max(position.number, StoredWalk.leastRewindLimit))
      if present.position.number - position.number <= limit {
        do {
          place = .rewound(
            try RewoundState(
              position, before: present, in: journal, parts: .all, keeping: .all,
              limitInBytes: StoredWalk.maximumSizeInBytes), before: present)
          return
        } catch is SpanTooLarge {}
      }
    }
    let state = try folded ?? base.folded()
    try journal.forEachCommit(from: state.position.next, through: position) { commit in
      try state.fold(commit)
      return true
    }
    place = .folded(state)
  }

  /// The state that was folded, which a later walk can continue.
  var folded: FoldedState? { if case .folded(let state) = place { state } else { nil } }

  /// Moves to the next commit, and calls `body` with the states before and after it.
  func move(to commit: CommitView, _ body: (StoredStates) throws -> Void) throws {
    switch place {
    case .folded(let state):
      try state.fold(commit)
      try body(state.states(around: commit))
    case .rewound(var past, let present):
      let position = commit.header.position
      // Position 1 is the first state that can be read.
      if past.position == position {
        let reader = past.reader(over: present.reader)
        return try body(StoredStates(after: reader, before: reader, present.dependents, commit.header, events: []))
      }
      try past.move(
        to: position, before: present, lastModel: .empty, in: journal, limitInBytes: .max
      ) { old, new in
        try body(
          StoredStates(
            after: new, before: old, present.dependents, commit.header, events: [UInt8](commit.eventBytes)))
      }
      place = .rewound(past, before: present)
    }
  }
}
