import DaybookDiff
import DaybookModel
import DaybookRuntime

/// The rows of results that are kept in their places, for example during an edit.
struct FrozenOrder {
  /// The rows in their kept places, or `nil` while the order is not frozen.
  private(set) var ids: SectionedIDs<ObjectID>?
  /// Whether new rows are shown at the end while the order is frozen; else they wait.
  private var appendsNewRows = false

  /// Keeps rows in their present places. An order that is already frozen stays.
  mutating func freeze(appendingNewRows: Bool = false, _ shown: () throws -> SectionedIDs<ObjectID>) rethrows {
    guard ids == nil else { return }
    ids = try shown()
    appendsNewRows = appendingNewRows
  }

  /// Thaws the order without computing a difference.
  mutating func forget() { ids = nil }

  /// Thaws the order: the rows move to their true places.
  ///
  /// - Parameters:
  ///   - target: Returns the rows in their true places.
  ///   - keys: Returns the key of a row that is a group.
  /// - Returns: The moves and inserts that waited, or `nil` if none waited.
  mutating func thaw(
    at position: Position, to target: () throws -> SectionedIDs<ObjectID>, keys: (ObjectID) throws -> [Value]?
  ) throws -> ResultsChange? {
    guard let ids else { return nil }
    let difference = try Difference(from: ids, to: target()) { _ in .order }
    var named: [ObjectID: [Value]] = [:]
    for row in difference.rows { named[row.id] = try keys(row.id) }
    self.ids = nil
    return difference.isEmpty
      ? nil : ResultsChange(from: position, to: position, difference: difference, keys: named)
  }

  /// Returns the visible part of a change, or `nil` if nothing is visible.
  ///
  /// A reset thaws the order.
  mutating func take(_ change: ResultsChange, isSectioned: Bool) throws -> ResultsChange? {
    guard let ids else { return change }
    if change.isReset {
      self.ids = nil
      return change
    }
    let (shown, visible) = try ids.frozen(
      change, isSectioned: isSectioned, appendsNewRows: appendsNewRows && !isSectioned)
    self.ids = shown
    return visible.isEmpty ? nil : visible
  }
}

private extension SectionedIDs<ObjectID> {
  /// Returns the effect of a change on rows that keep their places.
  func frozen(
    _ change: ResultsChange, isSectioned: Bool, appendsNewRows: Bool
  ) throws -> (shown: Self, visible: ResultsChange) {
    var deleted: Set<ObjectID> = []
    var updated: Set<ObjectID> = []
    var inserted: [ObjectID] = []
    for row in change.difference.rows {
      switch row {
      case .delete(let id, _): deleted.insert(id)
      case .move(let id, _, _), .update(let id, _, _): updated.insert(id)
      // The row may have left the result while the order was frozen, and returned.
      case .insert(let id, _):
        updated.insert(id)
        inserted.append(id)
      }
    }
    var kept = sections.map { ListSection(name: $0.name, rows: $0.rows.filter { !deleted.contains($0) }) }
    if appendsNewRows, let last = kept.last {
      let known = Set(last.rows)
      kept[kept.count - 1] = ListSection(name: last.name, rows: last.rows + inserted.filter { !known.contains($0) })
    }
    let shown = SectionedIDs(sections: isSectioned ? kept.filter { !$0.rows.isEmpty } : kept)
    let difference = try Difference(from: self, to: shown) { updated.contains($0) ? .values : .nothing }
    return (
      shown,
      ResultsChange(
        from: change.from, to: change.to, difference: difference, causes: change.causes, keys: change.keys
      ).stamped(change.stamp, at: change.time)
    )
  }
}
