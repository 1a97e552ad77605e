import DaybookModel
import DaybookQuery
import LMDB

/// Computes the changes of a request's rows, or of the objects of groups, by single commits from the commits' records
/// alone.
package struct OwnRecordChanges {
  private let request: ResolvedRequest
  /// The kinds of change on which a row depends, each a change of the row's own object.
  private let triggers: Set<Dependency.Trigger>
  private let readers: Readers

  /// What reads records; a copy reads one state.
  private enum Readers {
    case rows(SortedKeyMaker)
    case groups(GroupContributionReader)
  }

  /// - Returns: `nil` if rows of the request, or objects of groups, depend on anything but their own records.
  package init?(_ request: ResolvedRequest, _ dependents: RequestDependents, in model: ResolvedModel) {
    guard dependents.objectsReadOnlyOwnRecords,
      dependents.inversePaths.values.allSatisfy({ $0.allSatisfy(\.isEmpty) })
    else { return nil }
    self.request = request
    triggers = Set(dependents.inversePaths.keys)
    readers =
      request.grouping.map { .groups(GroupContributionReader($0, readingRecordsOf: model)) }
      ?? .rows(SortedKeyMaker(request, readingRecordsOf: model))
  }

  /// Returns what a commit changed.
  ///
  /// - Precondition: The commit was read by the model of the request.
  /// - Returns: `nil` if the records do not show it.
  package func changes(by commit: CommitChanges) throws -> RowChanges? {
    switch readers {
    case .rows(let maker): try rows(changedBy: commit, maker).map { .rows($0) }
    case .groups(let reader): try objects(changedBy: commit, reader).map { .groups($0) }
    }
  }

  private func rows(changedBy commit: CommitChanges, _ maker: SortedKeyMaker) throws -> NetChanges? {
    var rows: [NetChanges.Row] = []
    var (old, new): (SortedKeyMaker?, SortedKeyMaker?) = (maker, maker)
    let isShown = try forEachObject(changedBy: commit) { object, before, after in
      let before = try unsafe old?.state(of: object, before, request)
      let after = try unsafe new?.state(of: object, after, request)
      let row = try NetChanges.Row(
        of: object.id, request, before, after, causes: [commit.position], old: &old, new: &new)
      if let row { rows.append(row) }
    }
    return isShown ? NetChanges(rows: rows) : nil
  }

  private func objects(changedBy commit: CommitChanges, _ reader: GroupContributionReader) throws -> GroupChanges? {
    var changes: [GroupChanges.Change] = []
    var (old, new) = (reader, reader)
    let isShown = try forEachObject(changedBy: commit) { object, before, after in
      let before = try unsafe old.contribution(of: object, before)
      let after = try unsafe new.contribution(of: object, after)
      if before != after { changes.append(GroupChanges.Change(old: before, new: after, causes: [commit.position])) }
    }
    return isShown ? GroupChanges(changes: changes, isFromNothing: false) : nil
  }

  /// Calls a closure with each object that a commit may have changed in the result, and its records before and after it.
  ///
  /// - Returns: Whether the commit has all records.
  private func forEachObject(
    changedBy commit: CommitChanges, _ body: (ObjectKey, UnsafeBytes, UnsafeBytes) throws -> Void
  ) throws -> Bool {
    for (index, change) in commit.changes.enumerated() where triggers.contains(change.trigger) {
      let isSeen = commit.changes[..<index].contains {
        $0.object == change.object && triggers.contains($0.trigger)
      }
      if isSeen { continue }
      let object = ObjectKey(entity: request.objects.entity, id: change.object)
      guard let records = unsafe commit.unsafeRecords(of: object) else { return false }
      try unsafe body(object, records.before, records.after)
    }
    return true
  }
}
