import DaybookModel
import LMDB

/// Reads the index of the journal in one transaction.
package struct CommitIndexReader {
  private let snapshot: TransactionSnapshot
  private let table: Table
  /// The blocks to search.
  private let blocks: Range<UInt64>

  /// - Parameter blocks: The blocks to search, all of which are indexed.
  package init(_ snapshot: TransactionSnapshot, _ table: Table, blocks: Range<UInt64>) {
    self.snapshot = snapshot
    self.table = table
    self.blocks = blocks
  }

  /// Returns the commits with a term, or `nil` if they are in more blocks than a limit.
  ///
  /// - Complexity: O(*m* + log *n*) for *m* blocks with such commits, at most the limit.
  package func postings(of term: CommitTerm, atMost limit: Int) throws -> CommitPostings? {
    try postings(under: term.bytes, atMost: limit)
  }

  /// Returns the commits with a term that ``forEachAuthor(_:)`` found, as ``postings(of:atMost:)`` does.
  package func postings(under prefix: [UInt8], atMost limit: Int) throws -> CommitPostings? {
    var entries: [CommitPostings.BlockBits] = []
    var cursor = try snapshot.makeCursor(in: table)
    var isValid = try cursor.seekProving(
      atOrAfter: CommitIndexRow.key(prefix, CommitBlock(blocks.lowerBound)).rawSpan)
    while isValid, equalBytes(CommitIndexRow.term(of: cursor.key), prefix.rawSpan) {
      let entry = try CommitIndexRow.entry(cursor.key, cursor.value)
      guard entry.block.number < blocks.upperBound else { break }
      if entries.count == limit { return nil }
      entries.append(entry)
      isValid = try cursor.moveToNext()
    }
    return CommitPostings(entries)
  }

  /// Returns the commits of some days, or `nil` if they have more rows than a limit.
  ///
  /// - Complexity: O(*m* + log *n*) for *m* rows of these days.
  package func postings(ofDays days: ClosedRange<Int64>, atMost limit: Int) throws -> CommitPostings? {
    let (first, end) = (CommitTerm.day(days.lowerBound).bytes, CommitTerm.day(days.upperBound).bytes)
    var bits: [CommitBlock: UInt64] = [:]
    var rowCount = 0
    var cursor = try snapshot.makeCursor(in: table)
    var isValid = try cursor.seekProving(atOrAfter: first.rawSpan)
    while isValid, compareBytes(CommitIndexRow.term(of: cursor.key), end.rawSpan) <= 0 {
      if rowCount == limit { return nil }
      rowCount += 1
      let entry = try CommitIndexRow.entry(cursor.key, cursor.value)
      if blocks.contains(entry.block.number) { bits[entry.block, default: 0] |= entry.bits }
      isValid = try cursor.moveToNext()
    }
    return CommitPostings(bits.sorted { $0.key < $1.key }.map { CommitPostings.BlockBits($0.key, $0.value) })
  }

  /// Calls `body` with each author that commits have, until it returns `false`.
  ///
  /// An author whose name is too long for the index is `nil`.
  ///
  /// - Complexity: O(*m* log *n*) for *m* authors.
  package func forEachAuthor(_ body: (_ author: String?, _ term: [UInt8]) throws -> Bool) throws {
    var start = [CommitTerm.authorCode]
    let kind = start
    var cursor = try snapshot.makeCursor(in: table)
    while try cursor.seekProving(atOrAfter: start.rawSpan), hasPrefix(cursor.key, kind.rawSpan) {
      let term = [UInt8](CommitIndexRow.term(of: cursor.key))
      guard try body(CommitTerm.text(in: term), term) else { return }
      // The first key after all blocks of the term.
      start = CommitIndexRow.key(term, CommitBlock(.max))
      start.append(0)
    }
  }
}
