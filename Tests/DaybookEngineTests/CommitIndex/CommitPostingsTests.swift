import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookEngine

/// Sets of commits as bits of blocks, compared with sets of positions.
@Suite(.hangLimit) struct CommitPostingsTests {
  private func postings(of positions: Set<UInt64>) -> CommitPostings {
    let blocks = Dictionary(grouping: positions) { CommitBlock(containing: Position($0)) }
    return CommitPostings(
      blocks.sorted { $0.key < $1.key }.map { block, positions in
        CommitPostings.BlockBits(block, positions.reduce(0) { $0 | CommitBlock.bit(of: Position($1)) })
      })
  }

  private func numbers(_ postings: CommitPostings) -> [UInt64] { postings.positions.map(\.number) }

  @Test func aBlockHasItsPositions() {
    for (position, block) in [(1, 0), (64, 0), (65, 1), (128, 1), (129, 2)] as [(UInt64, UInt64)] {
      #expect(CommitBlock(containing: Position(position)).number == block)
    }
    #expect(CommitBlock(2).first == 129 && CommitBlock(2).last == 192)
    #expect([0, 63, 64, 127, 128].map { CommitBlock.count(in: Position($0)) } == [0, 0, 1, 1, 2])
  }

  @Test func theBitsOfASpanAreItsPositions() {
    let block = CommitBlock(1)
    for first in UInt64(60)...132 {
      for last in UInt64(60)...132 {
        let expected = (65...128 as ClosedRange<UInt64>).filter { $0 >= first && $0 <= last }
        let found = CommitPostings([.init(block, block.bits(from: Position(first), through: Position(last)))])
        #expect(numbers(found) == expected, "\(first) to \(last)")
      }
    }
  }

  @Test func operationsAreThoseOfSets() throws {
    try SeededRandom.run(20) { random in
      let sets = (0..<3).map { _ in
        Set((0..<random.number(0...60)).map { _ in UInt64(random.number(1...400)) })
      }
      let all = sets.map { postings(of: $0) }
      #expect(all.map(numbers) == sets.map { $0.sorted() }, "seed \(random.seed)")
      #expect(all.map(\.count) == sets.map(\.count))
      #expect(numbers(all[0].intersection(all[1])) == sets[0].intersection(sets[1]).sorted(), "seed \(random.seed)")
      #expect(numbers(CommitPostings.union(all)) == sets[0].union(sets[1]).union(sets[2]).sorted())
      let (first, last) = (UInt64(random.number(1...200)), UInt64(random.number(150...400)))
      #expect(
        numbers(all[2].clamped(from: Position(first), through: Position(last)))
          == sets[2].filter { $0 >= first && $0 <= last }.sorted())
    }
  }
}
