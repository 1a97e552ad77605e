import DaybookModel
import DaybookQuery

/// The differences of a request from a position on, live.
///
///     for try await change in store.changes(of: request, from: saved) {
///       table = try table.applying(change.difference)
///       saved = change.to
///     }
///
/// A feed remembers nothing but a position: with it one goes on exactly where one stopped, after a restart and in any
/// process. Each difference is made from the commits since then, at the moment when it is asked for.
///
/// **Buffering.** Nothing is queued. A slow reader gets one difference for all that it missed; with `everyCommit` one for
/// each commit that changed the result, made sixty-four commits at a time. A difference that is empty is not given.
///
/// **Resets.** ``ResultsChange/isReset`` says that the result must be fetched anew: the model changed in what the request
/// reaches, or the span was too large (``StoreOptions/viewOfPastLimitInBytes``).
///
/// Commits of other processes arrive as those of this one do. The feed ends when its task is cancelled, and throws when
/// the store is closed. Each loop over it is a reader of its own.
public struct ChangeFeed: AsyncSequence, Sendable {
  public typealias Element = ResultsChange

  private let store: Store
  private let request: FetchRequest
  private let start: Position
  private let isStepwise: Bool

  init(_ store: Store, _ request: FetchRequest, from start: Position, everyCommit isStepwise: Bool) {
    self.store = store
    self.request = request
    self.start = start
    self.isStepwise = isStepwise
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(reader: FeedReader(store, request, from: start, everyCommit: isStepwise))
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    private let reader: FeedReader

    fileprivate init(reader: FeedReader) {
      self.reader = reader
    }

    /// The next difference that is not empty; nil when the task is cancelled.
    ///
    /// - Throws: `StoreError`: `closed`, `badRequest` if a later model lacks what the request names, `notFound` if the
    ///   store is shorter than the position to start from.
    public mutating func next() async throws -> ResultsChange? {
      try await reader.next()
    }

    /// The position up to which all differences were given, which may be later than the last one's: commits that changed
    /// nothing in the result count. Resuming from here is cheap.
    public var position: Position { reader.position }
  }
}

/// One reader of a feed: a position, and what wakes it.
final class FeedReader {
  private let store: Store
  private let request: FetchRequest
  private let wakeup = Wakeup()
  private var live: LiveRequest?
  private var cursor: ChangeCursor
  /// The end of the last change that was given, or where the reader began: where the next one begins for it, however
  /// many commits were looked at since.
  private var given: Position

  init(_ store: Store, _ request: FetchRequest, from start: Position, everyCommit isStepwise: Bool) {
    self.store = store
    self.request = request
    cursor = ChangeCursor(at: start, stepwise: isStepwise)
    given = start
  }

  deinit {
    if let live { store.feeds.unfollow(live, wakeup) }
  }

  var position: Position { cursor.position }

  func next() async throws -> ResultsChange? {
    try await wakeup.next { try poll() }
  }

  /// The next difference that is not empty, if there is one by now.
  func poll() throws -> ResultsChange? {
    let live = try self.live ?? store.feeds.follow(request, wakeup, of: store)
    self.live = live
    wakeup.lower()
    guard let change = try cursor.next(in: live) else { return nil }
    defer { given = change.to }
    return change.reported(from: given)
  }
}

extension Store {
  /// The differences of a request from a position on, live.
  ///
  ///     let results = try store.fetch(request)
  ///     for try await change in store.changes(of: request, from: results.position) { ... }
  ///
  /// - Parameters:
  ///   - request: What to follow.
  ///   - start: The position of the result that the reader has; 0 for none.
  ///   - isStepwise: Whether each commit that changes the result is a difference of its own.
  /// - Complexity: The first difference takes O(*n* log *n*) for *n* rows if nobody follows the request yet, every other
  ///   one O(*k* log *n*) for *k* rows changed.
  public func changes(
    of request: FetchRequest, from start: Position = .empty, everyCommit isStepwise: Bool = false
  ) -> ChangeFeed {
    ChangeFeed(self, request, from: start, everyCommit: isStepwise)
  }
}
