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
  /// The keys of the rows, and what finds the keys of others in the new state, if the rows are groups.
  private var groups: (keys: [ObjectID: [Value]], others: (ObjectID) throws -> [Value]?)?

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
        return try FormerRecords(
          ofEntity: entity, before: commit.header, commit.eventBytes, in: new, limitInBytes: limit)
      }
    } else {
      try journal.forEachCommit(from: first, through: last) { commit in
        try collector.take(commit)
        return true
      }
    }
    if collector.candidates.isEmpty {
      self.init(rows: [])
    } else if let former {
      try self.init(
        request, collector.candidates, old: RowRecords(reader: new, former: former), new: RowRecords(reader: new))
    } else {
      try self.init(request, candidates: collector.candidates, old: old(), new: new)
    }
  }

  /// - Parameters:
  ///   - candidates: Rows that may have changed, with the commits that touched them.
  ///   - earlier: The request at the time of the old state, if its result depends on the time.
  ///   - old: Reads the old state; `nil` for the empty state before the model.
  ///   - new: Reads the new state; `nil` for the empty state.
  package init(
    _ request: ResolvedRequest, candidates: [ObjectID: [Position]], from earlier: ResolvedRequest? = nil, old: Reader?,
    new: Reader?
  ) throws {
    try self.init(
      request, candidates, from: earlier, old: old.map { RowRecords(reader: $0) },
      new: new.map { RowRecords(reader: $0) })
  }

  private init(
    _ request: ResolvedRequest, _ candidates: [ObjectID: [Position]], from earlier: ResolvedRequest? = nil,
    old: RowRecords?, new: RowRecords?
  ) throws {
    var rows: [Row] = []
    rows.reserveCapacity(candidates.count)
    var oldMaker = old.map { SortedKeyMaker(request, reader: $0.reader) }
    var newMaker = new.map { SortedKeyMaker(request, reader: $0.reader) }
    for (id, causes) in candidates {
      let before = try old?.state(of: id, earlier ?? request, &oldMaker)
      let after = try new?.state(of: id, request, &newMaker)
      if let row = try Row(of: id, request, before, after, causes: causes, old: &oldMaker, new: &newMaker) {
        rows.append(row)
      }
    }
    self.rows = rows
  }

  init(rows: [Row]) { self.rows = rows }

  /// Returns the changes of rows that are groups, with their keys.
  ///
  /// - Parameter others: Returns the key of any group in the new state, as long as the groups are not moved.
  consuming func named(
    _ keys: [ObjectID: [Value]], others: @escaping (ObjectID) throws -> [Value]?
  ) -> NetChanges {
    groups = (keys, others)
    return self
  }

  /// Returns the key of a row in a difference, if the rows are groups.
  ///
  /// A group that only crossed the edge of a window is no net change; it is in the new state.
  package func key(of id: ObjectID) throws -> [Value]? {
    guard let groups else { return nil }
    if let key = groups.keys[id] { return key }
    return try groups.others(id)
  }
}

extension NetChanges.Row {
  /// Compares a row at both ends; `nil` if it is in the result at neither.
  ///
  /// - Parameters:
  ///   - old: The maker that has read the row in the old state; `nil` for the empty state.
  ///   - new: The maker that has read the row in the new state; `nil` for the empty state.
  init?(
    of id: ObjectID, _ request: ResolvedRequest, _ before: RowState?, _ after: RowState?, causes: [Position],
    old: inout SortedKeyMaker?, new: inout SortedKeyMaker?
  ) throws {
    if before == nil, after == nil { return nil }
    let isMoved = before?.key != after?.key
    // The other values are read only if the keys are equal.
    let isChanged = try isMoved || request.differs(id, old: &old, new: &new)
    self.init(id: id, old: before, new: after, causes: causes, isMoved: isMoved, isChanged: isChanged)
  }
}

/// The records of rows at one end of a span.
@safe
private struct RowRecords {
  let reader: Reader
  /// The records before the commit that the reader has read, if this is the side before it.
  var former: FormerRecords?

  /// Returns the place of a row, of which the maker can read values afterwards.
  func state(of id: ObjectID, _ request: ResolvedRequest, _ maker: inout SortedKeyMaker?) throws -> RowState? {
    let object = ObjectKey(entity: request.entity, id: id)
    let record = try unsafe former?.unsafeRecord(of: id) ?? reader.unsafeRecord(of: object)?.unsafeBytes ?? .none
    return try unsafe maker?.state(of: object, record, request)
  }
}

private extension SortedKeyMaker {
  /// Returns a value of the row that was read last.
  mutating func value(of path: ResolvedPath, from object: ObjectKey) throws -> Value {
    try path.value(of: object, in: &source)
  }

  /// Returns the values of the row that was read last at the end of a path.
  mutating func values(of path: ResolvedPath, from object: ObjectKey) throws -> [Value] {
    try path.values(of: object, in: &source)
  }
}

/// Finds the rows that commits may have changed.
package struct CandidateCollector {
  private let reader: Reader
  private let dependents: RequestDependents
  package private(set) var candidates: [ObjectID: [Position]] = [:]
  /// What the commit that was taken last has passed.
  private var walk: InverseWalk
  private var last: Position?

  /// - Parameter reader: Reads the state at the end of the span. If a value differs between the two ends of the span,
  ///   some changed object on the way from the row to the value is reached by the same links at both ends, so the
  ///   inverse path can be followed from this object at either end.
  package init(_ dependents: RequestDependents, reader: Reader) {
    self.reader = reader
    self.dependents = dependents
    walk = InverseWalk(reader)
  }

  /// Adds the rows that a commit may have changed.
  package mutating func take(_ commit: CommitView) throws {
    let position = commit.header.position
    try commit.events.forEachChange(in: reader.model) { try take($0, of: position) }
  }

  /// Adds the rows that the change of one object may have changed.
  ///
  /// - Parameter position: The commit that made the change; `nil` for an edit that is not committed.
  package mutating func take(_ change: ObjectChange, of position: Position?) throws {
    guard let inversePaths = dependents.inversePaths[change.trigger] else { return }
    // Each row has each commit that leads to it.
    if position != last { walk = InverseWalk(reader) }
    last = position
    for inversePath in inversePaths {
      // An empty path means that the object is the row itself, so no list is needed.
      if inversePath.isEmpty {
        add(change.object, position)
        continue
      }
      for id in try walk.objects(along: inversePath, from: change.object) { add(id, position) }
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
  ///   - reader: Reads the position of the keys' base; `nil` only if the base stores its keys.
  package func difference(
    endingAt keys: RankedKeys, in reader: Reader?
  ) throws -> (difference: Difference<ObjectID>, causes: [ObjectID: [Position]]) {
    if let only = try changeOfOnlyRow(endingAt: keys, in: reader) { return only }
    var computation = DifferenceComputation(
      self, old: try RankedWindow(keys.applying(movesBack), in: reader), new: try RankedWindow(keys, in: reader))
    return try computation.run()
  }
}

private extension NetChanges {
  /// Returns the difference of a span that changed one row, or `nil` if it changed others or the request has sections or a
  /// window.
  ///
  /// Most commits change one row of a result: its old rank follows from the new ranks without a delta.
  func changeOfOnlyRow(
    endingAt keys: RankedKeys, in reader: Reader?
  ) throws -> (difference: Difference<ObjectID>, causes: [ObjectID: [Position]])? {
    guard rows.count == 1, rows[0].isChanged, keys.request.section == nil, !keys.request.isWindowed else { return nil }
    let row = rows[0]
    let to = try row.new.map { RowPath(section: 0, row: try keys.rank(of: $0.key.bytes, in: reader)) }
    let (from, alteration): (RowPath?, Alteration)
    switch (row.old, row.new) {
    case (_?, _?) where !row.isMoved: (from, alteration) = (to, .values)
    case (let old?, let new?):
      let rank = try keys.rank(of: old.key.bytes, in: reader)
      (from, alteration) = (RowPath(section: 0, row: new.key < old.key ? rank - 1 : rank), .keys)
    case (let old?, nil):
      (from, alteration) = (RowPath(section: 0, row: try keys.rank(of: old.key.bytes, in: reader)), .nothing)
    case (nil, _?): (from, alteration) = (nil, .nothing)
    case (nil, nil): return nil
    }
    if let difference = Difference(ofOnlyRow: row.id, from: from, to: to, alteration) {
      return (difference, difference.rows.isEmpty ? [:] : [row.id: row.causes])
    }
    // The builder reports what is wrong.
    var builder = DifferenceBuilder<ObjectID>()
    builder.add(row.id, from: from, to: to, alteration)
    return (try builder.build(), [row.id: row.causes])
  }
}

private extension ResolvedRequest {
  /// Returns whether a row's values that are shown or filtered by differ between two makers, which have read the row.
  func differs(_ id: ObjectID, old: inout SortedKeyMaker?, new: inout SortedKeyMaker?) throws -> Bool {
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
