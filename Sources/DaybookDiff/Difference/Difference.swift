/// The section and row changes that lead from one result of a request to another.
///
///     for change in difference.rows {
///       if case .update(let id, _, let to) = change { show(id, at: to) }
///     }
///     shown = try shown.applying(difference)
///
/// Deletes and the `from` of moves and updates count in the old list; inserts and the `to` of moves and updates count
/// in the new one. Nothing is sequential. These are the rules:
///
/// - A section is reported if its name is in only one of the lists. It is never moved or renamed: a rename is a delete,
///   an insert and moves of its rows. Only where the request itself was changed, so that sections of both lists come in
///   another order, those that leave their place are a delete and an insert as well.
/// - A row that is only in the old list is a delete, also when its section goes with it; one that is only in the new
///   list is an insert, also when its section comes with it.
/// - A row in both lists whose section differs is a move, even if its two paths are equal.
/// - A row whose sort keys changed is a move if it must leave its place relative to the other surviving rows of its
///   section, and an update otherwise. As few rows as possible are moved, and no row whose keys did not change; of
///   several smallest sets, the rows with the smallest old paths stay.
/// - A row whose other state changed is an update. A row whose state is the same is not reported, though its path may
///   shift.
/// - No row is reported twice.
///
/// Applying always works: take the deleted rows and the sources of moves out of the old list; drop the deleted
/// sections, which are empty by then; add the inserted sections by rising index; add the inserted rows and the targets
/// of moves by rising `to`. ``SectionedIDs/applying(_:)`` does that.
///
/// The changes are always in this order: section deletes by falling index, section inserts by rising index; row deletes
/// by falling `from`, row inserts by rising `to`, moves by `from`, updates by `from`.
public struct Difference<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The sections that came and went, in order.
  public let sections: [SectionChange]
  /// What happened to the rows, in order.
  public let rows: [RowChange<ID>]

  /// A difference of changes in any order, for example as they were read from a message.
  ///
  /// What the changes say is trusted here; ``checkInvariants()`` and applying check it.
  ///
  /// - Complexity: O(*k* log *k*) for *k* changes.
  public init(sections: [SectionChange], rows: [RowChange<ID>]) {
    self.init(
      inOrder: sections.sorted(by: SectionChange.precedes), rows: rows.sorted(by: RowChange.precedes))
  }

  /// A difference of changes that are in order already.
  init(inOrder sections: [SectionChange], rows: [RowChange<ID>]) {
    self.sections = sections
    self.rows = rows
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { sections.isEmpty && rows.isEmpty }

  /// The difference back: it applies to the new list and gives the old one.
  ///
  /// It moves as few rows as this one. Where several smallest sets of moves exist, it may move others than the
  /// difference that is computed from the new list to the old one.
  ///
  /// - Complexity: O(*k* log *k*) for *k* changes.
  public var inverted: Difference {
    Difference(sections: sections.map(\.inverted), rows: rows.map(\.inverted))
  }
}

extension Difference: CustomStringConvertible {
  public var description: String {
    "[" + (sections.map(\.description) + rows.map(\.description)).joined(separator: ", ") + "]"
  }
}
