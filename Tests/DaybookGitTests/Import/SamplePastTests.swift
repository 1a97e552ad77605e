import Daybook
import DaybookTestSupport
import DaybookTools
import Testing

@testable import DaybookGit

/// The sample history read at each of its commits, in any order, compared with git.
@Suite(.hangLimit) struct SamplePastTests {
  /// The number of positions to read without snapshots, which is slow.
  private static let countWithoutSnapshots = 120

  @Test func everyPositionHasTheTreeOfGitThroughSnapshots() throws {
    try Seeds.run(1) { seed in
      var random = SeededRandom(seed: seed)
      try SamplePast.use(snapshots: true) { past in
        for index in past.expectations.indices.shuffled(using: &random) { try past.check(index) }
      }
    }
  }

  @Test func anyPositionHasTheTreeOfGitWithoutSnapshots() throws {
    try Seeds.run(1) { seed in
      var random = SeededRandom(seed: seed)
      try SamplePast.use(snapshots: false) { past in
        let drawn = past.expectations.indices.shuffled(using: &random).prefix(Self.countWithoutSnapshots)
        for index in drawn { try past.check(index) }
      }
    }
  }
}

/// The sample history in a store that makes many snapshots, or none.
struct SamplePast {
  let store: Store
  let expectations: [SampleHistory.Expectation]

  static func use(snapshots: Bool, _ body: (SamplePast) throws -> Void) throws {
    let expectations = try SampleHistory.expectations()
    let target = try ImportStore()
    try target.importStream(SampleHistory.stream())
    defer { target.store.close() }
    if snapshots {
      for position in stride(from: UInt64(10), through: 490, by: 20) {
        try target.store.makeSnapshot(at: Position(position))
      }
    }
    guard target.store.snapshots.count == (snapshots ? 25 : 0) else {
      throw Mismatch("there are \(target.store.snapshots.count) snapshots")
    }
    try body(SamplePast(store: target.store, expectations: expectations))
  }

  /// Compares the tree after a commit of the history with both of git's digests.
  func check(_ index: Int) throws {
    let expected = expectations[index]
    let position = Position(UInt64(index) + 2)
    let tree = try store.at(position).read {
      try $0.treePaths(showing: ["mode", "blob"], decodingNames: PathText.decode)
    }
    guard tree.count == expected.count, sha256(tree.lines(showingValues: false)) == expected.pathDigest,
      sha256(tree.entryListing) == expected.entryDigest
    else { throw Mismatch("position \(position) has not the tree of \(expected.hash)") }
  }
}
