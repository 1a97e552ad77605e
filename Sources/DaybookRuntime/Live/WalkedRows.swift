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
  /// The groups at the position, if the rows are groups; no other value changes them.
  private let groups: GroupState?
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
    groups = ranked.base.groups
    model = reader.model
    dependents = RequestDependents(resolved, in: model)
  }

  /// Reads the rows over the base at the head.
  ///
  /// - Parameters:
  ///   - head: The request at the head.
  ///   - range: The commits from the position to the head.
  ///   - former: Reads the state at the position.
  ///   - reader: Reads the head.
  init(
    over head: LiveRequest.Head, in model: ResolvedModel, before range: CommitRange, former: Reader, _ reader: Reader
  ) throws {
    ownsBase = false
    dependents = head.dependents
    self.model = model
    guard let present = head.base.groups else {
      groups = nil
      ranked = RankedKeys(head.base).applying(try head.changes(over: range, in: reader) { former }.movesBack)
      return
    }
    let changes = try head.resolution.changes(over: range) { former }
    let groups = GroupState(copying: present)
    self.groups = groups
    ranked = RankedKeys(head.base).applying(try groups.moveBack(over: changes, of: head.base.request, in: reader))
  }

  /// Returns the reader of the rows.
  ///
  /// - Parameter state: Reads the state at the position.
  func rowReader(over state: Reader) -> Reader { groups?.reader(over: state) ?? state }

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
    ) throws -> RowChanges {
      try RowChanges(request, dependents, from: first, through: last, in: journal, new: new) { old }
    }

    /// Returns what a span of commits changed, which other requests read too.
    func changes(of span: SpanChanges, old: Reader, new: Reader) throws -> RowChanges {
      try RowChanges(request, dependents, of: span, new: new) { old }
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
    if groups == nil {
      let before = try past.reader(at: change.from, over: present, in: journal, limitInBytes: limit)
      guard try touchesRows(of: change, from: start.next, through: change.from, in: journal, [new, before]) else {
        return change.reported(from: start)
      }
    }
    let old = try past.reader(at: start, over: present, in: journal, limitInBytes: limit)
    let read = try finder.changes(from: start.next, through: change.to, in: journal, old: old, new: new)
    return try netChanges(of: read, in: present).change(from: start, to: change.to, endingAt: ranked, in: present)
  }

  /// Returns what changes did to the rows, which are the ones after the changes.
  private func netChanges(of changes: RowChanges, in reader: Reader) throws -> NetChanges {
    switch changes {
    case .rows(let net): return net
    case .groups(let changes):
      guard let groups else { preconditionFailure("Groups change in rows that are groups.") }
      return try groups.netChanges(ranked.request, changes, formerly: groups.layer(before: changes), in: reader)
    }
  }

  /// Moves the groups over changes, if the rows are groups, and returns what the changes did to the rows.
  private func followed(_ changes: RowChanges, isBack: Bool, in reader: Reader) throws -> NetChanges {
    switch changes {
    case .rows(let net): return net
    case .groups(let changes):
      guard let groups else { preconditionFailure("Groups change in rows that are groups.") }
      let layer = try groups.move(by: changes, isBack ? .backward : .forward)
      return isBack
        ? try groups.netChanges(ranked.request, changes, later: layer, in: reader)
        : try groups.netChanges(ranked.request, changes, formerly: layer, in: reader)
    }
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
    by changes: RowChanges?, from first: Position, to last: Position, isBack: Bool = false, in reader: Reader
  ) throws -> ResultsChange {
    var change = ResultsChange(from: first, to: last, difference: Difference(sections: [], rows: []))
    guard let changes = try changes.map({ try followed($0, isBack: isBack, in: reader) }) else { return change }
    // A difference is computed with the rows at its end.
    if !isBack { apply(changes.moves) }
    if changes.rows.contains(where: \.isChanged) {
      change = try changes.change(from: first, to: last, endingAt: ranked, in: reader)
    }
    if isBack { apply(changes.movesBack) }
    return isBack ? change.inverted : change
  }

  private mutating func apply(_ moves: [RowMove]) {
    if ownsBase { ranked.base.apply(moves) } else { ranked.apply(moves) }
  }
}

private extension GroupState {
  /// Moves to the state before changes.
  ///
  /// - Returns: The moves of the rows.
  func moveBack(over changes: RowChanges, of request: ResolvedRequest, in reader: Reader) throws -> [RowMove] {
    guard case .groups(let changes) = changes else { preconditionFailure("Groups change in rows that are groups.") }
    let later = try move(by: changes, .backward)
    return try netChanges(request, changes, later: later, in: reader).movesBack
  }
}
