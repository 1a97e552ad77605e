import DaybookModel

/// The terms of the last commits that this process wrote, so that a completed block is indexed without reading them again.
///
/// The commits are consecutive, and the hash of the last one shows whether the next commit follows it. If it does not,
/// because a transaction failed or another process wrote, the draft begins again.
package struct CommitIndexDraft: Sendable {
  /// The blocks that have commits of the draft, rising.
  private var blocks: [Block] = []
  private var last: (position: Position, hash: Digest)?

  private struct Block {
    let number: CommitBlock
    /// The first commit that was noted; the rest of the block was noted too, up to the last commit of the draft.
    let first: Position
    var terms = CommitTerms()
  }

  package init() {}

  /// Adds the last commits of a journal, which follow each other.
  ///
  /// The draft then knows nothing that the journal does not have.
  ///
  /// - Parameters:
  ///   - commits: The commits, none if the journal has got commits that this process did not write.
  ///   - hash: The hash of the last commit of the journal.
  /// - Throws: As the reading of commits does; the draft is then empty.
  /// - Complexity: O(*n*) for *n* bytes of commits.
  package mutating func note(_ commits: [PendingCommit], in journal: some Journal, endingWith hash: Digest) throws {
    do {
      for commit in commits { try note(commit, in: journal) }
      if last?.hash != hash { self = CommitIndexDraft() }
    } catch {
      self = CommitIndexDraft()
      throw error
    }
  }

  private mutating func note(_ commit: PendingCommit, in journal: some Journal) throws {
    let position = commit.header.position
    if let last, last.position.next != position || last.hash != commit.header.previousHash {
      blocks.removeAll()
    }
    let block = CommitBlock(containing: position)
    if blocks.last?.number != block { blocks.append(Block(number: block, first: position)) }
    try blocks[blocks.count - 1].terms.note(commit.header, commit.events, in: journal)
    last = (position, commit.hash)
  }

  /// Returns the terms of the commits of a complete block from some commit on, or `nil` if the draft has none of them.
  func terms(of block: CommitBlock) -> (first: Position, terms: CommitTerms)? {
    guard let last, last.position >= block.last else { return nil }
    return blocks.first { $0.number == block }.map { ($0.first, $0.terms) }
  }

  /// Forgets the blocks before one.
  package mutating func removeBlocks(before block: CommitBlock) {
    blocks.removeAll { $0.number < block }
  }
}
