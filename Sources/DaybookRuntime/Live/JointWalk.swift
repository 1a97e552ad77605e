import DaybookEngine
import DaybookModel
import DaybookQuery

/// The results of several requests at one position that moves forward, commit by commit.
///
/// The state is kept once for all requests, and each commit is read once.
package struct JointWalk {
  private var past: RewoundState
  package private(set) var rows: [WalkedRows]

  package var position: Position { past.position }

  /// Creates a walk at the start of a span that ends at the head.
  ///
  /// Within the span the model must not change in what the requests reach.
  ///
  /// - Parameters:
  ///   - heads: The requests at the reader's position.
  ///   - span: What the requests share; its start may be 0, the empty state.
  /// - Throws: `SpanTooLarge`.
  package init(
    _ heads: [LiveRequest.Head], of reader: borrowing StoreReader, sharing span: SharedSpan, limitInBytes limit: Int
  ) throws {
    let start = span.start
    guard start > .empty else {
      let state = try RewoundState(
        start, before: reader.present, in: reader.journal, parts: .all, limitInBytes: limit)
      let former = state.reader(over: reader.reader)
      past = state
      rows = try heads.map { try WalkedRows($0.request.request, at: start, in: former) }
      return
    }
    past = try RewoundState(
      start, before: reader.present, in: reader.journal, parts: .derived, limitInBytes: limit)
    let former = past.reader(over: reader.reader)
    rows = []
    for head in heads {
      let changes =
        try span.netChanges(of: head.request, head.dependents)
        ?? NetChanges(
          head.request, head.dependents, from: start.next, through: reader.position, in: reader.journal,
          new: reader.reader
        ) { former }
      rows.append(WalkedRows(over: head.base, head.dependents, in: reader.resolvedModel, before: changes))
    }
  }

  /// Returns the change of one request that led to the present position, reported from an earlier position.
  ///
  /// See ``RequestWalk/completing(_:from:in:limitInBytes:)``.
  package func completing(
    _ change: ResultsChange, of number: Int, from start: Position, in reader: borrowing StoreReader,
    limitInBytes limit: Int
  ) throws -> ResultsChange {
    try rows[number].completing(change, from: start, past, in: reader, limitInBytes: limit)
  }

  /// Returns a reader of the state, on top of a reader of the head.
  package func reader(over present: Reader) -> Reader { past.reader(over: present) }

  /// Returns a reader of an earlier state; see ``RequestWalk/reader(at:in:limitInBytes:)``.
  package func reader(
    at earlier: Position, in reader: borrowing StoreReader, limitInBytes limit: Int
  ) throws -> Reader {
    try past.reader(at: earlier, over: reader.reader, in: reader.journal, limitInBytes: limit)
  }

  /// Changes to a later head; the results stay as they are.
  ///
  /// - Returns: `false` if the rows cannot follow, because their requests are resolved by another model.
  /// - Throws: `SpanTooLarge`, after which the walk must not be used.
  package mutating func follow(
    _ reader: borrowing StoreReader, _ lives: [LiveRequest], _ heads: [LiveRequest.Head], limitInBytes limit: Int
  ) throws -> Bool {
    for (row, head) in zip(rows, heads) where !row.ownsBase && row.ranked.request !== head.base.request {
      return false
    }
    guard past.head < reader.position else { return true }
    let span = SharedSpan(from: past.head, to: reader, limitInBytes: limit)
    for (number, live) in lives.enumerated() where !rows[number].ownsBase {
      let changes = try live.netChanges(since: span.start, in: reader, heads[number], sharing: span)
      rows[number].rebase(onto: heads[number].base, after: changes)
    }
    try past.follow(reader.present, in: reader.journal, limitInBytes: limit)
    return true
  }

  /// Moves to the next commit.
  ///
  /// - Returns: The difference of each request, which may be empty.
  /// - Throws: `SpanTooLarge`, after which the walk must not be used.
  package mutating func advance(in reader: borrowing StoreReader, limitInBytes limit: Int) throws -> [ResultsChange] {
    let (start, end, journal) = (position, position.next, reader.journal)
    let finders = rows.map(\.finder)
    var read: [NetChanges] = []
    try past.move(
      to: end, before: reader.present, lastModel: reader.modelPosition, in: journal, limitInBytes: limit
    ) { old, new in
      let span = try SpanChanges(from: end, through: end, in: journal, model: new.model)
      read = try finders.map { finder in
        guard let span else { return try finder.changes(from: end, through: end, in: journal, old: old, new: new) }
        return try finder.changes(of: span, old: old, new: new)
      }
    }
    var changes: [ResultsChange] = []
    for number in rows.indices {
      changes.append(try rows[number].move(by: read[number], from: start, to: end, in: reader.reader))
    }
    return changes
  }
}
