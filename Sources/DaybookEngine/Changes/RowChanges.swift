import DaybookModel
import DaybookQuery

/// What a span of commits changed that the rows of a request are read from: the rows themselves, or the objects of groups.
package enum RowChanges {
  case rows(NetChanges)
  case groups(GroupChanges)

  /// What the first model changes in groups: a group without keys is there from then on.
  package static var appearance: RowChanges { .groups(GroupChanges(changes: [], isFromNothing: true)) }

  /// Finds the rows or the objects that the commits of a span may have changed, and reads them at both ends.
  ///
  /// - Parameters: As of `NetChanges`.
  /// - Throws: The errors of `old`; `SpanTooLarge`; `StoreError` with the code `damaged`.
  package init(
    _ request: ResolvedRequest, _ dependents: RequestDependents, from first: Position, through last: Position,
    in journal: some Journal, new: Reader, limitInBytes limit: Int = .max, old: () throws -> Reader?
  ) throws {
    if request.grouping != nil {
      self = .groups(try GroupChanges(request, dependents, from: first, through: last, in: journal, new: new, old: old))
    } else {
      self = .rows(
        try NetChanges(
          request, dependents, from: first, through: last, in: journal, new: new, limitInBytes: limit, old: old))
    }
  }

  /// Finds the rows or the objects that a span may have changed, which other requests read too.
  package init(
    _ request: ResolvedRequest, _ dependents: RequestDependents, of span: SpanChanges, new: Reader,
    old: () throws -> Reader?
  ) throws {
    if request.grouping != nil {
      self = .groups(try GroupChanges(request, dependents, of: span, new: new, old: old))
    } else {
      self = .rows(try NetChanges(request, dependents, of: span, new: new, old: old))
    }
  }
}
