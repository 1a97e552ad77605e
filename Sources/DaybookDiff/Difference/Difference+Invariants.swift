extension Difference {
  /// Checks the invariants of every difference.
  ///
  /// The changes must be in order, no row may occur twice, and no path or section index may be used twice in the same
  /// list.
  ///
  /// - Throws: ``DifferenceError`` with the code `badDifference` and the first fault.
  /// - Complexity: O(*k* log *k*) for *k* changes.
  package func checkInvariants() throws {
    try checkOrder()
    try checkIDs()
    try checkPaths()
  }

  /// Checks that this is a difference between two lists, except for the rows' state.
  ///
  /// The state of rows is not checked, because lists of ids do not contain it.
  ///
  /// - Throws: ``DifferenceError`` with the code `badDifference` or `mismatch` and the first fault.
  /// - Complexity: O(*n*) for *n* rows of both lists.
  package func checkInvariants(old: SectionedIDs<RowID>, new: SectionedIDs<RowID>) throws {
    // Once the result is right and no id is reported twice, a row of one list only is a delete or an insert, and a row
    // of another section a move: no other change could have placed it there.
    let result = try old.applying(self)
    guard result == new else {
      throw DifferenceError(.mismatch, "The difference leads to \(result), not to \(new).")
    }
    try checkSurvivingSections(old: old, new: new)
  }

  /// Checks that no section of both lists is reported, unless the order of sections differs.
  ///
  /// In that case a delete and an insert are the only way to express the new order.
  private func checkSurvivingSections(old: SectionedIDs<RowID>, new: SectionedIDs<RowID>) throws(DifferenceError) {
    let deleted = Set(sections.lazy.filter(\.isDelete).map { SectionName($0.name) })
    guard let twice = sections.first(where: { !$0.isDelete && deleted.contains(SectionName($0.name)) }) else { return }
    let oldNames = old.sections.map { SectionName($0.name) }
    let newNames = new.sections.map { SectionName($0.name) }
    let (inOld, inNew) = (Set(oldNames), Set(newNames))
    if oldNames.filter(inNew.contains) == newNames.filter(inOld.contains) {
      throw DifferenceError(
        .badDifference, "Section \(twice.name.debugDescription) is in both lists and must not be reported.")
    }
  }

  private func checkOrder() throws(DifferenceError) {
    for (a, b) in zip(sections, sections.dropFirst()) where !SectionChange.precedes(a, b) {
      throw DifferenceError(.badDifference, "\(a) and \(b) are not in order, or of the same section.")
    }
    for (a, b) in zip(rows, rows.dropFirst()) where !RowChange.precedes(a, b) {
      throw DifferenceError(.badDifference, "\(a) and \(b) are not in order, or have the same path.")
    }
  }

  private func checkIDs() throws(DifferenceError) {
    var seen: Set<RowID> = []
    seen.reserveCapacity(rows.count)
    for row in rows where !seen.insert(row.id).inserted {
      throw DifferenceError(.badDifference, "Row \(row.id) is reported twice.")
    }
  }

  private func checkPaths() throws(DifferenceError) {
    try Difference.check(rows.compactMap(\.from), in: "old")
    try Difference.check(rows.compactMap(\.to), in: "new")
    if let section = sections.first(where: { $0.index < 0 }) {
      throw DifferenceError(.badDifference, "\(section) has a negative index.")
    }
  }

  private static func check(_ paths: [RowPath], in list: String) throws(DifferenceError) {
    let sorted = paths.sorted()
    for (a, b) in zip(sorted, sorted.dropFirst()) where a == b {
      throw DifferenceError(.badDifference, "The \(list) path \(a) is used twice.")
    }
    if let path = paths.first(where: { $0.section < 0 || $0.row < 0 }) {
      throw DifferenceError(.badDifference, "The \(list) path \(path) is negative.")
    }
  }
}
