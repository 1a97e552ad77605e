import DaybookModel
import DaybookQuery

/// Results that stand at a chosen position.
extension LiveRequest {
  /// Goes from one position to another.
  ///
  /// - Parameters:
  ///   - kept: What is kept of the position that is left, and then of the new one.
  ///   - target: Nil for the head.
  /// - Returns: What is different, which may be nothing; and the head.
  /// - Throws: `StoreError`: `notFound`, `badRequest`, and then `kept` is as it was; `expired`.
  func move(
    _ kept: inout RequestWalk?, from start: Position, to target: Position?
  ) throws -> (change: ResultsChange, head: Position) {
    try withHead { reader, head in
      let end = target ?? reader.position
      try reader.requirePosition(end)
      guard end > .empty else {
        throw StoreError(.notFound, "At position 0 there is nothing to read.", advice: "Give a position from 1.")
      }
      let isSame = try reader.reach(of: request, at: start) == reader.reach(of: request, at: end)
      return try expiring(end) {
        guard isSame else {
          kept = try walk(at: end, nil, reader, head)
          return (.reset(from: start, to: end), reader.position)
        }
        // Taken out while it is used: after a failure it may be of no use.
        var walk = try self.walk(at: start, kept.take(), reader, head)
        let change = try walk.move(to: end, in: reader, limitInBytes: limitInBytes)
        kept = walk
        return (change, reader.position)
      }
    }
  }

  /// Reads the result as it is at a position that is read several times, or after the one before it.
  ///
  /// - Parameter kept: What is kept of that position or an earlier one; `nil` afterwards at the head, where the shared
  ///   ordering is enough.
  /// - Throws: What `body` throws; `StoreError` with the code `expired`.
  func read<Result>(
    at position: Position, _ kept: inout RequestWalk?, _ body: (OrderingWindow, Reader) throws -> Result
  ) throws -> Result {
    try withHead { reader, head in
      guard position < reader.position else {
        kept = nil
        return try body(OrderingWindow(ShiftedOrdering(head.ordering, in: reader.reader)), reader.reader)
      }
      // A walk over the order of another model knows nothing of what the request is later.
      if let walk = kept, walk.ordering.base == nil, walk.position != position { kept = nil }
      let walk = try expiring(position) { () throws -> RequestWalk in
        try self.walk(at: position, kept.take(), reader, head)
      }
      kept = walk
      return try body(
        OrderingWindow(ShiftedOrdering(walk.ordering, in: reader.reader)), walk.reader(over: reader.reader))
    }
  }

  private func expiring<Result>(_ position: Position, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch is SpanTooLarge {
      throw StoreError.expired(position)
    }
  }
}

extension StoreReader {
  /// What a request reaches by the model of a position.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if that model lacks what the request names.
  fileprivate func reach(of request: FetchRequest, at position: Position) throws -> Reach {
    let start = position >= modelPosition ? modelPosition : try journal.modelPositions().last { $0 <= position } ?? 1
    let model = start == modelPosition ? resolvedModel : try journal.model(at: start)
    return Reach(try ResolvedRequest(checking: request, in: model), in: model)
  }
}
