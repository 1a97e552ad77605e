import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// The rows and commits of a journal that are not checked again while their bytes stay the same.
@Suite(.hangLimit) struct CheckedBytesTests {
  private let key = Array("format".utf8)

  @Test func aRowIsOpenedAgainWithoutItsSeal() {
    let rows = CheckedRows()
    let row = JournalMeta.sealed([1, 2, 3], for: key)
    #expect(rows.opened(row, for: key) == [1, 2, 3])
    #expect(rows.opened(row, for: key) == [1, 2, 3])
  }

  @Test func eachChangedBitOfACheckedRowIsFound() {
    let rows = CheckedRows()
    let row = JournalMeta.sealed([1, 2, 3], for: key)
    _ = rows.opened(row, for: key)
    for bit in 0..<(row.count * 8) {
      var damaged = row
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(rows.opened(damaged, for: key) == nil)
    }
    #expect(rows.opened(row, for: Array("models".utf8)) == nil)
  }

  @Test func aRowThatWasWrittenAnewIsOpened() {
    let rows = CheckedRows()
    _ = rows.opened(JournalMeta.sealed([1], for: key), for: key)
    #expect(rows.opened(JournalMeta.sealed([2], for: key), for: key) == [2])
  }

  @Test func aCommitIsKnownByItsPositionAndAllItsBytes() {
    let commits = CheckedCommits()
    let bytes: [UInt8] = [1, 2, 3]
    commits.note(bytes.rawSpan, at: 7)
    #expect(isKnown(bytes, at: 7, commits))
    #expect(!isKnown(bytes, at: 8, commits))
    for other: [UInt8] in [[], [1, 2], [1, 2, 4], [1, 2, 3, 0]] { #expect(!isKnown(other, at: 7, commits)) }
  }

  @Test func onlySmallAndRecentCommitsAreKept() {
    let commits = CheckedCommits()
    let large = [UInt8](repeating: 1, count: 1 << 20)
    commits.note(large.rawSpan, at: 1)
    #expect(!isKnown(large, at: 1, commits))
    for position in 1...100 { commits.note([UInt8(position)].rawSpan, at: Position(UInt64(position))) }
    #expect(!isKnown([1], at: 1, commits))
    #expect(isKnown([100], at: 100, commits))
  }

  private func isKnown(_ bytes: [UInt8], at position: Position, _ commits: CheckedCommits) -> Bool {
    commits.contains(bytes.rawSpan, at: position)
  }

  @Test func aCommitThatWasDamagedSinceItWasReadIsFound() throws {
    let bench = try EngineBench(Garden.model)
    _ = try Garden.plantRose(bench)
    // The commit is known since it was written, and read by its bytes.
    try bench.read { _, journal in try journal.withCommit(at: 2) { #expect($0.header.position == 2) } }
    try bench.damageCommit(2)
    #expect(throws: StoreError.self) { try bench.read { _, journal in try journal.withCommit(at: 2) { _ in } } }
  }
}
