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
  public var collectionDifference: CollectionDifference<ID>? {
    guard sections.isEmpty else { return nil }
    var changes: [CollectionDifference<ID>.Change] = []
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
