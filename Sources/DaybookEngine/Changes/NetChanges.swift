import DaybookDiff
import DaybookModel
import DaybookQuery

/// A request's rows that a span of commits may have changed, with their states at both ends.
package struct NetChanges {
  package struct Row {
    package let id: ObjectID
    let old: RowState?
    let new: RowState?
    /// The commits that touched something the row reaches, in ascending order.
    package let causes: [Position]
    /// Whether the row's place in the order or its presence in the result differs.
    let isMoved: Bool
    /// Whether the row moved, or any of its values that the request shows or filters by differs.
    package let isChanged: Bool
  }

  package let rows: [Row]

  /// The rows that move, with their places at both ends.
  package var moves: [RowMove] { rows.lazy.filter(\.isMoved).map { RowMove(old: $0.old, new: $0.new) } }

  /// The moves from the end of the span to its beginning.
  package var movesBack: [RowMove] { moves.map(\.inverse) }

  /// Finds the rows that the commits of a span may have changed, and reads them at both ends.
  ///
  /// - Parameters:
  ///   - dependents: The dependents of the request.
  ///   - new: Reads the state after `last`.
  ///   - limit: The largest size of former records that are kept, in bytes.
  ///   - old: Returns a reader of the state before `first`; `nil` for the empty state before the model. Called only if
  ///     the events of the span do not show what the rows were before.
  /// - Throws: The errors of `old`; `SpanTooLarge`; `StoreError` with the code `damaged`.
  package init(
    _ request: ResolvedRequest, _ dependents: RequestDependents, from first: Position, through last: Position,
    in journal: some Journal, new: Reader, limitInBytes limit: Int = .max, old: () throws -> Reader?
  ) throws {
    var collector = CandidateCollector(dependents, reader: new)
    var former: FormerRecords?
    let entity = request.entity
    if first == last, dependents.readOnlyOwnRecords {
      former = try journal.withCommit(at: first) { commit in
        try collector.take(commit)
        guard !collector.candidates.isEmpty else { return nil }
        return try FormerRecords(ofEntity: entity, before: commit, in: new, limitInBytes: limit)
      }
    } else {
      try journal.forEachCommit(from: first, through: last) { commit in
        try collector.take(commit)
        return true
      }
    }
    if collector.candidates.isEmpty {
      try self.init(request, [:], old: nil, new: nil)
    } else if let former {
      let side = RowSide(request, new)
      try self.init(request, collector.candidates, old: RowSide(request, new, former), new: side)
    } else {
      try self.init(request, candidates: collector.candidates, old: old(), new: new)
    }
  }

  /// - Parameters:
  ///   - candidates: Rows that may have changed, with the commits that touched them.
  ///   - old: Reads the old state; `nil` for the empty state before the model.
  ///   - new: Reads the new state; `nil` for the empty state.
  package init(_ request: ResolvedRequest, candidates: [ObjectID: [Position]], old: Reader?, new: Reader?) throws {
    try self.init(
      request, candidates, old: old.map { RowSide(request, $0) }, new: new.map { RowSide(request, $0) })
  }

  private init(
    _ request: ResolvedRequest, _ candidates: [ObjectID: [Position]], old: consuming RowSide?, new: consuming RowSide?
  ) throws {
    var rows: [Row] = []
    rows.reserveCapacity(candidates.count)
    var (old, new) = (old, new)
    for (id, causes) in candidates {
      let before = try old?.state(of: id)
      let after = try new?.state(of: id)
      if before == nil, after == nil { continue }
      let isMoved = before?.key != after?.key
      var isChanged = isMoved
      // The other values are read only if the keys are equal.
      if !isMoved { isChanged = try request.differs(id, old: &old, new: &new) }
      rows.append(
        Row(id: id, old: before, new: after, causes: causes, isMoved: isMoved, isChanged: isChanged))
    }
    self.rows = rows
  }
}

/// Reads rows at one end of a span.
@safe
private struct RowSide {
  private let request: ResolvedRequest
  private let reader: Reader
  /// The records before the commit that the reader has read, if this is the side before it.
  private let former: FormerRecords?
  private var maker: SortedKeyMaker

  init(_ request: ResolvedRequest, _ reader: Reader, _ former: FormerRecords? = nil) {
    self.request = request
    self.reader = reader
    self.former = former
    maker = SortedKeyMaker(request, reader: reader)
  }

  /// Returns the place of a row, of which values can be read afterwards.
  mutating func state(of id: ObjectID) throws -> RowState? {
    let object = ObjectKey(entity: request.entity, id: id)
    let record = try unsafe former?.unsafeRecord(of: id) ?? reader.unsafeRecord(of: object)?.unsafeBytes ?? .none
    return try unsafe RowState(of: object, record, request, &maker)
  }

  /// Returns a value of the row that was read last.
  mutating func value(of path: ResolvedPath, from object: ObjectKey) throws -> Value {
    try path.value(of: object, in: &maker.source)
  }

  /// Returns the values of the row that was read last at the end of a path.
  mutating func values(of path: ResolvedPath, from object: ObjectKey) throws -> [Value] {
    try path.values(of: object, in: &maker.source)
  }
}

/// Finds the rows that commits may have changed.
package struct CandidateCollector {
  private let reader: Reader
  private let dependents: RequestDependents
  package private(set) var candidates: [ObjectID: [Position]] = [:]

  /// - Parameter reader: Reads the state at the end of the span. If a value differs between the two ends of the span,
  ///   some changed object on the way from the row to the value is reached by the same links at both ends, so the
  ///   inverse path can be followed from this object at either end.
  package init(_ dependents: RequestDependents, reader: Reader) {
    self.reader = reader
    self.dependents = dependents
  }

  /// Adds the rows that a commit may have changed.
  mutating func take(_ commit: CommitView) throws {
    guard !commit.header.isModel else { return }
    let position = commit.header.position
    try commit.events.forEachChange(in: reader.model) { try take($0, of: position) }
  }

  /// Adds the rows that the change of one object may have changed.
  ///
  /// - Parameter position: The commit that made the change; `nil` for an edit that is not committed.
  package mutating func take(_ change: ObjectChange, of position: Position?) throws {
    guard let inversePaths = dependents.inversePaths[change.trigger] else { return }
    for inversePath in inversePaths {
      // An empty path means that the object is the row itself, so no list is needed.
      if inversePath.isEmpty {
        add(change.object, position)
        continue
      }
      for id in try reader.objects(along: inversePath, from: change.object) { add(id, position) }
    }
  }

  private mutating func add(_ id: ObjectID, _ position: Position?) {
    if let position, candidates[id]?.last == position { return }
    candidates[id, default: []] += position.map { [$0] } ?? []
  }
}

extension NetChanges {
  /// Returns the difference and its causes, computed with the ranks of the rows.
  ///
  /// - Parameters:
  ///   - keys: The rows at the end of the span.
  ///   - reader: Reads the position of the keys' base.
  package func difference(
    endingAt keys: RankedKeys, in reader: Reader
  ) throws -> (difference: Difference<ObjectID>, causes: [ObjectID: [Position]]) {
    var computation = DifferenceComputation(
      self, old: try RankedWindow(keys.applying(movesBack), in: reader), new: try RankedWindow(keys, in: reader))
    return try computation.run()
  }
}

private extension ResolvedRequest {
  /// Returns whether a row's values that are shown or filtered by differ between two sides, which have read the row.
  func differs(_ id: ObjectID, old: inout RowSide?, new: inout RowSide?) throws -> Bool {
    let object = ObjectKey(entity: entity, id: id)
    for path in statePaths {
      let isDifferent =
        path.isMany
        ? try old?.values(of: path, from: object) != new?.values(of: path, from: object)
        : try old?.value(of: path, from: object) != new?.value(of: path, from: object)
      if isDifferent { return true }
    }
    return false
  }
}
