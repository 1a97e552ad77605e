import DaybookDiff
import DaybookModel

/// The rows of results that are kept in their places while somebody edits.
struct HeldOrder {
  /// The rows where they are kept; nil while the order is not held.
  private(set) var ids: SectionedIDs<ObjectID>?

  /// Keeps rows where they are now. Those that are kept already stay so.
  mutating func hold(_ shown: () throws -> SectionedIDs<ObjectID>) rethrows {
    if ids == nil { ids = try shown() }
  }

  /// Forgets where rows were kept.
  mutating func forget() { ids = nil }

  /// Lets the rows go to where they belong.
  ///
  /// - Returns: The moves and inserts that waited; nil if there are none.
  mutating func release(
    at position: Position, to target: () throws -> SectionedIDs<ObjectID>
  ) throws -> ResultsChange? {
    guard let ids else { return nil }
    let difference = try Difference(from: ids, to: target()) { _ in .order }
    self.ids = nil
    return difference.isEmpty ? nil : ResultsChange(from: position, to: position, difference: difference)
  }

  /// What is to be seen of a change; nil if that is nothing. A reset ends the holding.
  mutating func take(_ change: ResultsChange, isSectioned: Bool) throws -> ResultsChange? {
    guard let ids else { return change }
    if change.isReset {
      self.ids = nil
      return change
    }
    let (shown, visible) = try ids.holding(change, isSectioned: isSectioned)
    self.ids = shown
    return visible.isEmpty ? nil : visible
  }
}

extension SectionedIDs<ObjectID> {
  /// What a change does to rows that keep their places.
  fileprivate func holding(
    _ change: ResultsChange, isSectioned: Bool
  ) throws -> (shown: Self, visible: ResultsChange) {
    var deleted: Set<ObjectID> = []
    var updated: Set<ObjectID> = []
    for row in change.difference.rows {
      switch row {
      case .delete(let id, _): deleted.insert(id)
      case .move(let id, _, _), .update(let id, _, _): updated.insert(id)
      // It may be one that went while the order was held, and is back.
      case .insert(let id, _): updated.insert(id)
      }
    }
    let kept = sections.map { Section(name: $0.name, ids: $0.ids.filter { !deleted.contains($0) }) }
    let shown = SectionedIDs(sections: isSectioned ? kept.filter { !$0.ids.isEmpty } : kept)
    let difference = try Difference(from: self, to: shown) { updated.contains($0) ? .values : .nothing }
    return (shown, ResultsChange(from: change.from, to: change.to, difference: difference, causes: change.causes))
  }
}
