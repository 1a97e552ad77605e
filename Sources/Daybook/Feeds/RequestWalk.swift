import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery

/// The result of a request at a movable position.
///
/// Replays, feeds of every commit and moves of live results read the past with it.
///
/// A walk consists of the state (``RewoundState``) and the request's ordering at the position. A move reads the rows
/// that the commits in between may have changed at both of its ends, so it costs what changed in between, however far
/// the head is.
struct RequestWalk {
  private var past: RewoundState
  /// The ordering at ``position``.
  let ordering: Ordering
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
    ordering = position == .empty ? Ordering(empty: resolved) : try Ordering(resolved, in: present, isSparse: false)
    model = present.model
    dependents = RequestDependents(resolved, in: model)
  }

  /// Creates a walk at a position, with an ordering on top of the head's ordering.
  ///
  /// Only the rows that have changed since the position are held.
  ///
  /// Between the position and the head the model must not have changed in what the request reaches.
  ///
  /// - Parameter position: At least 1.
  /// - Throws: `SpanTooLarge`.
  /// - Complexity: O(*k* log *n*) for *k* events since the position.
  init(
    _ position: Position, over base: Ordering, _ dependents: RequestDependents, of reader: borrowing StoreReader,
    limitInBytes limit: Int
  ) throws {
    past = try RewoundState(position, before: reader.present, in: reader.journal, parts: .derived, limitInBytes: limit)
    ordering = Ordering(over: base)
    self.dependents = dependents
    model = reader.resolvedModel
    let changes = try NetChanges(
      base.request, dependents, from: position.next, through: reader.position, in: reader.journal,
      old: past.reader(over: reader.reader), new: reader.reader)
    ordering.undo(changes)
  }

  /// Returns a reader of the state, on top of a reader of the head.
  func reader(over present: Reader) -> Reader { past.reader(over: present) }

  /// The parts of the position's model that the request reaches.
  var region: RequestRegion { RequestRegion(ordering.request, in: model) }

  /// Changes to a later head; the result stays as it is.
  ///
  /// - Parameter base: The ordering at the new head, and what has changed since the last head; `nil` for a walk that is
  ///   not on top of another ordering.
  mutating func follow(
    _ reader: borrowing StoreReader, _ base: (ordering: Ordering, changes: NetChanges)?, limitInBytes limit: Int
  ) throws {
    try past.follow(reader.present, in: reader.journal, limitInBytes: limit)
    if let base { ordering.move(to: base.ordering, over: base.changes) }
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
    let (ordering, dependents, journal, present) = (ordering, dependents, reader.journal, reader.reader)
    var change = ResultsChange(from: first, to: last, difference: Difference(sections: [], rows: []))
    try past.move(
      to: target, before: reader.present, lastModel: reader.modelPosition, in: reader.journal, limitInBytes: limit
    ) { here, there in
      let (old, new) = isBack ? (there, here) : (here, there)
      // The ways back can be followed at either end.
      let changes = try NetChanges(
        ordering.request, dependents, from: first.next, through: last, in: journal, old: old, new: new)
      // A difference is computed with the ordering at its end.
      if !isBack { ordering.take(changes) }
      if changes.rows.contains(where: \.isChanged) {
        let (difference, causes) = try changes.difference(over: ordering, in: present)
        change = ResultsChange(from: first, to: last, difference: difference, causes: causes)
      }
      if isBack { ordering.undo(changes) }
    }
    return isBack ? change.inverted : change
  }
}
