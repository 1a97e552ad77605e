import DaybookModel
import DaybookQuery

/// A live feed of a request's differences from a position on.
///
///     for try await change in store.changes(of: request, from: saved) {
///       table = try table.applying(change.difference)
///       saved = change.to
///     }
///
/// A feed keeps only a position. With this position, a consumer resumes exactly where it stopped, after a restart and
/// in any process. Each difference is computed on demand from the commits since then.
///
/// **Buffering.** Nothing is queued. A slow consumer receives one difference for everything that it missed; with
/// `everyCommit` it receives one for each commit that changed the result, computed sixty-four commits at a time. An
/// empty difference is not delivered.
///
/// **Resets.** ``ResultsChange/isReset`` means that the result must be fetched again: the model changed in what the
/// request reaches, or the span was too large (``StoreOptions/viewOfPastLimitInBytes``).
///
/// Commits of other processes arrive like commits of this process. The feed ends when its task is cancelled, and throws
/// when the store is closed. Each loop over the feed reads independently of the others.
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

    /// Returns the next difference that is not empty, or `nil` if the task is cancelled.
    ///
    /// - Throws: `StoreError`: `closed`, `badRequest` if a later model lacks what the request names, `notFound` if the
    ///   start position is beyond the head.
    public mutating func next() async throws -> ResultsChange? {
      try await reader.next()
    }

    /// The position up to which all differences were delivered.
    ///
    /// It may be later than the end of the last difference, because commits that changed nothing in the result count.
    /// Resuming from here is cheap.
    public var position: Position { reader.position }
  }
}

/// One iterator's place in a feed, and the wakeup that reports new commits.
final class FeedReader {
  private let store: Store
  private let request: FetchRequest
  private let wakeup = Wakeup()
  private var live: LiveRequest?
  private var cursor: ChangeCursor
  /// The end of the last delivered change, or the start position before the first one.
  ///
  /// The next change is reported from here, even if later commits without effect on the result were processed since.
  private var given: Position

  init(_ store: Store, _ request: FetchRequest, from start: Position, everyCommit isStepwise: Bool) {
    self.store = store
    self.request = request
    cursor = ChangeCursor(at: start, stepwise: isStepwise)
    given = start
  }

  deinit {
    if let live { store.notifier.unfollow(live, wakeup) }
  }

  var position: Position { cursor.position }

  func next() async throws -> ResultsChange? {
    try await wakeup.next { try poll() }
  }

  /// Returns the next difference that is not empty, or `nil` if there is none yet.
  func poll() throws -> ResultsChange? {
    let live = try self.live ?? store.notifier.follow(request, wakeup, of: store)
    self.live = live
    wakeup.lower()
    guard let change = try cursor.next(in: live) else { return nil }
    defer { given = change.to }
    return change.reported(from: given)
  }
}
