import DaybookDiff
import DaybookEngine
import DaybookModel

/// The requests that a consumer follows together, at one reader's position; a single request is a group of one.
///
/// It is valid only while the reader's transaction is.
package struct RequestGroup {
  private let lives: [LiveRequest]
  private let heads: [LiveRequest.Head]
  private let keeper: ProjectionKeeper
  /// The commits that were not reported to the consumer, without the first of them if they changed nothing.
  package let range: CommitRange
  /// The time of the rows, if a request reads the time; the same for all of them.
  package let time: Timestamp?

  /// Brings the rows of the requests to a reader's position.
  ///
  /// - Parameters:
  ///   - start: The position up to which everything was reported to the consumer.
  ///   - began: The time of what was reported, if a request reads the time.
  ///   - ranksAnew: Whether a request ranks rows of its own if another consumer has moved its rows past the reader.
  /// - Returns: `nil` if rows are at a later position and may not be ranked separately.
  /// - Throws: `StoreError`: `badRequest` if the model lacks what a request names, `damaged`.
  package init?(
    _ lives: [LiveRequest], since start: Position, at began: Timestamp? = nil, in reader: borrowing StoreReader,
    of keeper: ProjectionKeeper, ranksAnew: Bool
  ) throws {
    let from = lives.lazy.map { $0.unchanged(since: start) }.min() ?? start
    let range = CommitRange(from: min(reader.position, from), to: reader, of: keeper, isShared: lives.count > 1)
    time = try lives.lazy.filter(\.request.mayReadTime).map { try $0.presentTime(in: reader, after: began) }.max()
    var heads: [LiveRequest.Head] = []
    for live in lives {
      if let head = try live.head(in: reader, sharing: range, at: time) {
        heads.append(head)
      } else if ranksAnew {
        heads.append(try live.ownHead(in: reader, at: time))
      } else {
        return nil
      }
    }
    (self.lives, self.heads, self.range, self.keeper) = (lives, heads, range, keeper)
  }

  /// Returns the change of each request by the last commit, or `nil` if they are not all known without a transaction.
  ///
  /// - Parameters:
  ///   - start: The position before the commit.
  ///   - given: The position from which the changes will be reported: the commits between both positions changed nothing,
  ///     and are among the causes if they touched a row that changed.
  ///   - stamp: The rows of projections in which the changes are reported.
  /// - Returns: The changes, which may be empty, to one position.
  /// - Throws: `StoreError` if the store is closed.
  package static func knownChanges(
    of lives: [LiveRequest], since start: Position, reportedFrom given: Position, in stamp: ScopeStamp
  ) throws -> [ResultsChange]? {
    var changes: [ResultsChange] = []
    for live in lives {
      guard let change = try live.knownChange(since: start, reportedFrom: given, of: stamp),
        change.to == changes.first?.to ?? change.to
      else { return nil }
      changes.append(change)
    }
    return changes
  }

  /// The rows of each request at the reader's position.
  package func rows(in reader: borrowing StoreReader) -> [PlacedRows] {
    let reader = reader.reader
    return heads.map { PlacedRows(ranked: RankedKeys($0.base), reader: $0.base.rowReader(over: reader)) }
  }

  /// Returns whether the model changed within the range in what a request reaches.
  package func hasReset(in reader: borrowing StoreReader) throws -> Bool {
    for head in heads where try head.isReset(from: range.start, in: reader) { return true }
    return false
  }

  /// Returns a walk at the start of the range: a kept one if it can be moved there, else a new one.
  ///
  /// - Parameters:
  ///   - kept: A walk of the same requests.
  ///   - time: The time of the results there, if a request reads the time.
  /// - Throws: `SpanTooLarge`; `StoreError` with the code `badRequest` if the model there lacks what a request names.
  package func walk(
    _ kept: consuming RequestGroupWalk?, at time: Timestamp?, in reader: borrowing StoreReader
  ) throws -> RequestGroupWalk {
    try RequestGroupWalk.at(range, kept, heads, time, in: reader, of: keeper)
  }

  /// Returns what changed over the range; each change may be empty or a reset.
  ///
  /// - Parameters:
  ///   - given: The position from which the changes will be reported; the commits from there to the range changed nothing.
  ///   - times: The time of the results at the start of the range, and the one at `given`, if a request reads the time.
  ///   - needsCauses: Returns whether the causes of a request's change are delivered, by its number.
  /// - Throws: `StoreError`: `badRequest`, `damaged`.
  package func changes(
    reportedFrom given: Position, _ times: (start: Timestamp?, given: Timestamp?), in reader: borrowing StoreReader,
    needsCauses: (Int) -> Bool
  ) throws -> [ResultsChange] {
    let whole = CommitRange(from: given, to: reader, of: keeper, isShared: lives.count > 1)
    var changes: [ResultsChange] = []
    for (number, head) in heads.enumerated() {
      guard range.start < reader.position || head.time != nil else {
        changes.append(
          ResultsChange(from: range.start, to: range.start, difference: Difference(sections: [], rows: [])))
        continue
      }
      let change = try lives[number].change(over: range, since: times.start, in: reader, head)
      let isIncomplete =
        try needsCauses(number)
        && lives[number].mayLackCauses(
          change, after: given, through: range.start, head.dependents, in: reader.reader, before: range.formerReader)
      changes.append(
        isIncomplete ? try lives[number].change(over: whole, since: times.given, in: reader, head) : change)
    }
    return changes
  }

  /// Returns the changes by the last commit of a walk with the causes of the span of which they will be reported.
  ///
  /// - Parameters:
  ///   - given: The position from which the changes will be reported; the commits from there to the last one changed
  ///     nothing.
  ///   - time: The time of the results there, if a request reads the time.
  ///   - needsCauses: Returns whether the causes of a request's change are delivered, by its number.
  /// - Throws: `SpanTooLarge`; `StoreError` with the code `damaged`.
  package func completing(
    _ changes: [ResultsChange], of walk: RequestGroupWalk, reportedFrom given: Position, at time: Timestamp?,
    in reader: borrowing StoreReader, needsCauses: (Int) -> Bool
  ) throws -> [ResultsChange] {
    let (state, limit) = (walk.reader(over: reader.reader), range.limitInBytes)
    var completed = changes
    for (number, change) in changes.enumerated() where needsCauses(number) {
      let isIncomplete = try lives[number].mayLackCauses(
        change, after: given, through: change.from, heads[number].dependents, in: state
      ) { try walk.reader(at: change.from, in: reader, limitInBytes: limit) }
      if isIncomplete {
        completed[number] = try walk.completing(
          change, of: number, from: given, at: time, in: reader, limitInBytes: limit)
      }
    }
    return completed
  }
}

/// The rows of a request at a position, with what they are read from.
package struct PlacedRows {
  package let ranked: RankedKeys
  package let reader: Reader
}
