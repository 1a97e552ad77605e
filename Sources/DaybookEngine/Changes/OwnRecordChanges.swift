import DaybookModel
import DaybookQuery

/// Computes the changes of a request's rows by single commits from the commits' records alone.
package struct OwnRecordChanges {
  private let request: ResolvedRequest
  /// The kinds of change on which a row depends, each a change of the row's own object.
  private let triggers: Set<Dependency.Trigger>
  private let maker: SortedKeyMaker

  /// - Returns: `nil` if rows of the request depend on anything but their own records.
  package init?(_ request: ResolvedRequest, _ dependents: RequestDependents, in model: ResolvedModel) {
    guard dependents.readOnlyOwnRecords, dependents.inversePaths.values.allSatisfy({ $0.allSatisfy(\.isEmpty) }) else {
      return nil
    }
    self.request = request
    triggers = Set(dependents.inversePaths.keys)
    maker = SortedKeyMaker(request, readingRecordsOf: model)
  }

  /// Returns what a commit changed.
  ///
  /// - Precondition: The commit was read by the model of the request.
  /// - Returns: `nil` if the records do not show it.
  package func changes(by commit: CommitChanges) throws -> NetChanges? {
    var rows: [NetChanges.Row] = []
    var (old, new): (SortedKeyMaker?, SortedKeyMaker?) = (maker, maker)
    for (index, change) in commit.changes.enumerated() where triggers.contains(change.trigger) {
      let isSeen = commit.changes[..<index].contains {
        $0.object == change.object && triggers.contains($0.trigger)
      }
      if isSeen { continue }
      let object = ObjectKey(entity: request.entity, id: change.object)
      guard let records = unsafe commit.unsafeRecords(of: object) else { return nil }
      let before = try unsafe old?.state(of: object, records.before, request)
      let after = try unsafe new?.state(of: object, records.after, request)
      let row = try NetChanges.Row(
        of: object.id, request, before, after, causes: [commit.position], old: &old, new: &new)
      if let row { rows.append(row) }
    }
    return NetChanges(rows: rows)
  }
}
