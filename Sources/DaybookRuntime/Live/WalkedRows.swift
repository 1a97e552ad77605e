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
  /// The request, at the time of the rows if it reads the time.
  private var request: ResolvedRequest
  /// The moments at which the time changes the rows; `nil` for a request that does not read the time, and for rows that
  /// are not moved.
  private var turning: TurningRows?
  private let dependents: RequestDependents
  private let model: ResolvedModel

  /// Fetches the rows at a position, with the request resolved by the model of the position.
  ///
  /// - Parameters:
  ///   - position: The position; 0 has no rows.
  ///   - time: The time of the rows, if the request reads the time.
  ///   - reader: Reads the position, or position 1 for 0.
  /// - Throws: `StoreError` with the code `badRequest` if that model lacks what the request names.
  init(_ request: FetchRequest, at position: Position, _ time: Timestamp?, in reader: Reader) throws {
    let resolved = try reader.resolve(request.mayReadTime ? request.at(time) : request)
    self.request = resolved
    if resolved.readsTime {
      let start = Timestamp(microseconds: .min)
      turning = try TurningRows(of: resolved, after: start, in: reader)
    }
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
  ///   - time: The time of the rows, if the request reads the time.
  ///   - former: Reads the state at the position.
  ///   - reader: Reads the head.
  init(
    over head: LiveRequest.Head, in model: ResolvedModel, before range: CommitRange, since time: Timestamp?,
    former: Reader, _ reader: Reader
  ) throws {
    request = head.base.request
    ownsBase = false
    dependents = head.dependents
    self.model = model
    guard let present = head.base.groups else {
      groups = nil
      ranked = RankedKeys(head.base).applying(
        try head.changes(over: range, since: time) { former }.movesBack)
      return
    }
    let changes = try head.rowChanges(over: range, since: time) { former }
    let groups = GroupState(copying: present)
    self.groups = groups
    ranked = RankedKeys(head.base).applying(
      try changes.moving(groups, .backward, of: head.base.request).movesBack)
  }

  /// Whether the rows are the one group without keys, which is there from the first model on.
  var appearWithModel: Bool { groups?.grouping.keys.isEmpty ?? false }

  /// Returns the reader of the rows.
  ///
  /// - Parameter state: Reads the state at the position.
  func rowReader(over state: Reader) -> Reader { groups?.reader(over: state) ?? state }

  /// The parts of the position's model that the request reaches.
  package var region: RequestRegion { RequestRegion(ranked.request, in: model) }

  /// Finds changes of the rows, without a reference to the rows.
  ///
  /// - Parameters:
  ///   - time: The time to which the rows move, if the walk has one.
  ///   - isBack: Whether the rows move to an earlier position.
  func finder(to time: Timestamp?, isBack: Bool) throws -> Finder {
    guard let former = request.request.now, let time, time != former else {
      return Finder(earlier: request, later: request, turned: [], dependents: dependents)
    }
    let other = try ResolvedRequest(checking: request.request.at(time), in: model)
    return Finder(
      earlier: isBack ? other : request, later: isBack ? request : other,
      turned: try turning?.rows(after: min(former, time), through: max(former, time)), dependents: dependents)
  }

  /// Completes a move of rows that read the time.
  ///
  /// - Parameters:
  ///   - net: What a span of commits changed; `nil` for no commits.
  ///   - reader: Reads the state after the move.
  mutating func settle(_ finder: Finder, isBack: Bool, _ net: RowChanges?, in reader: Reader) throws {
    request = isBack ? finder.earlier : finder.later
    guard request.readsTime, net != nil else { return }
    try turning?.update(finder.touched.withLock { $0 }, of: request, in: reader)
  }

  /// Finds what commits changed in the rows of a request.
  struct Finder {
    /// The request at the time of the state before the commits.
    fileprivate let earlier: ResolvedRequest
    /// The request at the time of the state after them; the same unless it reads the time.
    fileprivate let later: ResolvedRequest
    /// The rows that may turn between the two times.
    fileprivate let turned: [ObjectID]?
    fileprivate let dependents: RequestDependents
    /// The rows that the commits touched, if the request reads the time.
    fileprivate let touched = Locked<Set<ObjectID>>([])

    /// Returns what a span of commits changed.
    func changes(
      after start: Position, through last: Position, in journal: LMDBJournal, old: Reader, new: Reader
    ) throws -> RowChanges {
      guard later.readsTime else {
        return try RowChanges(later, dependents, from: start.next, through: last, in: journal, new: new) { old }
      }
      var collector = CandidateCollector(dependents, reader: new)
      if start < last {
        try journal.forEachCommit(from: start.next, through: last) { commit in
          try collector.take(commit)
          return true
        }
      }
      touched.withLock { $0 = Set(collector.candidates.keys) }
      return try RowChanges(
        from: earlier, to: later, collector.candidates, after: start, new: new, turned: turned
      ) { old }
    }

    /// Returns what a span of commits changed, which other requests read too.
    func changes(of span: SpanChanges, old: Reader, new: Reader) throws -> RowChanges {
      try RowChanges(later, dependents, of: span, new: new) { old }
    }
  }

  /// Returns the change that led to the rows, reported from an earlier position; see ``RequestGroupWalk/completing(_:of:from:at:in:limitInBytes:)``.
  ///
  /// - Parameter past: The state of the rows.
  func completing(
    _ change: ResultsChange, from start: Position, at time: Timestamp?, _ past: RewoundState,
    in reader: borrowing StoreReader, limitInBytes limit: Int
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
    // The walk is at the end of the change, so the way to the start is the way back.
    let read = try finder(to: time, isBack: true)
      .changes(after: start, through: change.to, in: journal, old: old, new: new)
    return try read.netChanges(ranked.request, endingAt: groups).change(
      from: start, to: change.to, endingAt: ranked, in: present)
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
    guard
      let changes = try changes.map({
        try $0.moving(groups, isBack ? .backward : .forward, of: ranked.request)
      })
    else { return change }
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
