import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery

/// The result of a request at a movable position.
///
/// Replays, feeds of every commit and moves of live results read the past with it.
///
/// A walk consists of the state (``RewoundState``) and the request's rows at the position. A move reads the rows
/// that the commits in between may have changed at both of its ends, so it costs what changed in between, however far
/// the head is.
struct RequestWalk {
  private var past: RewoundState
  /// The rows at ``position``: a base that the walk moves, or a delta over the base at the head.
  private(set) var ranked: RankedKeys
  /// Whether the base belongs to the walk alone.
  let ownsBase: Bool
  private let dependents: RequestDependents
  private let model: ResolvedModel

  var position: Position { past.position }
  var head: Position { past.head }

  /// Creates a walk at a position, with the request resolved by the model of the position.
  ///
  /// - Parameter position: 0 is the empty state, which is read by the first model.
  /// - Throws: `StoreError` with the code `badRequest` if that model lacks what the request names; `SpanTooLarge`.
  /// - Complexity: O(*k* log *n*) for *k* events since the position, plus the cost of fetching there.
  init(
    _ position: Position, _ request: FetchRequest, of reader: borrowing StoreReader, limitInBytes limit: Int = .max
  ) throws {
    past = try RewoundState(position, before: reader.present, in: reader.journal, parts: .all, limitInBytes: limit)
    let present = past.reader(over: reader.reader)
    let resolved = try present.resolve(request)
    ranked = RankedKeys(
      position == .empty ? RankBase(empty: resolved) : try RankBase(resolved, in: present, mayCount: false))
    ownsBase = true
    model = present.model
    dependents = RequestDependents(resolved, in: model)
  }

  /// Creates a walk at a position, with rows over the base at the head.
  ///
  /// Only the rows that have changed since the position are held.
  ///
  /// Between the position and the head the model must not have changed in what the request reaches.
  ///
  /// - Parameter position: At least 1.
  /// - Throws: `SpanTooLarge`.
  /// - Complexity: O(*k* log *n*) for *k* events since the position.
  init(
    _ position: Position, over base: RankBase, _ dependents: RequestDependents, of reader: borrowing StoreReader,
    limitInBytes limit: Int
  ) throws {
    past = try RewoundState(position, before: reader.present, in: reader.journal, parts: .derived, limitInBytes: limit)
    ownsBase = false
    self.dependents = dependents
    model = reader.resolvedModel
    let former = past.reader(over: reader.reader)
    let changes = try NetChanges(
      base.request, dependents, from: position.next, through: reader.position, in: reader.journal, new: reader.reader
    ) { former }
    ranked = RankedKeys(base).applying(changes.movesBack)
  }

  /// Returns a reader of the state, on top of a reader of the head.
  func reader(over present: Reader) -> Reader { past.reader(over: present) }

  /// The parts of the position's model that the request reaches.
  var region: RequestRegion { RequestRegion(ranked.request, in: model) }

  /// Changes to a later head; the result stays as it is.
  ///
  /// - Parameter head: The base at the new head, and what has changed since the last head; `nil` for a walk that owns
  ///   its base.
  mutating func follow(
    _ reader: borrowing StoreReader, _ head: (base: RankBase, changes: NetChanges)?, limitInBytes limit: Int
  ) throws {
    try past.follow(reader.present, in: reader.journal, limitInBytes: limit)
    if let head { ranked.rebase(onto: head.base, after: head.changes.moves) }
  }

  /// Moves to another position, earlier or later.
  ///
  /// - Returns: The difference, which may be empty.
  /// - Throws: `SpanTooLarge`, after which the walk must not be used.
  /// - Complexity: O(*k* log *n*) for *k* events in between.
  mutating func move(
    to target: Position, in reader: borrowing StoreReader, limitInBytes limit: Int = .max
  ) throws -> ResultsChange {
    let (first, last) = (min(position, target), max(position, target))
    let isBack = target < position
    let (request, dependents, journal) = (ranked.request, dependents, reader.journal)
    var read: NetChanges?
    try past.move(
      to: target, before: reader.present, lastModel: reader.modelPosition, in: journal, limitInBytes: limit
    ) { here, there in
      let (old, new) = isBack ? (there, here) : (here, there)
      // The ways back can be followed at either end.
      read = try NetChanges(request, dependents, from: first.next, through: last, in: journal, new: new) { old }
    }
    var change = ResultsChange(from: first, to: last, difference: Difference(sections: [], rows: []))
    guard let changes = read else { return change }
    // A difference is computed with the rows at its end.
    if !isBack { apply(changes.moves) }
    if changes.rows.contains(where: \.isChanged) {
      let (difference, causes) = try changes.difference(endingAt: ranked, in: reader.reader)
      change = ResultsChange(from: first, to: last, difference: difference, causes: causes)
    }
    if isBack { apply(changes.movesBack) }
    return isBack ? change.inverted : change
  }

  private mutating func apply(_ moves: [RowMove]) {
    if ownsBase { ranked.base.apply(moves) } else { ranked.apply(moves) }
  }
}
