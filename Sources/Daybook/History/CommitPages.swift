import DaybookEngine
import DaybookModel
import DaybookRuntime

/// The commits to read, and their order.
enum CommitSelection: Sendable {
  /// From one position to another, both included; in descending order if the first is later.
  case range(Position, Position)
  /// The commits at these positions, in this order.
  case list(ArraySlice<Position>)
  /// The commits that named an object, newest first, as they are found.
  case walk(HistoryWalk)
  case none
}

/// Copies commits out of the journal in pages, and holds no transaction between the pages.
///
/// A long read transaction prevents the reuse of pages that later commits free, and the files grow.
struct CommitPages {
  private let store: Store
  private var selection: CommitSelection
  /// Tests each commit, unless all are wanted.
  private var matcher: CommitMatcher?

  /// The most commits in a page.
  static let maximumCount = 256
  /// A page ends with the commit that reaches this size, in bytes.
  static let maximumSizeInBytes = 1 << 20
  /// The most commits, and bytes of commits, that are tested in one transaction.
  private static let maximumTestedCount = 4_096
  private static let maximumTestedSizeInBytes = 16 << 20

  init(_ store: Store, _ selection: CommitSelection, matching matcher: CommitMatcher? = nil) {
    self.store = store
    self.selection = selection
    self.matcher = matcher
  }

  /// A page in progress.
  private struct Page {
    var commits: [CopiedCommit] = []
    var sizeInBytes = 0
    var testedCount = 0
    var testedSizeInBytes = 0

    /// The most commits of the page.
    let limit: Int

    init(atMost limit: Int) { self.limit = min(limit, CommitPages.maximumCount) }

    /// Whether the page, or its transaction, may become larger.
    var hasRoom: Bool {
      commits.count < limit && sizeInBytes < CommitPages.maximumSizeInBytes
        && testedCount < CommitPages.maximumTestedCount && testedSizeInBytes < CommitPages.maximumTestedSizeInBytes
    }
  }

  /// Returns the next page, which is empty at the end.
  ///
  /// - Parameter limit: The most commits of the page, from 1: no others are read.
  mutating func next(atMost limit: Int = .max) throws -> [CopiedCommit] {
    while true {
      var page = Page(atMost: limit)
      try store.files.withJournal { try fill(&page, from: $0) }
      if case .none = selection { return page.commits }
      if !page.commits.isEmpty { return page.commits }
    }
  }

  /// Adds a commit to a page if it is wanted.
  ///
  /// - Returns: Whether the page has room for another one.
  private mutating func add(_ commit: CommitView, to page: inout Page, from journal: LMDBJournal) throws -> Bool {
    let names = try store.keeper.models.names(at: commit.header.position, in: journal)
    page.testedCount += 1
    page.testedSizeInBytes += commit.bytes.byteCount
    guard try matcher?.matches(commit, names: names) ?? true else { return page.hasRoom }
    page.commits.append(CopiedCommit(commit, names: names))
    page.sizeInBytes += commit.body.byteCount + commit.headerBytes.byteCount
    return page.hasRoom
  }

  private mutating func fill(_ page: inout Page, from journal: LMDBJournal) throws {
    switch selection {
    case .none: return
    case .range(let first, let last) where first <= last:
      var next = first
      try journal.forEachCommit(from: first, through: last) { commit in
        next = commit.header.position.next
        return try add(commit, to: &page, from: journal)
      }
      // A journal that ends before the range has no further commits of it.
      selection = next > last || page.hasRoom ? .none : .range(next, last)
    case .range(let first, let last):
      var position = first
      while try journal.withCommit(at: position, { try add($0, to: &page, from: journal) }), position > last {
        position = Position(position.number - 1)
      }
      selection = position > last ? .range(Position(position.number - 1), last) : .none
    case .walk(var walk):
      var hasRoom = true
      while hasRoom, let position = walk.next {
        hasRoom = try journal.withCommit(at: position) { commit in
          try walk.advance(over: commit)
          return try walk.includes(position) ? add(commit, to: &page, from: journal) : true
        }
      }
      selection = walk.next == nil ? .none : .walk(walk)
    case .list(var positions):
      while let position = positions.popFirst() {
        guard try journal.withCommit(at: position, { try add($0, to: &page, from: journal) }) else { break }
      }
      selection = positions.isEmpty ? .none : .list(positions)
    }
  }
}
