import DaybookModel

/// The differences of a typed request, from a position on.
///
/// See ``ChangeFeed`` for its guarantees and the causes of resets.
public struct EntityChangeFeed<Object: Storable>: AsyncSequence, Sendable {
  public typealias Element = EntityChange<Object>

  let feed: ChangeFeed
  let store: Store

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(iterator: feed.makeAsyncIterator(), store: store)
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var iterator: ChangeFeed.AsyncIterator
    fileprivate let store: Store

    /// Returns the next difference that is not empty, or `nil` when the task is cancelled.
    ///
    /// - Throws: `StoreError`: `closed`, `badRequest` if a later model lacks what the request names, `notFound` if the
    ///   start position is beyond the head of the store.
    public mutating func next() async throws -> EntityChange<Object>? {
      try await iterator.next().map { EntityChange($0, in: store) }
    }

    /// The position up to which all differences were returned.
    ///
    /// See ``ChangeFeed/AsyncIterator/position``.
    public var position: Position { iterator.position }
  }
}

extension Store {
  /// Returns the live differences of a request, from a position on.
  ///
  ///     for try await change in store.changes(of: Recipe.all.sorted(by: \.name)) { ... }
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - start: The position of the result that the reader has. From position 0, the result is empty, and the first
  ///     difference inserts all rows.
  ///   - isStepwise: Whether each commit that changes the result is reported as a separate difference.
  public func changes<Object>(
    of request: EntityRequest<Object>, from start: Position = .empty, everyCommit isStepwise: Bool = false
  ) -> EntityChangeFeed<Object> {
    EntityChangeFeed(feed: changes(of: request.request, from: start, everyCommit: isStepwise), store: self)
  }
}
