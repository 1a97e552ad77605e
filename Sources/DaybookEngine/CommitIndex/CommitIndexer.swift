import DaybookModel
import LMDB

/// Makes the rows of the index of the journal for a block of commits.
///
/// The rows depend on the commits alone: kept with each write, made later or made again, they are equal byte for byte.
package struct CommitIndexer {
  private var terms = CommitTerms()
  /// The terms that are known already.
  private let draft: CommitIndexDraft
  /// Whether a commit has events that only a later version knows.
  package private(set) var hasLeftOut = false

  /// - Parameter draft: The terms of commits that the journal has.
  package init(knowing draft: CommitIndexDraft = CommitIndexDraft()) {
    self.draft = draft
  }

  /// Returns the rows of a block, in the order of their keys.
  ///
  /// Of the block's commits, only those that the draft lacks are read.
  ///
  /// - Throws: The errors of ``Journal/forEachCommit(from:through:_:)``, `MalformedBytes` for damaged events.
  /// - Complexity: O(*n*) for *n* bytes of commits.
  package mutating func rows(
    of block: CommitBlock, in journal: some Journal
  ) throws -> [(key: [UInt8], value: [UInt8])] {
    var end = block.last
    if let known = draft.terms(of: block) {
      (terms, end) = (known.terms, Position(known.first.number - 1))
    } else {
      terms.removeAll()
    }
    if block.first <= end {
      try journal.forEachCommit(from: block.first, through: end) { commit in
        try terms.note(commit.header, commit.events, in: journal)
        return true
      }
    }
    if terms.hasLeftOut { hasLeftOut = true }
    return terms.rows(of: block)
  }
}
