import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// Blocks that are indexed from what is known of their commits, compared with blocks that are read.
@Suite(.hangLimit) struct CommitIndexDraftTests {
  /// A journal that grows by writes of this process and of another one, and the draft of this process.
  private struct Run {
    let journal = ListJournal()
    var draft = CommitIndexDraft()
    var random: SeededRandom

    /// - Returns: Commits that follow the head.
    mutating func commits(_ count: Int) throws -> [PendingCommit] {
      var commits: [PendingCommit] = []
      for _ in 0..<count { commits.append(try journal.makeCommit(after: commits, &random)) }
      return commits
    }

    mutating func write(_ count: Int) throws {
      let commits = try commits(count)
      journal.append(commits)
      try note(commits)
    }

    /// Notes commits as the end of a write does.
    mutating func note(_ commits: [PendingCommit]) throws {
      try draft.note(commits, in: journal, endingWith: commits.last?.hash ?? journal.commits.last?.hash ?? .zero)
    }

    func rows(of block: CommitBlock, _ draft: CommitIndexDraft) throws -> [[[UInt8]]] {
      var indexer = CommitIndexer(knowing: draft)
      return try indexer.rows(of: block, in: journal).map { [$0.key, $0.value] }
    }
  }

  @Test func aBlockThatThisProcessWroteIsNotRead() throws {
    var run = Run(random: SeededRandom(seed: 1))
    try run.write(40)
    try run.write(30)
    let rows = try run.rows(of: CommitBlock(0), run.draft)
    #expect(run.journal.readCount == 0)
    #expect(try rows == run.rows(of: CommitBlock(0), CommitIndexDraft()) && !rows.isEmpty)
  }

  @Test func onlyTheCommitsBeforeTheDraftAreRead() throws {
    var run = Run(random: SeededRandom(seed: 2))
    run.journal.append(try run.commits(10))
    try run.write(60)
    let rows = try run.rows(of: CommitBlock(0), run.draft)
    #expect(run.journal.readCount == 10)
    #expect(try rows == run.rows(of: CommitBlock(0), CommitIndexDraft()))
  }

  @Test func commitsThatWereNotWrittenAreForgotten() throws {
    var run = Run(random: SeededRandom(seed: 3))
    try run.write(20)
    // Noted, but their transaction failed.
    try run.note(run.commits(5))
    try run.write(50)
    #expect(try run.rows(of: CommitBlock(0), run.draft) == run.rows(of: CommitBlock(0), CommitIndexDraft()))
  }

  @Test func termsOfTextsThatLookTheSameAreDifferent() {
    let (composed, decomposed) = (CommitTerm.author("\u{e9}"), CommitTerm.author("e\u{301}"))
    #expect(composed != decomposed && composed.bytes != decomposed.bytes)
    #expect(Set([composed, decomposed, .author("\u{e9}")]).count == 2)
    #expect(CommitTerm.correlation("\u{e9}") != .correlation("e\u{301}"))
  }

  @Test func rowsAreTheSameHoweverCommitsCome() throws {
    try Seeds.run(40) { seed in
      var run = Run(random: SeededRandom(seed: seed))
      var block = CommitBlock(0)
      while block.number < 6 {
        switch run.random.number(0...5) {
        case 0:
          // Another process writes, and this one catches up.
          run.journal.append(try run.commits(run.random.number(1...30)))
          try run.note([])
        case 1:
          try run.note(run.commits(run.random.number(1...30)))
          continue
        default: try run.write(run.random.number(1...70))
        }
        while try CommitBlock.count(in: run.journal.head()) > block.number {
          #expect(
            try run.rows(of: block, run.draft) == run.rows(of: block, CommitIndexDraft()), "block \(block.number)")
          block = CommitBlock(block.number + 1)
          if run.random.isOneIn(2) { run.draft.removeBlocks(before: block) }
        }
      }
    }
  }
}
