import Testing

@testable import DaybookGit

/// A real history of 496 commits, and what `git ls-tree -r` says of each.
@Suite struct SampleHistoryTests {
  private struct Expectation {
    var hash: String
    var count: Int
    var pathDigest: String
    var entryDigest: String
  }

  private func expectations() throws -> [Expectation] {
    let text = String(decoding: try sampleData("small.oracle.tsv"), as: UTF8.self)
    return text.split(separator: "\n").map { line in
      let fields = line.split(separator: "\t").map(String.init)
      return Expectation(hash: fields[1], count: Int(fields[2])!, pathDigest: fields[3], entryDigest: fields[4])
    }
  }

  @Test func everyCommitHasTheTreeThatGitSays() throws {
    var reader = FastExportReader(MemorySource(try sampleData("small.fast-export")))
    var editor = TreeEditor()
    var tree = ReplayedTree()
    for (index, expected) in try expectations().enumerated() {
      let commit = try #require(try reader.next())
      tree.apply(try editor.apply(commit.changes), "commit \(index + 1)")
      #expect(commit.hash.description == expected.hash)
      #expect(editor.listing().count == expected.count)
      #expect(PlainSHA256.hexDigest(editor.pathListing()) == expected.pathDigest, "commit \(index + 1)")
      #expect(PlainSHA256.hexDigest(editor.entryListing()) == expected.entryDigest, "commit \(index + 1)")
      #expect(tree.entryListing == editor.entryListing(), "commit \(index + 1)")
      #expect(tree.emptyFolders.isEmpty && tree.clashCount == 0, "commit \(index + 1)")
    }
    #expect(try reader.next() == nil)
  }

  @Test func anEditorTakesOverWhereAnotherStopped() throws {
    let stream = try sampleData("small.fast-export")
    var editor = TreeEditor()
    var tree = ReplayedTree()
    var reader = FastExportReader(MemorySource(stream))
    for (index, expected) in try expectations().enumerated() {
      let commit = try #require(try reader.next())
      if index % 50 == 49 { editor = try tree.takeOver() }
      tree.apply(try editor.apply(commit.changes), "commit \(index + 1)")
      #expect(PlainSHA256.hexDigest(tree.entryListing) == expected.entryDigest, "commit \(index + 1)")
    }
  }
}
