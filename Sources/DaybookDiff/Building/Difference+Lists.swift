import WorkLimits

extension Difference {
  /// Computes the difference between two whole lists.
  ///
  ///     let difference = try Difference(
  ///       from: old, to: new, keyChanged: { renamed.contains($0) }, stateChanged: { painted.contains($0) })
  ///
  /// For small lists and tests, because it takes time in proportion to the lists. A store's differences are made from
  /// the changed rows only, with the same result.
  ///
  /// - Parameters:
  ///   - old: The list before.
  ///   - new: The list after.
  ///   - keyChanged: Returns whether the sort keys of a row in both lists changed. Only such a row may change its place
  ///     among the rows of its section.
  ///   - stateChanged: Returns whether any other shown state of a row in both lists changed.
  /// - Throws: ``DifferenceError`` with the code `badList` if a list has an id or a section name twice, `badFacts` if
  ///   rows changed places though their keys did not.
  /// - Complexity: O(*n* + *k* log *k*) for *n* rows of both lists, *k* of them changed.
  package init(
    from old: SectionedIDs<RowID>, to new: SectionedIDs<RowID>,
    keyChanged: (RowID) -> Bool, stateChanged: (RowID) -> Bool
  ) throws {
    try self.init(from: old, to: new) { id in
      if keyChanged(id) { return .keys }
      return stateChanged(id) ? .values : .nothing
    }
  }

  /// Computes the difference between two whole lists from the alteration of each common row.
  ///
  /// The sections in both lists may be in a different order in each, as they are after a change of the request: a
  /// longest run of them stays, and the others are deleted and inserted.
  package init(
    from old: SectionedIDs<RowID>, to new: SectionedIDs<RowID>, alteration: (RowID) -> Alteration
  ) throws {
    let comparison = try ListComparison(old: old, new: new)
    self = try comparison.builder(alteration).build()
  }
}

/// Two lists compared, as facts for a builder.
struct ListComparison<ID: Hashable & Sendable> {
  let old: SectionedIDs<ID>
  let new: SectionedIDs<ID>
  /// The new index of each section of the old list, or `nil` if it does not stay.
  private let newIndexes: [Int?]

  init(old: SectionedIDs<ID>, new: SectionedIDs<ID>) throws {
    try old.checkInvariants()
    try new.checkInvariants()
    self.old = old
    self.new = new
    let named = Dictionary(uniqueKeysWithValues: new.sections.enumerated().map { (SectionName($1.name), $0) })
    let inBoth = old.sections.indices.compactMap { index in
      named[SectionName(old.sections[index].name)].map { (old: index, new: $0) }
    }
    var newIndexes = [Int?](repeating: nil, count: old.sections.count)
    for index in RisingRun.indexesOfLongest(in: inBoth.map(\.new)) {
      newIndexes[inBoth[index].old] = inBoth[index].new
    }
    self.newIndexes = newIndexes
  }

  func builder(_ alteration: (ID) -> Alteration) throws -> DifferenceBuilder<ID> {
    var builder = DifferenceBuilder<ID>()
    touchSections(&builder)
    try placeRows(&builder, alteration)
    return builder
  }

  private func touchSections(_ builder: inout DifferenceBuilder<ID>) {
    var isNew = [Bool](repeating: true, count: new.sections.count)
    for (index, section) in old.sections.enumerated() {
      let newIndex = newIndexes[index]
      if let newIndex { isNew[newIndex] = false }
      builder.touch(
        TouchedSection(
          name: section.name, old: .init(index: index, count: section.rows.count),
          new: newIndex.map { .init(index: $0, count: new.sections[$0].rows.count) }))
    }
    for (index, section) in new.sections.enumerated() where isNew[index] {
      builder.touch(TouchedSection(name: section.name, old: nil, new: .init(index: index, count: section.rows.count)))
    }
  }

  private func placeRows(_ builder: inout DifferenceBuilder<ID>, _ alteration: (ID) -> Alteration) throws {
    var work = WorkCounter()
    var targets: [ID: RowPath] = [:]
    targets.reserveCapacity(new.count)
    for (id, path) in new.rows { targets[id] = path }
    var lastFixed: RowPath?
    for (id, from) in old.rows {
      try work.step()
      guard let to = targets.removeValue(forKey: id) else {
        builder.delete(id, from: from)
        continue
      }
      let alteration = alteration(id)
      let keepsSection = newIndexes[from.section] == to.section
      if keepsSection, !alteration.mayMove {
        // The builder sees only changed rows, so compare rows that should be fixed here.
        if let lastFixed, lastFixed > to, lastFixed.section == to.section {
          throw DifferenceError(.badFacts, "Row \(id) changed places, but its sort keys did not change.")
        }
        lastFixed = to
      }
      if !keepsSection || alteration != .nothing { builder.change(id, from: from, to: to, alteration) }
    }
    for (id, to) in targets { builder.insert(id, to: to) }
  }
}

private extension SectionedIDs {
  /// All rows with their paths, in order.
  var rows: some Sequence<(ID, RowPath)> {
    sections.enumerated().lazy.flatMap { section, rows in
      rows.rows.enumerated().lazy.map { ($1, RowPath(section: section, row: $0)) }
    }
  }
}
