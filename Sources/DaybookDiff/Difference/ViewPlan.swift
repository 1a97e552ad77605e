/// A difference for list views that refuse moves out of deleted or into inserted sections.
///
///     let plan = difference.viewPlan
///     view.performBatchUpdates {
///       for change in plan.sections { ... }
///       for change in plan.rows { ... }
///     }
///
/// Such a move is a delete and an insert here, and the rows inside deleted and inserted sections are omitted: the view
/// deletes and requests them together with their section. So a row may be both deleted and inserted. Paths count as in
/// the difference: deletes, and the `from` of moves and updates, in the old list; the others in the new one.
///
/// A move implies an update here too; a view that only moves the cell must then display it again at `to`.
public struct ViewPlan<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The deleted and inserted sections, in the difference's order.
  public let sections: [SectionChange]
  /// The changes of rows outside deleted and inserted sections, in the difference's order.
  public let rows: [RowChange<ID>]

  /// Whether the plan contains no changes.
  public var isEmpty: Bool { sections.isEmpty && rows.isEmpty }
}

extension Difference {
  /// This difference for list views that refuse moves out of deleted or into inserted sections.
  ///
  /// - Complexity: O(*k* log *k*) for *k* changes.
  public var viewPlan: ViewPlan<ID> {
    if sections.isEmpty { return ViewPlan(sections: [], rows: rows) }
    let deleted = Set(sections.lazy.filter(\.isDelete).map(\.index))
    let inserted = Set(sections.lazy.filter { !$0.isDelete }.map(\.index))
    let split = rows.flatMap { change -> [RowChange<ID>] in
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
    return ViewPlan(sections: sections, rows: split.sorted(by: RowChange.precedes))
  }
}
