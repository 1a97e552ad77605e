import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery

/// The rows of a request at a position that moves: the part of a walk that belongs to one request.
package struct WalkedRows {
  /// The rows at the position: a base that the walk moves, or a delta over the base at the head.
  package private(set) var ranked: RankedKeys
  /// Whether the base belongs to the walk alone.
  let ownsBase: Bool
  private let dependents: RequestDependents
  private let model: ResolvedModel

  /// Fetches the rows at a position, with the request resolved by the model of the position.
  ///
  /// - Parameters:
  ///   - position: The position; 0 has no rows.
  ///   - reader: Reads the position, or position 1 for 0.
  /// - Throws: `StoreError` with the code `badRequest` if that model lacks what the request names.
  init(_ request: FetchRequest, at position: Position, in reader: Reader) throws {
    let resolved = try reader.resolve(request)
    ranked = RankedKeys(
      position == .empty ? RankBase(empty: resolved) : try RankBase(resolved, in: reader, mayCount: false))
    ownsBase = true
    model = reader.model
    dependents = RequestDependents(resolved, in: model)
  }

  /// Reads the rows over the base at the head.
  ///
  /// - Parameter changes: What changed from the position to the head.
  init(over base: RankBase, _ dependents: RequestDependents, in model: ResolvedModel, before changes: NetChanges) {
    ranked = RankedKeys(base).applying(changes.movesBack)
    ownsBase = false
    self.dependents = dependents
    self.model = model
  }

  /// The parts of the position's model that the request reaches.
  package var region: RequestRegion { RequestRegion(ranked.request, in: model) }

  /// Finds changes of the rows, without a reference to the rows.
  var finder: Finder { Finder(request: ranked.request, dependents: dependents) }

  /// Finds what commits changed in the rows of a request.
  struct Finder {
    fileprivate let request: ResolvedRequest
    fileprivate let dependents: RequestDependents

    /// Returns what a span of commits changed.
    func changes(
      from first: Position, through last: Position, in journal: LMDBJournal, old: Reader, new: Reader
    ) throws -> NetChanges {
      try NetChanges(request, dependents, from: first, through: last, in: journal, new: new) { old }
    }

    /// Returns what a span of commits changed, which other requests read too.
    func changes(of span: SpanChanges, old: Reader, new: Reader) throws -> NetChanges {
      try NetChanges(request, dependents, of: span, new: new) { old }
    }
  }

  /// Returns the change that led to the rows, reported from an earlier position; see ``RequestGroupWalk/completing(_:of:from:in:limitInBytes:)``.
  ///
  /// - Parameter past: The state of the rows.
  func completing(
    _ change: ResultsChange, from start: Position, _ past: RewoundState, in reader: borrowing StoreReader,
    limitInBytes limit: Int
  ) throws -> ResultsChange {
    let (journal, present) = (reader.journal, reader.reader)
    let new = past.reader(over: present)
    let before = try past.reader(at: change.from, over: present, in: journal, limitInBytes: limit)
    guard try touchesRows(of: change, from: start.next, through: change.from, in: journal, [new, before]) else {
      return change.reported(from: start)
    }
    let old = try past.reader(at: start, over: present, in: journal, limitInBytes: limit)
    let changes = try finder.changes(from: start.next, through: change.to, in: journal, old: old, new: new)
    let (difference, causes) = try changes.difference(endingAt: ranked, in: present)
    return ResultsChange(from: start, to: change.to, difference: difference, causes: causes)
  }

  /// Returns whether commits touched something that the rows of a change reach in one of several states.
  private func touchesRows(
    of change: ResultsChange, from first: Position, through last: Position, in journal: LMDBJournal, _ states: [Reader]
  ) throws -> Bool {
    var collectors = states.map { CandidateCollector(dependents, reader: $0) }
    try journal.forEachCommit(from: first, through: last) { commit in
      let position = commit.header.position
      try commit.events.forEachChange(in: states[0].model) { change in
        for number in collectors.indices { try collectors[number].take(change, of: position) }
      }
      return true
    }
    return change.difference.rows.contains { row in collectors.contains { $0.candidates[row.id] != nil } }
  }

  /// Changes to the base at a later head; the rows stay as they are.
  mutating func rebase(onto base: RankBase, after changes: NetChanges) {
    ranked.rebase(onto: base, after: changes.moves)
  }

  /// Moves over a span of commits.
  ///
  /// - Parameters:
  ///   - changes: What the span changed; `nil` for no commits.
  ///   - isBack: Whether the move is from the end of the span to its beginning.
  ///   - reader: Reads the head.
  /// - Returns: The difference, which may be empty.
  mutating func move(
    by changes: NetChanges?, from first: Position, to last: Position, isBack: Bool = false, in reader: Reader
  ) throws -> ResultsChange {
    var change = ResultsChange(from: first, to: last, difference: Difference(sections: [], rows: []))
    guard let changes else { return change }
    // A difference is computed with the rows at its end.
    if !isBack { apply(changes.moves) }
    if changes.rows.contains(where: \.isChanged) {
      let (difference, causes) = try changes.difference(endingAt: ranked, in: reader)
      change = ResultsChange(from: first, to: last, difference: difference, causes: causes)
    }
    if isBack { apply(changes.movesBack) }
    return isBack ? change.inverted : change
  }

  private mutating func apply(_ moves: [RowMove]) {
    if ownsBase { ranked.base.apply(moves) } else { ranked.apply(moves) }
  }
}
