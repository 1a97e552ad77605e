import DaybookDiff
import DaybookModel
import DaybookQuery

/// The result of a request at a position that moves: what a replay, a feed of each commit and scrubbing go through the
/// past with.
///
/// It is the state (``MovablePast``) with the request's ordering there. A move reads the rows that the commits in between
/// may have changed at both of its ends, so it costs what changed in between, however far the head is.
struct RequestWalk {
  private var past: MovablePast
  /// The ordering at ``position``.
  let ordering: Ordering
  private let watches: WatchTable
  private let model: ResolvedModel

  var position: Position { past.position }
  var head: Position { past.head }

  /// Begins at a position, with the request as it is by the model of that time.
  ///
  /// - Parameter position: 0 is the empty state, which is read by the first model.
  /// - Throws: `StoreError` with the code `badRequest` if that model lacks what the request names; `SpanTooLarge`.
  /// - Complexity: O(*k* log *n*) for *k* events since then, and that of fetching there.
  init(
    _ position: Position, _ request: FetchRequest, of reader: borrowing StoreReader, limitInBytes limit: Int = .max
  ) throws {
    past = try MovablePast(position, of: reader, parts: .all, limitInBytes: limit)
    let present = past.reader(over: reader.reader)
    let resolved = try present.resolve(request)
    ordering = position == .empty ? Ordering(empty: resolved) : try Ordering(resolved, in: present, isSparse: false)
    model = present.model
    watches = WatchTable(resolved.watches(in: model))
  }

  /// Begins at a position, with an ordering over that of the head: only the rows that have changed since are held.
  ///
  /// Between the two the model must not have changed in what the request reaches.
  ///
  /// - Parameter position: At least 1.
  /// - Throws: `SpanTooLarge`.
  /// - Complexity: O(*k* log *n*) for *k* events since then.
  init(
    _ position: Position, over base: Ordering, _ watches: WatchTable, of reader: borrowing StoreReader,
    limitInBytes limit: Int
  ) throws {
    past = try MovablePast(position, of: reader, parts: .derived, limitInBytes: limit)
    ordering = Ordering(over: base)
    self.watches = watches
    model = reader.resolvedModel
    let changes = try NetChanges(
      base.request, watches, from: position.next, through: reader.position, in: reader.journal,
      old: past.reader(over: reader.reader), new: reader.reader)
    ordering.undo(changes)
  }

  /// Reads the state, over a reader of the head.
  func reader(over present: Reader) -> Reader { past.reader(over: present) }

  /// What the request reaches here.
  var reach: Reach { Reach(ordering.request, in: model) }

  /// Goes on with a later head; the result stays as it is.
  ///
  /// - Parameter base: The ordering at the new head, and what has changed since the last one; `nil` for a walk that lies
  ///   over none.
  mutating func follow(
    _ reader: borrowing StoreReader, _ base: (ordering: Ordering, changes: NetChanges)?, limitInBytes limit: Int
  ) throws {
    try past.follow(reader, limitInBytes: limit)
    if let base { ordering.move(to: base.ordering, over: base.changes) }
  }

  /// Moves to another position, back or on.
  ///
  /// - Returns: The difference, which may be empty.
  /// - Throws: `SpanTooLarge`, after which the walk is of no use.
  /// - Complexity: O(*k* log *n*) for *k* events in between.
  mutating func move(
    to target: Position, in reader: borrowing StoreReader, limitInBytes limit: Int = .max
  ) throws -> ResultsChange {
    let (first, last) = (min(position, target), max(position, target))
    let isBack = target < position
    let (ordering, watches, journal, present) = (ordering, watches, reader.journal, reader.reader)
    var change = ResultsChange(from: first, to: last, difference: Difference(sections: [], rows: []))
    try past.move(to: target, in: reader, limitInBytes: limit) { here, there in
      let (old, new) = isBack ? (there, here) : (here, there)
      // The ways back may be walked at either end.
      let changes = try NetChanges(
        ordering.request, watches, from: first.next, through: last, in: journal, old: old, new: new)
      // A difference is made over the order at its end.
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
