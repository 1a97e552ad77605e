extension Difference {
  /// Creates the difference of results that differ in one row and in no section, or returns `nil` for wrong facts.
  ///
  /// Most commits change one row, which needs no comparison with others. It is inlinable, because for a type of ids that
  /// the compiler does not know, looking up the types of the arrays takes longer than the rest.
  ///
  /// - Parameters:
  ///   - from: The row's path in the old result, or `nil` if it is not there.
  ///   - to: The row's path in the new result, or `nil` if it is not there.
  ///   - alteration: The change of a row that is in both.
  @inlinable
  package init?(ofOnlyRow id: RowID, from: RowPath?, to: RowPath?, _ alteration: Alteration) {
    if let from, !from.isValid { return nil }
    if let to, !to.isValid { return nil }
    switch (from, to) {
    case (nil, nil): return nil
    case (let from?, nil): self.init(inOrder: [], rows: [.delete(id, from: from)])
    case (nil, let to?): self.init(inOrder: [], rows: [.insert(id, to: to)])
    case (let from?, let to?):
      if from.section == to.section, from.row == to.row {
        self.init(inOrder: [], rows: alteration.isUpdate ? [.update(id, from: from, to: to)] : [])
      } else {
        guard from.section != to.section || alteration.mayMove else { return nil }
        self.init(inOrder: [], rows: [.move(id, from: from, to: to)])
      }
    }
  }
}
