import WorkLimits

/// Builds a difference from the changed rows, without reading the others.
///
///     var builder = DifferenceBuilder<ObjectID>()
///     builder.change(cake, from: RowPath(section: 0, row: 4), to: RowPath(section: 0, row: 9), .keys)
///     builder.delete(pie, from: RowPath(section: 1, row: 0))
///     builder.touch(TouchedSection(name: "Pie", old: .init(index: 1, count: 1), new: nil))
///     let difference = try builder.build()
///
/// The caller must pass these parts, in any order:
///
/// - **Each row that is in only one of the results**, with its path there: ``delete(_:from:)``, ``insert(_:to:)``. Rows
///   that cross the edge of a limit or an offset are included.
/// - **Each row that is in both and whose section, sort keys or other state differ**, with both paths:
///   ``change(_:from:to:_:)``. Rows whose path only shifted are omitted; passing them with `nothing` has no effect.
/// - **Each section that is in only one of the results**, with its index there: ``touch(_:)``. Sections that are in
///   both may be passed too; their counts are then checked.
///
/// A path counts in its whole result: `section` is the number of sections before the row's, `row` the number of rows
/// before it in its section, changed ones and unchanged ones, after the limit and the offset. All old paths refer to
/// the same state, and all new paths to the other; no path depends on another change.
///
/// Counting determines which sections of the two results are the same (``SectionRanks``), and which rows must move
/// (``PlacementResolver``).
///
/// If the request itself was changed so that sections which are in both results have another order, a section that
/// leaves its place must be passed twice, as a section of the old result only and as one of the new result only, and
/// all its rows with it: only a delete and an insert can express the change.
package struct DifferenceBuilder<ID: Hashable & Sendable> {
  private var ids: [ID] = []
  private var placements: [RowPlacement] = []
  private var sections: [TouchedSection] = []

  package init() {}

  /// Reserves space for a number of rows.
  package mutating func reserveCapacity(_ rowCount: Int) {
    ids.reserveCapacity(rowCount)
    placements.reserveCapacity(rowCount)
  }

  /// Adds a row that is only in the old result.
  package mutating func delete(_ id: ID, from: RowPath) {
    add(id, RowPlacement(from: from, to: nil, alteration: .nothing))
  }

  /// Adds a row that is only in the new result.
  package mutating func insert(_ id: ID, to: RowPath) {
    add(id, RowPlacement(from: nil, to: to, alteration: .nothing))
  }

  /// Adds a row that is in both results.
  package mutating func change(_ id: ID, from: RowPath, to: RowPath, _ alteration: Alteration) {
    add(id, RowPlacement(from: from, to: to, alteration: alteration))
  }

  /// Adds a section.
  package mutating func touch(_ section: TouchedSection) {
    sections.append(section)
  }

  /// Adds a row with its paths in the results that it is in.
  package mutating func add(_ id: ID, from: RowPath?, to: RowPath?, _ alteration: Alteration) {
    add(id, RowPlacement(from: from, to: to, alteration: alteration))
  }

  private mutating func add(_ id: ID, _ placement: RowPlacement) {
    ids.append(id)
    placements.append(placement)
  }

  /// Returns the difference.
  ///
  /// - Throws: ``DifferenceError`` with the code `badFacts` if the parts contradict each other: a row or a path twice,
  ///   a row with unchanged keys that changed sides with others, a section whose counts do not fit the rows that left
  ///   and entered it. Then the ordering from which the paths came does not match the rows. `WorkLimitExceeded`.
  /// - Complexity: O(*k* log *k*) for *k* rows and sections.
  package func build() throws -> Difference<ID> {
    if let only = differenceOfOnlyRow { return only }
    try checkIDs()
    let old = SectionRanks(own: sections.compactMap { $0.new == nil ? $0.old?.index : nil })
    let new = SectionRanks(own: sections.compactMap { $0.old == nil ? $0.new?.index : nil })
    if let section = old.repeated ?? new.repeated {
      throw DifferenceError(.badFacts, "Section \(section) is deleted or inserted twice.")
    }
    let resolver = try resolve(old: old, new: new)
    let audit = SectionAudit(resolver, old: old, new: new)
    for section in sections { try audit.check(section) }
    return Difference(inOrder: sectionChanges, rows: rowChanges(resolver))
  }

  private var sectionChanges: [SectionChange] {
    let changes = sections.compactMap { section -> SectionChange? in
      switch (section.old, section.new) {
      case (let old?, nil): .delete(index: old.index, name: section.name)
      case (nil, let new?): .insert(index: new.index, name: section.name)
      default: nil
      }
    }
    return changes.sorted(by: SectionChange.precedes)
  }

  private func rowChanges(_ resolver: PlacementResolver) -> [RowChange<ID>] {
    var deletes: [RowChange<ID>] = []
    var moves: [RowChange<ID>] = []
    var updates: [RowChange<ID>] = []
    for placed in resolver.inOldOrder {
      let (row, from) = (placed.row, placed.path)
      let placement = placements[row]
      guard let to = placement.to else {
        deletes.append(.delete(ids[row], from: from))
        continue
      }
      if !resolver.stays[row] {
        moves.append(.move(ids[row], from: from, to: to))
      } else if placement.alteration.isUpdate {
        updates.append(.update(ids[row], from: from, to: to))
      }
    }
    let inserts = resolver.inNewOrder.lazy.filter { placements[$0.row].from == nil }.map { placed in
      RowChange.insert(ids[placed.row], to: placed.path)
    }
    return deletes.reversed() + inserts + moves + updates
  }
}

extension DifferenceBuilder {
  /// The difference of the only row, or `nil` if there are more facts or wrong ones.
  private var differenceOfOnlyRow: Difference<ID>? {
    guard placements.count == 1, sections.isEmpty else { return nil }
    let placement = placements[0]
    return Difference(ofOnlyRow: ids[0], from: placement.from, to: placement.to, placement.alteration)
  }

  private func checkIDs() throws {
    var work = WorkCounter()
    var seen: Set<ID> = []
    seen.reserveCapacity(ids.count)
    for id in ids {
      try work.step()
      guard seen.insert(id).inserted else { throw DifferenceError(.badFacts, "Row \(id) was given twice.") }
    }
  }

  private func resolve(old: SectionRanks, new: SectionRanks) throws -> PlacementResolver {
    do {
      return try PlacementResolver(placements, old: old, new: new)
    } catch let fault as PlacementFault {
      throw DifferenceError(.badFacts, describe(fault))
    }
  }

  private func describe(_ fault: PlacementFault) -> String {
    switch fault {
    case .nowhere(let row): "Row \(ids[row]) is in neither result."
    case .negativePath(let row): "Row \(ids[row]) has a negative path."
    case .samePath(let row, let other): "Rows \(ids[row]) and \(ids[other]) have the same path."
    case .leftItsPlace(let row):
      "Row \(ids[row]) has unchanged sort keys, but is not where it was among the rows whose keys did not change."
    }
  }
}
