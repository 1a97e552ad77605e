import Daybook
import DaybookTestSupport
import DaybookTools
import Testing

@testable import DaybookGit

/// The sample history as a store, compared with git.
@Suite(.hangLimit) struct SampleImportTests {
  @Test func theStoreHasTheTreeThatGitSaysInsideEachCommit() throws {
    let expectations = try SampleHistory.expectations()
    let target = try ImportStore()
    var index = 0
    let summary = try target.importStream(
      SampleHistory.stream(),
      finishingEach: { commit, tx in
        let expected = expectations[index]
        index += 1
        let position = tx.position
        #expect(commit.hash.description == expected.hash)
        #expect(position == Position(UInt64(index) + 1))
        let paths = try tx.treePaths()
        #expect(paths.count == expected.count)
        #expect(sha256(paths.entryListing) == expected.entryDigest, "commit \(index)")
      })
    #expect(summary.commitCount == 496)
    #expect(summary.position == 497)
    #expect(try target.store.position == 497)
    let last = try #require(expectations.last)
    #expect(sha256(try target.store.pathListing()) == last.pathDigest)
  }

  @Test func theStoreHasTheTreeThatGitSaysAfterEachBatch() throws {
    let expectations = try SampleHistory.expectations()
    let target = try ImportStore()
    var limits = GitImporter.BatchLimits()
    limits.commits = 1
    var reader = FastExportReader(MemorySource(try SampleHistory.stream()))
    for (index, expected) in expectations.enumerated() {
      let commit = try #require(try reader.next())
      let importer = try GitImporter(target.store, limits: limits)
      try importer.run(OneCommit(commit))
      #expect(try target.store.position == Position(UInt64(index) + 2))
      // Of the listings, the last one is always compared.
      guard Rounds.include(expectations.count - 1 - index) else { continue }
      #expect(sha256(try target.store.pathListing()) == expected.pathDigest, "commit \(index + 1)")
      #expect(sha256(try target.store.entryListing()) == expected.entryDigest, "commit \(index + 1)")
    }
  }

  @Test func aFileKeepsItsIdentityAsLongAsGitFollowsIt() throws {
    let target = try ImportStore()
    try target.importStream(SampleHistory.stream())
    let revisions = try target.objects(GitModel.revision)
    #expect(revisions.count == 496)
    #expect(Set(revisions.compactMap { $0.target("author") }) == Set(try target.objects(GitModel.author).map(\.id)))
    #expect(try target.objects(GitModel.folder).count { $0.target("parent") == nil } == 1)
  }
}

/// A source of one commit.
struct OneCommit: GitCommitSource {
  private var commit: GitCommit?

  init(_ commit: GitCommit) {
    self.commit = commit
  }

  mutating func next() -> GitCommit? {
    defer { commit = nil }
    return commit
  }
}
