import DaybookModel

/// The terms of some commits of one block.
struct CommitTerms {
  /// The bits of the commits with each term.
  private(set) var bits: [CommitTerm: UInt64] = [:]
  /// Whether a commit has events that only a later version knows.
  private(set) var hasLeftOut = false
  /// The events of the commit that were noted, by entity and kind, so that a term is made once.
  private var noted: Set<UInt64> = []

  /// Adds the terms of a commit.
  ///
  /// - Throws: `MalformedBytes` for damaged events; the errors of ``Journal/position(of:)``.
  mutating func note(_ header: CommitHeader, _ events: consuming EventReader, in journal: some Journal) throws {
    let bit = CommitBlock.bit(of: header.position)
    noteHeader(header, bit)
    try noteReasons(header.reasons, bit, in: journal)
    guard !header.isModel else { return }
    noted.removeAll(keepingCapacity: true)
    var last: UInt64?
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

  /// Forgets all commits.
  mutating func removeAll() {
    bits.removeAll(keepingCapacity: true)
    hasLeftOut = false
  }

  /// Returns the rows of a block with these terms, in the order of their keys.
  func rows(of block: CommitBlock) -> [(key: [UInt8], value: [UInt8])] {
    bits.map { (CommitIndexRow.key($0.bytes, block), CommitIndexRow.value($1)) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
  }
}
