import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery

/// The result of a request at a movable position.
///
/// Replays, feeds of every commit and moves of live results read the past with it.
///
/// A walk consists of the state (``RewoundState``) and the request's rows at the position (``WalkedRows``). A move reads
/// the rows that the commits in between may have changed at both of its ends, so it costs what changed in between,
/// however far the head is.
package struct RequestWalk {
  private var past: RewoundState
  private var rows: WalkedRows

  var position: Position { past.position }
  var head: Position { past.head }
  /// The rows at ``position``.
  var ranked: RankedKeys { rows.ranked }
  /// Whether the base of the rows belongs to the walk alone.
  var ownsBase: Bool { rows.ownsBase }
  /// The parts of the position's model that the request reaches.
  package var region: RequestRegion { rows.region }

  /// Creates a walk at a position, with the request resolved by the model of the position.
  ///
  /// - Parameter position: 0 is the empty state, which is read by the first model.
  /// - Throws: `StoreError` with the code `badRequest` if that model lacks what the request names; `SpanTooLarge`.
  /// - Complexity: O(*k* log *n*) for *k* events since the position, plus the cost of fetching there.
  package init(
    _ position: Position, _ request: FetchRequest, of reader: borrowing StoreReader, limitInBytes limit: Int = .max
  ) throws {
    past = try RewoundState(position, before: reader.present, in: reader.journal, parts: .all, limitInBytes: limit)
    rows = try WalkedRows(request, at: position, in: past.reader(over: reader.reader))
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
    let former = past.reader(over: reader.reader)
    let changes = try NetChanges(
      base.request, dependents, from: position.next, through: reader.position, in: reader.journal, new: reader.reader
    ) { former }
    rows = WalkedRows(over: base, dependents, in: reader.resolvedModel, before: changes)
  }

  /// Returns a reader of the state, on top of a reader of the head.
  func reader(over present: Reader) -> Reader { past.reader(over: present) }

  /// Returns a reader of an earlier state.
  ///
  /// - Throws: `SpanTooLarge`.
  /// - Complexity: O(*k* log *n*) for *k* events in between.
  func reader(
    at earlier: Position, in reader: borrowing StoreReader, limitInBytes limit: Int
  ) throws -> Reader {
    try past.reader(at: earlier, over: reader.reader, in: reader.journal, limitInBytes: limit)
  }

  /// Changes to a later head; the result stays as it is.
  ///
  /// - Parameter head: The base at the new head, and what has changed since the last head; `nil` for a walk that owns
  ///   its base.
  package mutating func follow(
    _ reader: borrowing StoreReader, _ head: (base: RankBase, changes: NetChanges)?, limitInBytes limit: Int
  ) throws {
    try past.follow(reader.present, in: reader.journal, limitInBytes: limit)
    if let head { rows.rebase(onto: head.base, after: head.changes) }
  }

  /// Moves to another position, earlier or later.
  ///
  /// - Returns: The difference, which may be empty.
  /// - Throws: `SpanTooLarge`, after which the walk must not be used.
  /// - Complexity: O(*k* log *n*) for *k* events in between.
  package mutating func move(
    to target: Position, in reader: borrowing StoreReader, limitInBytes limit: Int = .max
  ) throws -> ResultsChange {
    let (first, last) = (min(position, target), max(position, target))
    let isBack = target < position
    let (finder, journal) = (rows.finder, reader.journal)
    var read: NetChanges?
    try past.move(
      to: target, before: reader.present, lastModel: reader.modelPosition, in: journal, limitInBytes: limit
    ) { here, there in
      let (old, new) = isBack ? (there, here) : (here, there)
      // The ways back can be followed at either end.
      read = try finder.changes(from: first.next, through: last, in: journal, old: old, new: new)
    }
    return try rows.move(by: read, from: first, to: last, isBack: isBack, in: reader.reader)
  }

  /// Returns the change that led to the present position, reported from an earlier position.
  ///
  /// - Parameters:
  ///   - change: The change of the last commit.
  ///   - start: The position from which it is reported. The commits in between changed nothing in the result.
  /// - Throws: `SpanTooLarge`.
  /// - Complexity: O(*k* log *n*) for *k* events in between.
  func completing(
    _ change: ResultsChange, from start: Position, in reader: borrowing StoreReader, limitInBytes limit: Int
  ) throws -> ResultsChange {
    try rows.completing(change, from: start, past, in: reader, limitInBytes: limit)
  }
}
