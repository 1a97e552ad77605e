import DaybookModel
import DaybookRuntime

/// A live sequence of what happens in a store: changes of a result, commits, or values.
///
///     for try await change in store.changes(of: request, from: saved) {
///       table = try table.applying(change.difference)
///       saved = change.to
///     }
///
/// A loop first receives what its start position lacks, and then waits for commits, whichever process makes them. The
/// loop ends when its task is cancelled, and throws when the store is closed.
///
/// **Buffering.** Nothing is queued: elements are computed on demand, at most a page of commits ahead, so a consumer that
/// never reads costs nothing.
///
/// **Resuming.** ``AsyncIterator/position`` is the position up to which everything was delivered. A feed of changes from
/// this position, or a feed of commits from the next one, continues there, in any process.
public struct Feed<Element: Sendable>: AsyncSequence, Sendable {
  /// Returns the source that one loop reads; called once for each loop.
  let makeSource: @Sendable () -> any FeedSource<Element>

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(source: makeSource())
  }

  /// The place of one loop in a feed.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let source: any FeedSource<Element>

    /// Returns the next element, or `nil` if the task is cancelled.
    ///
    /// - Throws: `StoreError`: `closed`; `badRequest` if a later model lacks what a followed request names; `notFound`
    ///   if the start position is beyond the head; `expired` in an editing context; `damaged` for a commit that cannot
    ///   be read.
    public mutating func next() async throws -> Element? {
      let source = source
      return try await source.wakeup.next { try source.poll() }
    }

    /// The position up to which everything was delivered.
    ///
    /// It may be later than the last element's position, because commits without effect on the feed count. Resuming
    /// from here is cheap. For the changes of live or editing results it is the position of the results, which other code
    /// may move too.
    public var position: Position { source.position }
  }

  /// Returns a feed of elements that are computed from the elements of this feed.
  func converted<Other>(by convert: @escaping @Sendable (Element) throws -> Other) -> Feed<Other> {
    let makeSource = makeSource
    return Feed<Other> { ConvertedSource(base: makeSource(), convert: convert) }
  }
}

/// What the iterator of a feed reads: it returns the next element at once, or is polled again after its wakeup.
protocol FeedSource<Element>: AnyObject {
  associatedtype Element

  /// Signaled when there may be another element.
  var wakeup: Wakeup { get }
  /// The position up to which everything was delivered.
  var position: Position { get }
  /// The rows of projections of which everything was delivered; `nil` if nothing was.
  var stamp: ScopeStamp? { get }
  /// The time of the last delivered results, if they depend on it.
  var time: Timestamp? { get }

  /// Returns the next element, or `nil` if none is available yet.
  ///
  /// It resets the wakeup before it examines the store.
  func poll() throws -> Element?
}

extension FeedSource {
  var stamp: ScopeStamp? { .stored }
  var time: Timestamp? { nil }
}

/// A source whose elements are computed from the elements of another one.
final class ConvertedSource<Base, Element>: FeedSource {
  let base: any FeedSource<Base>
  private let convert: @Sendable (Base) throws -> Element

  /// The base's position at the last element that was converted, or `nil` before the first poll.
  private var delivered: Position?

  init(base: any FeedSource<Base>, convert: @escaping @Sendable (Base) throws -> Element) {
    (self.base, self.convert) = (base, convert)
  }

  var position: Position { delivered ?? base.position }

  var wakeup: Wakeup { base.wakeup }

  func poll() throws -> Element? {
    let element = try base.poll().map(convert)
    delivered = base.position
    return element
  }
}
