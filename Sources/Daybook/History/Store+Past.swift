import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Store {
  /// Returns the store as it was at a position.
  ///
  ///     try store.at(5).fetch(recipes)
  ///
  /// Nothing is held: each read computes the state from the head or the nearest snapshot, at the cost of what changed
  /// in between.
  public func at(_ position: Position) -> PastStore { PastStore(store: self, position: position) }

  /// Returns the store as it was at a time: after the last commit that was recorded by then.
  ///
  /// - Throws: `StoreError` with the code `notFound` if all commits are later.
  public func at(_ time: Timestamp) throws -> PastStore {
    let position = try read { try $0.position(recordedBy: time) }
    guard position > .empty else {
      throw StoreError(.notFound, "The store's first commit is later than \(time).", advice: "Give a later time.")
    }
    return PastStore(store: self, position: position)
  }

  /// Returns the differences of a request, commit by commit, over a span of the past.
  ///
  /// - Parameters:
  ///   - request: The request to replay.
  ///   - first: The first commit; 0 and 1 are the beginning.
  ///   - last: The last commit; `nil` for the head at the time of the call.
  /// - Throws: `StoreError` with the code `notFound` for positions beyond the head.
  public func replay<Row: ResultRow>(
    of request: Request<Row>, from first: Position = 1, through last: Position? = nil
  ) throws -> Replay<Row> {
    let last = try read { reader in
      try reader.requirePosition(max(first, last ?? .empty))
      return last ?? reader.position
    }
    return Replay(self, request, from: first, through: last)
  }
}
