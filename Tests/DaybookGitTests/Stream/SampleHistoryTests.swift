import DaybookTestSupport
import Testing

@testable import DaybookGit

/// A real history of 496 commits, and the output of `git ls-tree -r` for each.
@Suite(.hangLimit) struct SampleHistoryTests {
  @Test func everyCommitHasTheTreeThatGitSays() throws {
    let expectations = try SampleHistory.expectations()
    var reader = FastExportReader(MemorySource(try SampleHistory.stream()))
    var editor = TreeEditor()
    var tree = ReplayedTree()
    for (index, expected) in expectations.enumerated() {
      let commit = try #require(try reader.next())
      tree.apply(try editor.apply(commit.changes), "commit \(index + 1)")
      #expect(commit.hash.description == expected.hash)
      #expect(tree.emptyFolders.isEmpty && tree.clashCount == 0, "commit \(index + 1)")
      #expect(editor.listing().count == expected.count)
      // Of the listings, the last one is always compared.
      guard Rounds.include(expectations.count - 1 - index) else { continue }
      #expect(sha256(editor.pathListing()) == expected.pathDigest, "commit \(index + 1)")
      #expect(sha256(editor.entryListing()) == expected.entryDigest, "commit \(index + 1)")
      #expect(tree.entryListing == editor.entryListing(), "commit \(index + 1)")
    }
    #expect(try reader.next() == nil)
  }

  @Test func anEditorTakesOverWhereAnotherStopped() throws {
    let (stream, expectations) = (try SampleHistory.stream(), try SampleHistory.expectations())
    var editor = TreeEditor()
    var tree = ReplayedTree()
    var reader = FastExportReader(MemorySource(stream))
    for (index, expected) in expectations.enumerated() {
      let commit = try #require(try reader.next())
      if index % 50 == 49 { editor = try tree.takeOver() }
      tree.apply(try editor.apply(commit.changes), "commit \(index + 1)")
      // Of the listings, the last one is always compared.
      guard Rounds.include(expectations.count - 1 - index) else { continue }
      #expect(sha256(tree.entryListing) == expected.entryDigest, "commit \(index + 1)")
    }
  }
}
