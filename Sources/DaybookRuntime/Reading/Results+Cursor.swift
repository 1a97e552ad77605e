extension Results {
  /// What a consumer has that received this result, from which a feed of the request continues.
  ///
  ///     let tasks = try store.fetch(soon)
  ///     for try await change in store.changes(of: soon, from: tasks.cursor) { ... }
  ///
  /// The position suffices, unless the request names the present time: then the cursor also has the time of the result.
  public var cursor: FeedCursor {
    FeedCursor(position: position, stamp: position == .empty ? nil : .stored, time: time)
  }
}
