/// A difference for list views that refuse moves out of deleted sections or into inserted ones.
///
///     let plan = difference.viewPlan
///     view.performBatchUpdates {
///       for change in plan.sections { ... }
///       for change in plan.rows { ... }
///     }
///
/// Such a move is a delete and an insert here, and the rows inside deleted and inserted sections are left out: they go
/// and come with their section, whose rows the view asks for by itself. So a row may be both deleted and inserted.
/// Paths count as in the difference: deletes, and the `from` of moves and updates, in the old list; the others in the
/// new one.
///
/// A move implies an update here too; a view that only moves the cell shows it again at `to` afterwards.
public struct ViewPlan<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The sections that came and went, in the difference's order.
  public let sections: [SectionChange]
  /// What happened to the rows that do not come or go with a section, in the difference's order.
  public let rows: [RowChange<ID>]

  /// Whether there is nothing to do.
  public var isEmpty: Bool { sections.isEmpty && rows.isEmpty }
}

extension Difference {
  /// This difference for list views that refuse moves out of deleted sections or into inserted ones.
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
