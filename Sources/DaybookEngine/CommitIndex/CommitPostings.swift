import DaybookModel

/// A set of commits, as the bits of blocks by rising number.
package struct CommitPostings: Hashable, Sendable {
  /// The commits of one block that belong to the set; never without a bit.
  package struct BlockBits: Hashable, Sendable {
    package let block: CommitBlock
    package let bits: UInt64

    package init(_ block: CommitBlock, _ bits: UInt64) {
      self.block = block
      self.bits = bits
    }
  }

  package private(set) var entries: [BlockBits]

  /// - Parameter entries: By rising block.
  package init(_ entries: [BlockBits] = []) {
    self.entries = entries.filter { $0.bits != 0 }
  }

  package var isEmpty: Bool { entries.isEmpty }

  /// The number of commits.
  package var count: Int { entries.reduce(0) { $0 + $1.bits.nonzeroBitCount } }

  /// Returns the commits that are in both sets.
  ///
  /// - Complexity: O(*n*) for *n* blocks.
  package func intersection(_ other: CommitPostings) -> CommitPostings {
    var common: [BlockBits] = []
    var (i, j) = (0, 0)
    while i < entries.count, j < other.entries.count {
      let (a, b) = (entries[i], other.entries[j])
      if a.block == b.block { common.append(BlockBits(a.block, a.bits & b.bits)) }
      if a.block <= b.block { i += 1 }
      if b.block <= a.block { j += 1 }
    }
    return CommitPostings(common)
  }

  /// Returns the commits that are in any of some sets.
  package static func union(_ sets: [CommitPostings]) -> CommitPostings {
    guard sets.count != 1 else { return sets[0] }
    var bits: [CommitBlock: UInt64] = [:]
    for set in sets {
      for entry in set.entries { bits[entry.block, default: 0] |= entry.bits }
    }
    return CommitPostings(bits.sorted { $0.key < $1.key }.map { BlockBits($0.key, $0.value) })
  }

  /// Returns the commits between two positions.
  package func clamped(from first: Position, through last: Position) -> CommitPostings {
    CommitPostings(entries.map { BlockBits($0.block, $0.bits & $0.block.bits(from: first, through: last)) })
  }

  /// The positions of the commits, rising.
  package var positions: [Position] {
    var positions: [Position] = []
    positions.reserveCapacity(count)
    for entry in entries {
      var bits = entry.bits
      while bits != 0 {
        positions.append(Position(entry.block.first.number + UInt64(bits.trailingZeroBitCount)))
        bits &= bits - 1
      }
    }
    return positions
  }
}
