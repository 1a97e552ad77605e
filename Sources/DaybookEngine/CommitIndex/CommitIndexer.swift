import DaybookModel
import LMDB

/// Makes the rows of the index of the journal for a block of commits.
///
/// It reads the commits from the journal, so the rows depend on nothing else: kept with each write, made later or made
/// again, they are equal byte for byte.
package struct CommitIndexer {
  /// The bits of the commits with each term.
  private var bits: [CommitTerm: UInt64] = [:]
  /// Whether a commit has events that only a later version knows.
  package private(set) var hasLeftOut = false
  /// The events of the commit that were noted, by entity and kind, so that a term is made once.
  private var noted: Set<UInt32> = []

  package init() {}

  /// Returns the rows of a block, in the order of their keys.
  ///
  /// - Throws: The errors of ``Journal/forEachCommit(from:through:_:)``, `MalformedBytes` for damaged events.
  /// - Complexity: O(*n*) for *n* bytes of commits.
  package mutating func rows(
    of block: CommitBlock, in journal: some Journal
  ) throws -> [(key: [UInt8], value: [UInt8])] {
    bits.removeAll(keepingCapacity: true)
    try journal.forEachCommit(from: block.first, through: block.last) { commit in
      try note(commit)
      return true
    }
    return bits.map { (CommitIndexRow.key($0.bytes, block), CommitIndexRow.value($1)) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  /// Adds the terms of one commit.
  private mutating func note(_ commit: CommitView) throws {
    let bit = CommitBlock.bit(of: commit.header.position)
    noteHeader(commit.header, bit)
    guard !commit.header.isModel else { return }
    noted.removeAll(keepingCapacity: true)
    var last: UInt32?
    var events = commit.events
    while !events.isAtEnd {
      let event = try events.next()
      let pair = UInt32(event.entity.number) << 8 | UInt32(event.kind.rawValue)
      guard pair != last else { continue }
      last = pair
      guard noted.insert(pair).inserted else { continue }
      bits[.event(event.entity, event.kind), default: 0] |= bit
      if event.kind == .unknown { hasLeftOut = true }
    }
  }

  private mutating func noteHeader(_ header: CommitHeader, _ bit: UInt64) {
    if header.isModel { bits[.model, default: 0] |= bit }
    if let author = header.author { bits[.author(author), default: 0] |= bit }
    bits[CommitTerm.day(of: header.time), default: 0] |= bit
  }
}
