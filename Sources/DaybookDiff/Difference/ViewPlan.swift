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
