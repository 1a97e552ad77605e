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
  private var noted: Set<UInt64> = []

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
      try note(commit, in: journal)
      return true
    }
    return bits.map { (CommitIndexRow.key($0.bytes, block), CommitIndexRow.value($1)) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }

  /// Adds the terms of one commit.
  private mutating func note(_ commit: CommitView, in journal: some Journal) throws {
    let bit = CommitBlock.bit(of: commit.header.position)
    noteHeader(commit.header, bit)
    try noteReasons(commit.header.reasons, bit, in: journal)
    guard !commit.header.isModel else { return }
    noted.removeAll(keepingCapacity: true)
    var last: UInt64?
    var events = commit.events
    while !events.isAtEnd {
      let event = try events.next()
      let type = event.eventType
      let summary =
        UInt64(event.entity.number) << 32 | UInt64(type?.number ?? 0) << 8 | UInt64(event.kind.rawValue)
      guard summary != last else { continue }
      last = summary
      guard noted.insert(summary).inserted else { continue }
      if let type { bits[.recorded(type), default: 0] |= bit }
      bits[.event(event.entity, event.kind), default: 0] |= bit
      if event.kind == .unknown { hasLeftOut = true }
    }
  }

  private mutating func noteReasons(_ reasons: CommitReasons, _ bit: UInt64, in journal: some Journal) throws {
    if reasons.isEmpty { return }
    if let correlation = reasons.correlation { bits[.correlation(correlation), default: 0] |= bit }
    if let causation = reasons.causation, let cause = try journal.position(of: causation) {
      bits[.causedBy(cause), default: 0] |= bit
    }
    if reasons.namesCommits { bits[.undoOrRedo, default: 0] |= bit }
  }

  private mutating func noteHeader(_ header: CommitHeader, _ bit: UInt64) {
    if header.isModel { bits[.model, default: 0] |= bit }
    if let author = header.author { bits[.author(author), default: 0] |= bit }
    bits[CommitTerm.day(of: header.time), default: 0] |= bit
  }
}
