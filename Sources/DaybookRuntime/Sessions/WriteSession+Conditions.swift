import DaybookEngine
import DaybookModel
import DaybookQuery

extension WriteSession {
  /// Reads the state after the commits of the session, and earlier states.
  fileprivate var storeReader: StoreReader {
    StoreReader(
      reader: reader, dependents: dependents, journal: journalReader, position: head, modelPosition: modelPosition,
      snapshotStore: nil)
  }

  /// Calls `body` with a reader of the state after an earlier commit, which may be one of the session.
  ///
  /// - Throws: What `body` throws; `StoreError` with the code `notFound` for a position beyond the session's.
  /// - Complexity: O(*k* log *n*) for *k* events since that commit.
  package func read<Result>(
    at position: Position, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result {
    try storeReader.read(at: position, body)
  }

  /// The most commits that the conflict of a condition on an object names.
  fileprivate static let maximumConflictCount = 256

  /// Checks an append condition, before the commit's closure runs.
  ///
  /// - Throws: `StoreError`: `conditionFailed`; `notFound` for a position beyond the head, `badRequest` if a request
  ///   names what the model lacks, and for an entity or object of a projection.
  func check(_ condition: AppendCondition) throws {
    let reader = storeReader
    for term in condition.terms {
      switch term {
      case .untouched(let id, _): if try builder.find(id) == nil { try builder.checkStored(id) }
      case .unchanged(let request, _): try builder.checkStored(request.entity)
      }
      if let conflict = try reader.conflict(with: term) { throw StoreError(conflict) }
    }
  }

  /// Checks that the commit that is given as the cause of another one is in the journal.
  ///
  /// - Throws: `StoreError` with the code `notFound`.
  func check(_ causation: CommitReference) throws {
    switch causation {
    case .position(let position) where position > .empty && position <= head: return
    case .commitID(let id) where try journalReader.position(ofCommitID: id) != nil: return
    case .position:
      throw StoreError(
        .notFound, "There is no commit \(causation), which is given as the cause; the head is \(head).",
        advice: "Give a position from 1 to the head, or a commit id.")
    case .commitID:
      throw StoreError(
        .notFound, "There is no commit with the id \(causation), which is given as the cause.",
        advice: "Give the position or the id of an earlier commit.")
    }
  }
}

private extension StoreReader {
  func conflict(with term: AppendCondition.Term) throws -> AppendConflict? {
    switch term {
    case .untouched(let id, let start):
      try requirePosition(start)
      guard let last = try reader.lastPositions(of: id).max(), last > start else { return nil }
      let positions = try positionsTouching(id, from: last, downTo: start.next)
      if positions.isEmpty { return nil }
      return AppendConflict(object: id, since: start, positions: positions, head: position)
    case .unchanged(let request, let start):
      try requirePosition(start)
      let positions = try positionsChanging(request, since: start)
      if positions.isEmpty { return nil }
      return AppendConflict(fetch: request, since: start, positions: positions, head: position)
    }
  }

  /// Returns the commits that named an object other than by recording an event, rising; if there are too many, the last
  /// ones.
  private func positionsTouching(_ id: ObjectID, from last: Position, downTo first: Position) throws -> [Position] {
    var walk = HistoryWalk(of: id, from: last, downTo: first)
    var positions: [Position] = []
    while let position = walk.next, positions.count < WriteSession.maximumConflictCount {
      try journal.withCommit(at: position) { commit in
        if try commit.touches(id) { positions.append(position) }
        try walk.advance(over: commit)
      }
    }
    return positions.reversed()
  }

  /// Returns the commits after a position that changed the result of a request, rising.
  ///
  /// Empty if the result is the same.
  private func positionsChanging(_ request: FetchRequest, since start: Position) throws -> [Position] {
    let resolved = try reader.resolve(request)
    guard start < position else { return [] }
    if try isReset(resolved, model: reader.model, from: start, to: position) {
      return try journal.modelPositions().filter { $0 > start }
    }
    if request.grouping != nil {
      let change = try difference(of: request, from: start, to: position)
      if change.isEmpty { return [] }
      let causes = Set(change.causes.values.joined())
      return causes.isEmpty ? [position] : causes.sorted()
    }
    let changes = try NetChanges(
      resolved, RequestDependents(resolved, in: reader.model), from: start.next, through: position, in: journal,
      new: reader
    ) { start == .empty ? nil : try present.rewound(to: start, in: journal, parts: .derived).reader }
    let changed = changes.rows.filter(\.isChanged)
    if changed.isEmpty { return [] }
    // A window shows only a part of the rows, which can only be determined from their places.
    if request.limit != nil || request.offset > 0 {
      let shown = try difference(of: request, from: start, to: position)
      if shown.isEmpty { return [] }
      // Rows that only crossed the edge of the window have no commits of their own.
      if !shown.causes.isEmpty { return Set(shown.causes.values.joined()).sorted() }
    }
    return Set(changed.flatMap(\.causes)).sorted()
  }
}

private extension CommitView {
  /// Returns whether an event that is not recorded names an object.
  func touches(_ id: ObjectID) throws -> Bool {
    var events = events
    while !events.isAtEnd {
      let event = try events.next()
      if event.kind == .recorded { continue }
      if event.object == id || event.target == id || event.formerTarget == id { return true }
    }
    return false
  }
}

private extension StoreError {
  init(_ conflict: AppendConflict) {
    let subject =
      if let object = conflict.object {
        "The object \(object) was touched"
      } else {
        "The result of the request for \(conflict.fetch?.entity ?? "") was changed"
      }
    let shown = conflict.positions.suffix(5).map(\.description).joined(separator: ", ")
    self.init(
      .conditionFailed, "\(subject) after commit \(conflict.since), by \(shown).",
      advice: "Read it again, and retry from position \(conflict.head).", conflict: conflict)
  }
}
