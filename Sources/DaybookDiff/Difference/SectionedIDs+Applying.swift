extension SectionedIDs {
  /// Returns the list after a difference.
  ///
  ///     shown = try shown.applying(difference)
  ///
  /// All facts of the difference about this list and the result are checked: each row and section is at its place, no
  /// id and no section occurs twice, and no section is left empty. So the method detects a list at which the difference
  /// does not begin, if the changed rows show it.
  ///
  /// - Throws: ``DifferenceError`` with the code `badDifference` if the difference contradicts itself, `mismatch` if it
  ///   does not belong to this list.
  /// - Complexity: O(*k* log *k*) for *k* changes, plus the rows of the sections that rows leave or enter; O(*n*) for
  ///   *n* rows if rows are inserted.
  public func applying(_ difference: Difference<ID>) throws -> SectionedIDs {
    try difference.checkInvariants()
    try checkSources(of: difference)
    try checkNewcomers(of: difference)
    let emptied = removingRows(of: difference)
    let placed = try emptied.replacingSections(of: difference)
    let result = try placed.addingRows(of: difference)
    try result.checkTargets(of: difference)
    return result
  }

  private func checkSources(of difference: Difference<ID>) throws(DifferenceError) {
    for change in difference.rows {
      guard let from = change.from else { continue }
      let found = id(at: from)
      guard found == change.id else {
        throw DifferenceError(.mismatch, "\(change): the list has \(found.map { "row \($0)" } ?? "no row") there.")
      }
    }
  }

  /// Checks that no inserted row is in the list.
  ///
  /// Only this check takes time in proportion to the list.
  private func checkNewcomers(of difference: Difference<ID>) throws(DifferenceError) {
    let newcomers = Set(difference.rows.lazy.filter { $0.from == nil }.map(\.id))
    guard !newcomers.isEmpty else { return }
    for section in sections {
      for id in section.rows where newcomers.contains(id) {
        throw DifferenceError(.mismatch, "Row \(id) is inserted, but the list has it.")
      }
    }
  }

  private func removingRows(of difference: Difference<ID>) -> SectionedIDs {
    let leaving = difference.rows.compactMap { change -> RowPath? in
      if case .update = change { nil } else { change.from }
    }
    var result = sections
    for (index, paths) in leaving.sorted().groupedBySection(\.section) {
      let section = result[index]
      result[index] = ListSection(name: section.name, rows: section.rows.removing(at: paths.lazy.map(\.row)))
    }
    return SectionedIDs(sections: result)
  }

  private func replacingSections(of difference: Difference<ID>) throws(DifferenceError) -> SectionedIDs {
    if difference.sections.isEmpty { return self }
    let deletes = difference.sections.lazy.filter(\.isDelete)
    for change in deletes { try checkDelete(change) }
    // Deletes are in descending order; removing takes ascending indexes.
    let kept = sections.removing(at: deletes.reversed().lazy.map(\.index))

    var names = Set(kept.map { SectionName($0.name) })
    var newcomers: [(index: Int, element: ListSection<ID>)] = []
    for change in difference.sections where !change.isDelete {
      guard names.insert(SectionName(change.name)).inserted else {
        throw DifferenceError(.mismatch, "\(change): the list has a section of this name.")
      }
      newcomers.append((change.index, ListSection(name: change.name, rows: [])))
    }
    guard let result = kept.inserting(newcomers) else {
      throw DifferenceError(.mismatch, "The list has too few sections for the inserted ones.")
    }
    return SectionedIDs(sections: result)
  }

  private func checkDelete(_ change: SectionChange) throws(DifferenceError) {
    guard sections.indices.contains(change.index) else {
      throw DifferenceError(.mismatch, "\(change): the list has \(sections.count) sections.")
    }
    let section = sections[change.index]
    guard SectionName(section.name) == SectionName(change.name) else {
      throw DifferenceError(.mismatch, "\(change): the section's name is \(section.name.debugDescription).")
    }
    guard section.rows.isEmpty else {
      throw DifferenceError(.mismatch, "\(change): \(section.rows.count) of its rows are not reported.")
    }
  }

  private func addingRows(of difference: Difference<ID>) throws(DifferenceError) -> SectionedIDs {
    var arriving: [(path: RowPath, id: ID)] = []
    for change in difference.rows {
      switch change {
      case .insert(let id, let to), .move(let id, _, let to): arriving.append((to, id))
      case .delete, .update: continue
      }
    }
    arriving.sort { $0.path < $1.path }
    var result = sections
    for (index, rows) in arriving.groupedBySection(\.path.section) {
      guard result.indices.contains(index),
        let ids = result[index].rows.inserting(rows.map { (index: $0.path.row, element: $0.id) })
      else {
        throw DifferenceError(.mismatch, "Section \(index) of the result has too few rows, or is not there.")
      }
      result[index] = ListSection(name: result[index].name, rows: ids)
    }
    return SectionedIDs(sections: result)
  }

  /// Checks the targets of updates.
  ///
  /// Inserts and moves are at their targets by construction. An update's target follows from all the other changes, so
  /// it can be wrong.
  private func checkTargets(of difference: Difference<ID>) throws(DifferenceError) {
    for change in difference.rows {
      guard case .update(let id, _, let to) = change else { continue }
      guard self.id(at: to) == id else {
        throw DifferenceError(.mismatch, "\(change): the result does not have the row there.")
      }
    }
    if let empty = firstEmptySection {
      throw DifferenceError(.mismatch, "Section \(empty.name.debugDescription) is left without rows.")
    }
  }
}

extension Array {
  /// Returns the runs of neighbours that are in the same section, with the section's index.
  fileprivate func groupedBySection(_ section: (Element) -> Int) -> [(section: Int, elements: ArraySlice<Element>)] {
    var runs: [(section: Int, elements: ArraySlice<Element>)] = []
    var rest = self[...]
    while let first = rest.first {
      let index = section(first)
      let run = rest.prefix { section($0) == index }
      runs.append((index, run))
      rest = rest[run.endIndex...]
    }
    return runs
  }
}
