import DaybookModel

/// A live feed of a store's commits from a position on.
///
///     for try await commit in store.commits(from: saved.next) {
///       send(commit)
///       saved = commit.position
///     }
///
/// The feed delivers the commits that are in the journal and then follows it, in order and without a gap, whichever
/// process writes. Nothing is queued: commits are copied out of the journal on demand, in pages of at most 256 commits
/// or 1 MiB, and no transaction is held in between. The feed ends when its task is cancelled, and throws when the store
/// is closed. Each loop over the feed reads independently of the others.
public struct CommitFeed: AsyncSequence, Sendable {
  public typealias Element = Commit

  /// A feed of the same commits as stored in the journal.
  public let raw: RawCommitFeed

  init(_ store: Store, from first: Position) {
    raw = RawCommitFeed(store, from: first)
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(reader: JournalReader(raw.store, from: raw.first))
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let reader: JournalReader

    /// Returns the next commit, or `nil` if the task is cancelled.
    ///
    /// - Throws: `StoreError`: `closed`, `damaged` for a commit that cannot be read.
    public mutating func next() async throws -> Commit? {
      try await reader.next()?.decoded(of: nil)
    }
  }
}

/// A live feed of a store's commits as stored in the journal, for copying them elsewhere.
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

    /// Returns the next commit, or `nil` if the task is cancelled.
    ///
    /// - Throws: `StoreError`: `closed`, `damaged` for a commit that cannot be read.
    public mutating func next() async throws -> RawCommit? {
      try await reader.next().map(RawCommit.init)
    }
  }
}

/// A commit as stored in the journal. `docs/file-format.md` describes the bytes.
public struct RawCommit: Sendable, Hashable {
  /// The commit's position.
  public let position: Position
  /// The commit's hash: the SHA-256 of its header, in hexadecimal digits.
  public let hash: String
  /// The encoded header, with the author, the times and the digest of the body.
  public let header: [UInt8]
  /// The encoded events, or the model's JSON for a commit of a model.
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

/// One iterator's place in the journal, and the wakeup that reports new commits.
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
    if isFollowing { store.notifier.unfollowJournal(wakeup) }
  }

  func next() async throws -> CopiedCommit? {
    try await wakeup.next { try poll() }
  }

  /// Returns the next commit, or `nil` if there is none yet.
  func poll() throws -> CopiedCommit? {
    if let commit = page.popFirst() { return commit }
    if !isFollowing {
      try store.notifier.followJournal(wakeup, of: store)
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
