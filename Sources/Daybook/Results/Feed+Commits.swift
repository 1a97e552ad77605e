import DaybookModel
import DaybookRuntime

extension Feed where Element == Commit {
  /// A feed of a store's commits, or of the commits that meet a filter.
  init(of store: Store, where filter: CommitFilter? = nil, from first: Position) {
    self = Feed<CopiedCommit> { CommitSource(store, where: filter, from: first) }.converted { try $0.decoded() }
  }

  /// A feed of the same commits as stored in the journal, for copying them elsewhere.
  package var raw: Feed<RawCommit> {
    let makeSource = makeSource
    return Feed<RawCommit> {
      guard let decoded = makeSource() as? ConvertedSource<CopiedCommit, Commit> else {
        preconditionFailure("Each feed of commits decodes the copies of a journal.")
      }
      return ConvertedSource(base: decoded.base, convert: RawCommit.init)
    }
  }
}

/// One loop's place in the journal.
///
/// Commits are copied out of the journal in pages of at most 256 commits or 1 MiB, and no transaction is held in between.
final class CommitSource: FeedSource {
  let wakeup: Wakeup
  /// The last commit that was delivered, or after it the last one that does not meet the filter.
  private(set) var position: Position
  private let store: Store
  private let filter: CommitFilter?
  private var isFollowing = false
  private var page: ArraySlice<CopiedCommit> = []

  init(_ store: Store, where filter: CommitFilter?, from first: Position) {
    self.store = store
    wakeup = Wakeup(measuring: store.files.metrics.feedLag)
    self.filter = filter
    position = first > 1 ? Position(first.number - 1) : .empty
  }

  deinit {
    if isFollowing { store.notifier.unfollowJournal(wakeup) }
  }

  func poll() throws -> CopiedCommit? {
    if page.isEmpty { try readPage() }
    guard let commit = page.popFirst() else { return nil }
    position = commit.header.position
    return commit
  }

  private func makePages(through head: Position) throws -> CommitPages {
    guard let filter else { return CommitPages(store, .range(position.next, head)) }
    // Prepared for each page, because the model may have changed.
    let query = try CommitQuery(filter, in: store)
    let selection = try query.selection(from: position.next, through: head, reversed: false)
    return CommitPages(store, selection, matching: query.matcher)
  }

  private func readPage() throws {
    if !isFollowing {
      try store.notifier.followJournal(wakeup)
      isFollowing = true
    }
    wakeup.reset()
    let head = try store.position
    guard position < head else { return }
    var pages = try makePages(through: head)
    page = try pages.next()[...]
    // No commit up to the head met the filter.
    if page.isEmpty { position = head }
  }
}
