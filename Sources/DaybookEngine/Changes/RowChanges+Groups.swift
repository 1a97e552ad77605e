import DaybookModel
import DaybookQuery
import LMDB

/// What changes of objects do to the rows of groups, which follows from the records of the groups alone.
extension RowChanges {
  /// Returns what the changes did to rows, which stay.
  ///
  /// - Parameter groups: The groups after the changes, if the rows are groups.
  /// - Throws: As ``GroupState/move(by:_:)``.
  package func netChanges(_ request: ResolvedRequest, endingAt groups: GroupState?) throws -> NetChanges {
    switch self {
    case .rows(let net): return net
    case .groups(let changes):
      let groups = RowChanges.required(groups)
      let former = try groups.layer(across: changes, .backward)
      return try groups.netChanges(request, changes, before: former, after: nil)
    }
  }

  /// Returns what the changes do to rows, which stay.
  ///
  /// - Parameter groups: The groups before the changes, if the rows are groups.
  /// - Throws: As ``GroupState/move(by:_:)``.
  package func netChanges(_ request: ResolvedRequest, beginningAt groups: GroupState?) throws -> NetChanges {
    switch self {
    case .rows(let net): return net
    case .groups(let changes):
      let groups = RowChanges.required(groups)
      let later = try groups.layer(across: changes, .forward)
      return try groups.netChanges(request, changes, before: nil, after: later)
    }
  }

  /// Moves groups over the changes, if the rows are groups, and returns what the changes did to the rows.
  ///
  /// - Throws: As ``GroupState/move(by:_:)``; the groups must not be used afterwards.
  package func moving(
    _ groups: GroupState?, _ direction: GroupState.Direction, of request: ResolvedRequest
  ) throws -> NetChanges {
    switch self {
    case .rows(let net): return net
    case .groups(let changes):
      let groups = RowChanges.required(groups)
      let left = try groups.move(by: changes, direction)
      return try direction == .forward
        ? groups.netChanges(request, changes, before: left, after: nil)
        : groups.netChanges(request, changes, before: nil, after: left)
    }
  }

  private static func required(_ groups: GroupState?) -> GroupState {
    guard let groups else { preconditionFailure("Groups change in rows that are groups.") }
    return groups
  }
}

private extension GroupState {
  /// Returns what changes did to the groups of a request.
  ///
  /// - Parameters:
  ///   - before: The layer over the rows that leads to the state before the changes; `nil` if this state is it.
  ///   - after: The same for the state after them.
  func netChanges(
    _ request: ResolvedRequest, _ changes: GroupChanges, before: Layer?, after: Layer?
  ) throws -> NetChanges {
    var rows: [NetChanges.Row] = []
    var keys: [ObjectID: [Value]] = [:]
    var old: SortedKeyMaker? = SortedKeyMaker(request, readingRecordsOf: grouping.model)
    var new = old
    for (key, causes) in changes.causes(grouping) {
      let id = id(of: key)
      keys[id] = zip(grouping.keys, try GroupRow.values(of: key)).map { $0.shown($1) }
      let object = ObjectKey(entity: request.entity, id: id)
      let former = try unsafe old?.state(of: object, record(of: id, under: before), request)
      let present = try unsafe new?.state(of: object, record(of: id, under: after), request)
      if let row = try NetChanges.Row(
        of: id, request, former, present, causes: causes.sorted(), old: &old, new: &new)
      {
        rows.append(row)
      }
    }
    return NetChanges(rows: rows).named(keys) { try self.key(of: $0, under: after) }
  }

  /// Returns the key of a group as it is shown, or `nil` without such a group.
  private func key(of id: ObjectID, under layer: Layer?) throws -> [Value]? {
    let record = unsafe record(of: id, under: layer)
    guard unsafe !record.isNone else { return nil }
    let fields = try unsafe RecordView(record.unsafeSpan).fields
    return try grouping.keys.map { try FieldReader.field($0.tag, in: fields)?.value() ?? .null }
  }
}
