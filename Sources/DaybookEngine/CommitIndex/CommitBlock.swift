import DaybookModel

/// A run of 64 commits, which the index of the journal describes by one bit for each commit.
///
/// Block 0 has the positions 1 to 64. Blocks are indexed when they are complete, so their rows never change, and follow
/// from the journal alone. The commits after the last complete block are searched in the journal.
package struct CommitBlock: Hashable, Comparable, Sendable {
  package let number: UInt64

  /// The number of commits in a block: the bits of a word.
  package static let size: UInt64 = 64

  package init(_ number: UInt64) { self.number = number }

  /// Creates the block of a commit.
  ///
  /// - Parameter position: At least 1.
  package init(containing position: Position) { number = (position.number &- 1) / CommitBlock.size }

  /// The number of blocks that a journal completes.
  package static func count(in head: Position) -> UInt64 { head.number / size }

  package var first: Position { Position(number * CommitBlock.size + 1) }
  package var last: Position { Position(number * CommitBlock.size + CommitBlock.size) }

  package static func < (a: CommitBlock, b: CommitBlock) -> Bool { a.number < b.number }

  /// Returns the bit of a commit of the block.
  static func bit(of position: Position) -> UInt64 { 1 << ((position.number &- 1) % size) }

  /// Returns the bits of the commits between two positions.
  func bits(from first: Position, through last: Position) -> UInt64 {
    guard first <= self.last, last >= self.first, first <= last else { return 0 }
    let low = first > self.first ? first.number - self.first.number : 0
    let high = last < self.last ? last.number - self.first.number : CommitBlock.size - 1
    return (UInt64.max << low) & (UInt64.max >> (CommitBlock.size - 1 - high))
  }
}
