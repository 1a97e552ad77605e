import DaybookModel
import DaybookQuery

/// The rows of a request that a span of commits may have changed, with what they were and what they are.
struct NetChanges {
  struct Row {
    let id: ObjectID
    let old: RowState?
    let new: RowState?
    /// The commits that touched something the row reaches, rising.
    let causes: [Position]
    /// Whether its place in the order, or its being there, is another one.
    let isMoved: Bool
    /// Whether that, or anything that the request shows of it or tests, is another one.
    let isChanged: Bool
  }

  let rows: [Row]

  /// Finds the rows that the commits of a span may have changed, and reads them at both ends.
  ///
  /// - Parameters:
  ///   - watches: Those of the request.
  ///   - old: Reads the state before `first`; nil for the empty one before the model.
  ///   - new: Reads the state after `last`.
  init(
    _ request: ResolvedRequest, _ watches: WatchTable, from first: Position, through last: Position,
    in journal: some Journal, old: Reader?, new: Reader
  ) throws {
    var collector = CandidateCollector(watches, reader: new)
    try journal.forEachCommit(from: first, through: last) { commit in
      try collector.take(commit)
      return true
    }
    try self.init(request, candidates: collector.candidates, old: old, new: new)
  }

  /// - Parameters:
  ///   - candidates: Rows that may have changed, with the commits that say so.
  ///   - old: Reads the one state; nil for the empty state before the model.
  ///   - new: Reads the other state; nil for the empty one.
  init(_ request: ResolvedRequest, candidates: [ObjectID: [Position]], old: Reader?, new: Reader?) throws {
    var rows: [Row] = []
    rows.reserveCapacity(candidates.count)
    var (oldMaker, newMaker) = (
      old.map { SortedKeyMaker(request, reader: $0) }, new.map { SortedKeyMaker(request, reader: $0) }
    )
    for (id, causes) in candidates {
      let before = try old.flatMap { try request.rowState(of: id, in: $0, &oldMaker!) }
      let after = try new.flatMap { try request.rowState(of: id, in: $0, &newMaker!) }
      if before == nil, after == nil { continue }
      let isMoved = before?.key != after?.key
      var isChanged = isMoved
      // The other values are only asked for where the keys do not tell.
      if !isMoved, let old, let new { isChanged = try request.differs(id, old: old, new: new) }
      rows.append(
        Row(id: id, old: before, new: after, causes: causes, isMoved: isMoved, isChanged: isChanged))
    }
    self.rows = rows
  }
}

/// Finds the rows that commits may have changed.
struct CandidateCollector {
  private let reader: Reader
  private let watches: WatchTable
  private(set) var candidates: [ObjectID: [Position]] = [:]

  /// - Parameter reader: Reads the state at the end of the span. Where a value differs at its two ends, some object on
  ///   the way from the row to the value has changed that is reached by the same links at both, so the way back from it
  ///   can be walked at either.
  init(_ watches: WatchTable, reader: Reader) {
    self.reader = reader
    self.watches = watches
  }

  /// Takes a commit in.
  mutating func take(_ commit: CommitView) throws {
    guard !commit.header.isModel else { return }
    let position = commit.header.position
    try commit.events.forEachTouch(in: reader.model) { try take($0, of: position) }
  }

  /// Takes the change of one object in.
  ///
  /// - Parameter position: The commit that made it; nil for an edit that is not committed.
  mutating func take(_ touch: Touch, of position: Position?) throws {
    guard let ways = watches.waysBack[touch.trigger] else { return }
    for way in ways {
      // Mostly it is the row itself, which needs no list.
      if way.isEmpty {
        add(touch.object, position)
        continue
      }
      for id in try reader.objects(along: way, from: touch.object) { add(id, position) }
    }
  }

  private mutating func add(_ id: ObjectID, _ position: Position?) {
    if let position, candidates[id]?.last == position { return }
    candidates[id, default: []] += position.map { [$0] } ?? []
  }
}
