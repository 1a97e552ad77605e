/// The section and row changes that lead from one result of a request to another.
///
///     for change in difference.rows {
///       if case .update(let id, _, let to) = change { show(id, at: to) }
///     }
///     shown = try shown.applying(difference)
///
/// Deletes and the `from` of moves and updates count in the old list; inserts and the `to` of moves and updates count
/// in the new one. No path depends on another change. These are the rules:
///
/// - A section is reported if its name is in only one of the lists. It is never moved or renamed: a rename is a delete,
///   an insert and moves of its rows. Only if the request itself was changed, so that sections of both lists have
///   another order, the sections that leave their place are a delete and an insert as well.
/// - A row that is only in the old list is a delete, even if its section is deleted with it; a row that is only in the
///   new list is an insert, even if its section is inserted with it.
/// - A row in both lists whose section differs is a move, even if its two paths are equal.
/// - A row whose sort keys changed is a move if it must leave its place relative to the other surviving rows of its
///   section, and an update otherwise. As few rows as possible are moved, and no row whose keys did not change; of
///   several smallest sets, the rows with the smallest old paths stay.
/// - A row whose other state changed is an update. A row whose state is the same is not reported, though its path may
///   shift.
/// - No row is reported twice.
///
/// A difference can always be applied in these steps: remove the deleted rows and the sources of moves from the old
/// list; remove the deleted sections, which are empty by then; add the inserted sections by ascending index; add the
/// inserted rows and the targets of moves by ascending `to`. ``SectionedIDs/applying(_:)`` does this.
///
/// The changes are always in this order: section deletes by descending index, section inserts by ascending index; row
/// deletes by descending `from`, row inserts by ascending `to`, moves by `from`, updates by `from`.
public struct Difference<RowID: Hashable & Sendable>: Hashable, Sendable {
  /// The deleted and inserted sections, in order.
  public let sections: [SectionChange]
  /// The changes of the rows, in order.
  public let rows: [RowChange<RowID>]

  /// Creates a difference from changes in any order, for example from a message.
  ///
  /// The changes are not checked here; applying checks them.
  ///
  /// - Complexity: O(*k* log *k*) for *k* changes.
  public init(sections: [SectionChange], rows: [RowChange<RowID>]) {
    self.init(
      inOrder: sections.sorted(by: SectionChange.precedes), rows: rows.sorted(by: RowChange.precedes))
  }

  /// Creates a difference from changes that are already in order.
  @inlinable
  package init(inOrder sections: [SectionChange], rows: [RowChange<RowID>]) {
    self.sections = sections
    self.rows = rows
  }

  /// Whether the difference contains no changes.
  @inlinable
  public var isEmpty: Bool { sections.isEmpty && rows.isEmpty }

  /// The inverse difference: it applies to the new list and produces the old one.
  ///
  /// It moves as few rows as this one. If several smallest sets of moves exist, it may move other rows than the
  /// difference that is computed from the new list to the old one.
  ///
  /// - Complexity: O(*k* log *k*) for *k* changes.
  package var inverted: Difference {
    Difference(sections: sections.map(\.inverted), rows: rows.map(\.inverted))
  }
}

extension Difference: CustomStringConvertible {
  public var description: String {
    "[" + (sections.map(\.description) + rows.map(\.description)).joined(separator: ", ") + "]"
  }
}

extension Difference {
  /// This difference for list views that refuse moves out of deleted or into inserted sections.
  ///
  ///     let plan = difference.viewPlan
  ///     view.performBatchUpdates {
  ///       for change in plan.sections { ... }
  ///       for change in plan.rows { ... }
  ///     }
  ///
  /// Such a move is a delete or an insert here, and the rows inside deleted and inserted sections are omitted: the view
  /// deletes and requests them together with their section. So the plan is for views alone: applied to ``SectionedIDs``,
  /// it would leave deleted sections with rows.
  ///
  /// A move implies an update here too; a view that only moves the cell must then display it again at `to`.
  ///
  /// - Complexity: O(*k* log *k*) for *k* changes.
  public var viewPlan: Difference {
    if sections.isEmpty { return self }
    let deleted = Set(sections.lazy.filter(\.isDelete).map(\.index))
    let inserted = Set(sections.lazy.filter { !$0.isDelete }.map(\.index))
    let split = rows.flatMap { change -> [RowChange<RowID>] in
      switch change {
      case .delete(_, let from) where deleted.contains(from.section): []
      case .insert(_, let to) where inserted.contains(to.section): []
      case .move(let id, let from, let to):
        switch (deleted.contains(from.section), inserted.contains(to.section)) {
        case (true, true): []
        case (true, false): [.insert(id, to: to)]
        case (false, true): [.delete(id, from: from)]
        case (false, false): [change]
        }
      case .delete, .insert, .update: [change]
      }
    }
    return Difference(inOrder: sections, rows: split.sorted(by: RowChange.precedes))
  }
}

extension Difference {
  /// The standard library's form of this difference, or `nil` for a result with sections.
  ///
  ///     var shown = [1, 2, 3]
  ///     if let changes = difference.collectionDifference, let result = shown.applying(changes) { shown = result }
  ///
  /// A move is a removal and an insertion that are associated with each other. Updates are omitted: a collection of ids
  /// is the same before and after them.
  ///
  /// - Complexity: O(*k* log *k*) for *k* changes.
  package var collectionDifference: CollectionDifference<RowID>? {
    guard sections.isEmpty else { return nil }
    var changes: [CollectionDifference<RowID>.Change] = []
    for row in rows {
      guard row.from?.section ?? 0 == 0, row.to?.section ?? 0 == 0 else { return nil }
      switch row {
      case .delete(let id, let from):
        changes.append(.remove(offset: from.row, element: id, associatedWith: nil))
      case .insert(let id, let to):
        changes.append(.insert(offset: to.row, element: id, associatedWith: nil))
      case .move(let id, let from, let to):
        changes.append(.remove(offset: from.row, element: id, associatedWith: to.row))
        changes.append(.insert(offset: to.row, element: id, associatedWith: from.row))
      case .update:
        continue
      }
    }
    return CollectionDifference(changes)
  }
}
