import DaybookEngine
import DaybookModel

/// The objects that a projection reads, at a position that moves forward by one commit after the other.
///
/// Near the head they are the present ones with the inverse of the commits since. For more commits than
/// ``StoreOptions/projectionRewindLimit`` they are folded again from the start, into temporary files that are removed at the end.
final class StoredWalk {
  private enum Place {
    case rewound(RewoundState)
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
  ///   - scope: The present state, with the rows of the projections that are read.
  ///   - rewindLimit: The most commits that are undone in memory.
  ///   - folded: A state that an earlier walk folded, which is of no use if it is after that position.
  /// - Throws: `StoreError` with the code `damaged`; `LMDBError`, also where there is no room for temporary files.
  init(
    at position: Position, before scope: ScopedState, rewindLimit: UInt64, continuing folded: FoldedState?
  ) throws {
    let present = scope.state
    let folded = folded.flatMap { $0.position <= position ? $0 : nil }
    journal = scope.journal
    // What is undone is undone in each step of a walk, and done again by it; what is folded is folded once.
    let limit = min(rewindLimit, max(position.number, StoredWalk.leastRewindLimit))
    if folded == nil, present.position.number - position.number <= limit {
      do {
        place = .rewound(
          try RewoundState(
            position, before: present, in: self.journal, parts: .all, keeping: .all,
            limitInBytes: StoredWalk.maximumSizeInBytes))
        return
      } catch is SpanTooLarge {}
    }
    let state = try folded ?? FoldedState(present.reader.model, present.dependents)
    try self.journal.forEachCommit(from: state.position.next, through: position) { commit in
      try state.fold(commit)
      return true
    }
    place = .folded(state)
  }

  /// The state that was folded, which a later walk can continue.
  var folded: FoldedState? { if case .folded(let state) = place { state } else { nil } }

  /// Moves to the next commit, and calls `body` with the states before and after it.
  func move(to commit: CommitView, before present: State, _ body: (StoredStates) throws -> Void) throws {
    switch place {
    case .folded(let state):
      try state.fold(commit)
      try body(state.states(around: commit))
    case .rewound(var past):
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
      place = .rewound(past)
    }
  }
}
