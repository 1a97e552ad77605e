import DaybookModel

/// The differences of a request for structs, from a position onward; see ``ChangeFeed`` for what it keeps and when it
/// resets.
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

    /// The next difference that is not empty; nil when the task is cancelled.
    ///
    /// - Throws: `StoreError`: `closed`, `badRequest` if a later model lacks what the request names, `notFound` if the
    ///   store is shorter than the position to start from.
    public mutating func next() async throws -> EntityChange<Object>? {
      try await iterator.next().map { EntityChange($0, in: store) }
    }

    /// The position up to which all differences were given; see ``ChangeFeed/AsyncIterator/position``.
    public var position: Position { iterator.position }
  }
}

extension Store {
  /// The differences of a request from a position on, live.
  ///
  ///     for try await change in store.changes(of: Recipe.all.sorted(by: \.name)) { ... }
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - start: The position of the result that the reader has; from 0, which is no result, the first difference inserts
  ///     all that is there.
  ///   - isStepwise: Whether each commit that changes the result is a difference of its own.
  public func changes<Object>(
    of request: EntityRequest<Object>, from start: Position = .empty, everyCommit isStepwise: Bool = false
  ) -> EntityChangeFeed<Object> {
    EntityChangeFeed(feed: changes(of: request.request, from: start, everyCommit: isStepwise), store: self)
  }
}
