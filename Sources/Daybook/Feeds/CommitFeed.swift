import DaybookModel

/// The commits of a store from a position on, live.
///
///     for try await commit in store.commits(from: saved.next) {
///       send(commit)
///       saved = commit.position
///     }
///
/// It catches up with what is in the journal and then follows it, in order and without a gap, whichever process writes.
/// Nothing is queued: commits are copied out of the journal in pages of at most 256 commits or 1 MiB when they are asked
/// for, and no transaction is held in between. The feed ends when its task is cancelled, and throws when the store is
/// closed. Each loop over it is a reader of its own.
public struct CommitFeed: AsyncSequence, Sendable {
  public typealias Element = Commit

  /// The same commits as they lie in the journal.
  public let raw: RawCommitFeed

  init(_ store: Store, from first: Position) {
    raw = RawCommitFeed(store, from: first)
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(reader: JournalReader(raw.store, from: raw.first))
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let reader: JournalReader

    /// The next commit; nil when the task is cancelled.
    ///
    /// - Throws: `StoreError`: `closed`, `damaged` for a commit that cannot be read.
    public mutating func next() async throws -> Commit? {
      try await reader.next()?.decoded(of: nil)
    }
  }
}

/// The commits of a store from a position on, live, as they lie in the journal: for copying them somewhere else.
public struct RawCommitFeed: AsyncSequence, Sendable {
  public typealias Element = RawCommit

  let store: Store
  let first: Position

  init(_ store: Store, from first: Position) {
    self.store = store
    self.first = first
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(reader: JournalReader(store, from: first))
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let reader: JournalReader

    /// The next commit; nil when the task is cancelled.
    ///
    /// - Throws: `StoreError`: `closed`, `damaged` for a commit that cannot be read.
    public mutating func next() async throws -> RawCommit? {
      try await reader.next().map(RawCommit.init)
    }
  }
}

/// A commit as it lies in the journal. `docs/file-format.md` says what the bytes mean.
public struct RawCommit: Sendable, Hashable {
  /// The commit's position.
  public let position: Position
  /// The SHA-256 of the header, in hexadecimal digits: the hash of the commit.
  public let hash: String
  /// Who, when, and the digest of the body.
  public let header: [UInt8]
  /// The events; for a commit of the model its JSON.
  public let body: [UInt8]

  init(_ commit: CopiedCommit) {
    position = commit.header.position
    hash = "\(commit.hash)"
    var header: [UInt8] = []
    commit.header.append(to: &header)
    self.header = header
    body = commit.body
  }
}

/// One reader of the journal: a position, and what wakes it.
final class JournalReader {
  private let store: Store
  private let wakeup = Wakeup()
  private var isFollowing = false
  private var page: ArraySlice<CopiedCommit> = []
  private var following: Position

  init(_ store: Store, from first: Position) {
    self.store = store
    following = max(first, 1)
  }

  deinit {
    if isFollowing { store.feeds.unfollowJournal(wakeup) }
  }

  func next() async throws -> CopiedCommit? {
    try await wakeup.next { try poll() }
  }

  /// The next commit, if there is one by now.
  func poll() throws -> CopiedCommit? {
    if let commit = page.popFirst() { return commit }
    if !isFollowing {
      try store.feeds.followJournal(wakeup, of: store)
      isFollowing = true
    }
    wakeup.lower()
    let head = try store.head()
    guard following <= head else { return nil }
    var pages = CommitPages(store, .range(following, head))
    page = try pages.next()[...]
    if let last = page.last { following = last.header.position.next }
    return page.popFirst()
  }
}

extension Store {
  /// The commits from a position on, live.
  ///
  /// - Parameter first: The first commit to give; 0 and 1 are the beginning.
  public func commits(from first: Position) -> CommitFeed {
    CommitFeed(self, from: first)
  }
}
