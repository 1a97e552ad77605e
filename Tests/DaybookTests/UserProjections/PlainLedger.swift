import DaybookTestSupport

@testable import Daybook
@testable import DaybookRuntime

/// What the rows of ``LedgerProjection`` must be, in dictionaries.
struct PlainLedger {
  private(set) var byName: [String: LedgerProjection.Count] = [:]
  private(set) var byAuthor: [LedgerProjection.AuthorName: Int] = [:]
  private(set) var position = Position.empty

  /// Folds the commits after the last one.
  mutating func follow(_ store: Store, through last: Position) throws {
    guard position < last else { return }
    var log = try store.log(from: position.next, to: last)
    while let commit = try log.next() { apply(commit) }
    position = last
  }

  private mutating func apply(_ commit: Commit) {
    for event in commit.events {
      guard let (old, new) = LedgerProjection.names(event), new?.hasPrefix("bad") != true else { continue }
      if let old, let count = byName[old] {
        byName[old] = count.times > 1 ? LedgerProjection.Count(times: count.times - 1, last: count.last) : nil
      }
      guard let new else { continue }
      byName[new] = LedgerProjection.Count(times: (byName[new]?.times ?? 0) + 1, last: commit.author ?? "")
      byAuthor[LedgerProjection.AuthorName(author: commit.author, name: new), default: 0] += 1
    }
  }

  var names: [TableRow<String, LedgerProjection.Count>] {
    byName.map { TableRow(key: $0.key, value: $0.value) }.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  var authors: [TableRow<LedgerProjection.AuthorName, Int>] {
    byAuthor.map { TableRow(key: $0.key, value: $0.value) }.sorted { $0.key < $1.key }
  }
}
