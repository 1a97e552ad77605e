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
