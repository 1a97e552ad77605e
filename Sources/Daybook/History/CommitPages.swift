import DaybookEngine
import DaybookModel
import LMDB

/// The commits to read, and their order.
enum CommitSelection: Sendable {
  /// From one position to another, both included; in descending order if the first is later.
  case range(Position, Position)
  /// The commits at these positions, in this order.
  case list([Position])
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

  /// The most commits in a page.
  static let maximumCount = 256
  /// A page ends with the commit that reaches this size, in bytes.
  static let maximumSizeInBytes = 1 << 20

  init(_ store: Store, _ selection: CommitSelection) {
    self.store = store
    self.selection = selection
  }

  /// Returns the next page, which is empty at the end.
  mutating func next() throws -> [CopiedCommit] {
    try store.checkOpen()
    do {
      var page: [CopiedCommit] = []
      try store.opened.journalEnvironment.withSnapshot { snapshot in
        try fill(&page, from: LMDBJournal(snapshot: snapshot, tables: store.opened.journalTables))
      }
      return page
    } catch {
      throw StoreError.translating(error)
    }
  }

  private mutating func fill(_ page: inout [CopiedCommit], from journal: LMDBJournal) throws {
    var size = 0
    func add(_ commit: CommitView, to page: inout [CopiedCommit]) throws -> Bool {
      page.append(CopiedCommit(commit, names: try store.opened.models.names(at: commit.header.position, in: journal)))
      size += commit.body.byteCount + commit.headerBytes.byteCount
      return page.count < CommitPages.maximumCount && size < CommitPages.maximumSizeInBytes
    }
    switch selection {
    case .none: return
    case .range(let first, let last) where first <= last:
      try journal.forEachCommit(from: first, through: last) { try add($0, to: &page) }
      let next = page.last?.header.position.next ?? last.next
      selection = next > last ? .none : .range(next, last)
    case .range(let first, let last):
      var position = first
      while try journal.withCommit(at: position, { try add($0, to: &page) }), position > last {
        position = Position(position.number - 1)
      }
      selection = position > last ? .range(Position(position.number - 1), last) : .none
    case .walk(var walk):
      var hasRoom = true
      while hasRoom, let position = walk.next {
        hasRoom = try journal.withCommit(at: position) { commit in
          try walk.advance(over: commit)
          return try walk.includes(position) ? add(commit, to: &page) : true
        }
      }
      selection = walk.next == nil ? .none : .walk(walk)
    case .list(let positions):
      var count = 0
      for position in positions {
        count += 1
        guard try journal.withCommit(at: position, { try add($0, to: &page) }) else { break }
      }
      selection = count < positions.count ? .list(Array(positions[count...])) : .none
    }
  }
}
