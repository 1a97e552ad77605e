import DaybookModel
import DaybookQuery

/// The changes of a request commit by commit, for those who want to see each.
///
/// The state before each commit is a layer more, and the ranks there are those at the head, corrected by the rows that
/// have changed since.
struct Steps {
  private let ordering: Ordering
  private let watches: WatchTable
  private let journal: LMDBJournal
  private let head: PositionedReader
  private let start: Position
  private let end: Position

  init(_ ordering: Ordering, _ watches: WatchTable, _ reader: borrowing StoreReader, from start: Position) {
    self.ordering = ordering
    self.watches = watches
    journal = reader.journal
    head = reader.present
    self.start = start
    end = min(reader.position, Position(start.number + UInt64(LiveRequest.maximumStepCount)))
  }

  /// - Parameter reported: What the first change says that it begins at.
  func changes(reportedFrom reported: Position) throws -> (changes: [ResultsChange], through: Position) {
    var divergence = Divergence()
    var present = head
    if end < head.position {
      present = try head.rewound(to: end, in: journal, parts: .derived)
      divergence.goBack(over: try netChanges(from: end.next, through: head.position, old: present, new: head))
    }
    var changes: [ResultsChange] = []
    while present.position > start {
      let to = present.position
      let from = Position(to.number - 1)
      let former = from == .empty ? nil : try present.rewound(to: from, in: journal, parts: .derived)
      let net = try netChanges(from: to, through: to, old: former, new: present)
      if net.rows.contains(where: \.isChanged) {
        let (difference, causes) = try net.difference(over: ordering, in: head.reader, divergence)
        if !difference.isEmpty {
          changes.append(ResultsChange(from: from, to: to, difference: difference, causes: causes))
        }
        divergence.goBack(over: net)
      }
      guard let former else { break }
      present = former
    }
    var from = reported
    let chained = changes.reversed().map { change in
      defer { from = change.to }
      return change.reported(from: from)
    }
    return (chained, end)
  }

  private func netChanges(
    from first: Position, through last: Position, old: PositionedReader?, new: PositionedReader
  ) throws -> NetChanges {
    try NetChanges(
      ordering.request, watches, from: first, through: last, in: journal, old: old?.reader, new: new.reader)
  }
}
