import DaybookEngine
import DaybookModel
import DaybookQuery

/// Results shown at a chosen position.
extension LiveRequest {
  /// Moves the results from one position to another.
  ///
  /// - Parameters:
  ///   - kept: The walk kept for the old position; replaced by the walk for the new position.
  ///   - stamp: The rows of projections of which the results are; replaced by the ones of the new results.
  ///   - time: The time of the results, if the request reads the time; replaced by the recorded one of the new position.
  ///   - target: The new position; `nil` for the head.
  /// - Returns: The change, which may be empty, and the head.
  /// - Throws: `StoreError`: `notFound` and `badRequest`, which leave `kept` unchanged; `expired`.
  package func move(
    _ kept: inout RequestGroupWalk?, of stamp: inout ScopeStamp, at time: inout Timestamp?, from start: Position,
    to target: Position?
  ) throws -> (change: ResultsChange, head: Position) {
    try withHead { reader, head in
      let end = target ?? reader.position
      try reader.requirePosition(end)
      guard end > .empty else {
        throw StoreError(.notFound, "At position 0 there is nothing to read.", advice: "Give a position from 1.")
      }
      let isSame =
        try stamp == reader.stamp && reader.region(of: request, at: start) == reader.region(of: request, at: end)
      stamp = reader.stamp
      let former = time
      time = head.time == nil ? nil : try reader.recordedTime(of: end)
      return try expiring(end) {
        guard isSame else {
          kept = try walk(at: end, time, nil, reader, head)
          return (.reset(from: start, to: end), reader.position)
        }
        // Removed while in use: after a failure the walk may be unusable.
        var walk = try self.walk(at: start, former, kept.take(), reader, head)
        let changes = try walk.move(
          to: end, at: time, in: reader, limitInBytes: keeper.files.options.viewOfPastLimitInBytes)
        kept = walk
        return (changes[0], reader.position)
      }
    }
  }

  /// Reads the result at a position, keeping a walk for later reads at or after the position.
  ///
  /// - Parameters:
  ///   - time: The time of the result, if the request reads the time.
  ///   - stamp: The rows of projections of which it is the result.
  ///   - kept: The walk kept for that position or an earlier one; set to `nil` at the head, where the shared base is
  ///     enough.
  /// - Throws: What `body` throws; `StoreError` with the code `expired`.
  package func read<Result>(
    at position: Position, _ time: Timestamp?, of stamp: ScopeStamp, _ kept: inout RequestGroupWalk?,
    _ body: (RankedWindow, Reader) throws -> Result
  ) throws -> Result {
    try withHead { reader, head in
      guard stamp == reader.stamp else { throw StoreError.expired(position) }
      guard try position < reader.position || !head.isUnchanged(since: time) else {
        kept = nil
        return try body(
          RankedWindow(RankedKeys(head.base), in: reader.reader), head.base.rowReader(over: reader.reader))
      }
      // A walk that is not over the head's base belongs to another model and cannot follow the request to a
      // later position.
      if let walk = kept, walk.ownsBases, walk.position != position { kept = nil }
      let walk = try expiring(position) { () throws -> RequestGroupWalk in
        try self.walk(at: position, time, kept.take(), reader, head)
      }
      kept = walk
      return try body(RankedWindow(walk.rows[0].ranked, in: reader.reader), walk.rowReader(0, over: reader.reader))
    }
  }

  /// Returns a walk at a position: a kept one if it is usable, else a new one.
  private func walk(
    at position: Position, _ time: Timestamp?, _ kept: consuming RequestGroupWalk?, _ reader: borrowing StoreReader,
    _ head: Head
  ) throws -> RequestGroupWalk {
    let range = CommitRange(from: position, to: reader, of: keeper)
    return try RequestGroupWalk.at(range, kept, [head], time, in: reader, of: keeper)
  }

  private func expiring<Result>(_ position: Position, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch is SpanTooLarge {
      throw StoreError.expired(position)
    }
  }
}

private extension StoreReader {
  /// Returns the parts of the model of a position that a request reaches.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if that model lacks what the request names.
  func region(of request: FetchRequest, at position: Position) throws -> RequestRegion {
    let start = position >= modelPosition ? modelPosition : try journal.modelPositions().last { $0 <= position } ?? 1
    let model = start == modelPosition ? resolvedModel : try journal.model(at: start)
    return RequestRegion(try ResolvedRequest(checking: request.atAnyTime, in: model), in: model)
  }
}
