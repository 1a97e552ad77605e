/// Checks facts about a section against the changed rows that left and entered it.
struct SectionAudit {
  private let resolver: PlacementResolver
  private let old: SectionRanks
  private let new: SectionRanks

  init(_ resolver: PlacementResolver, old: SectionRanks, new: SectionRanks) {
    self.resolver = resolver
    self.old = old
    self.new = new
  }

  /// - Throws: ``DifferenceError`` with the code `badFacts`.
  /// - Complexity: O(log *k* + *r*) for *r* of the *k* changed rows in the section.
  func check(_ section: TouchedSection) throws(DifferenceError) {
    let name = section.name.debugDescription
    guard section.old != nil || section.new != nil else {
      throw DifferenceError(.badFacts, "Section \(name) is in neither result.")
    }
    for place in [section.old, section.new] {
      if let place, place.index < 0 || place.count < 0 {
        throw DifferenceError(.badFacts, "Section \(name) has a negative index or count.")
      }
    }
    if let old = section.old, let new = section.new {
      try checkIdentity(name, old, new)
    }
    let before = try rows(of: name, section.old, resolver.inOldOrder)
    let after = try rows(of: name, section.new, resolver.inNewOrder)
    let leaving = before.count { !resolver.keepsSection[$0.row] }
    let arriving = after.count { !resolver.keepsSection[$0.row] }
    let (oldCount, newCount) = (section.old?.count ?? 0, section.new?.count ?? 0)
    guard oldCount - leaving + arriving == newCount else {
      throw DifferenceError(
        .badFacts,
        "Section \(name) had \(oldCount) rows, \(leaving) left and \(arriving) arrived, but it has \(newCount).")
    }
  }

  private func checkIdentity(_ name: String, _ old: TouchedSection.Place, _ new: TouchedSection.Place)
    throws(DifferenceError)
  {
    let rank = self.old.survivingRank(of: old.index)
    guard let rank, rank == self.new.survivingRank(of: new.index) else {
      throw DifferenceError(
        .badFacts,
        "Section \(name) went from index \(old.index) to \(new.index); deleted and inserted sections do not show it."
      )
    }
  }

  /// Returns the changed rows of a section in one of the results.
  ///
  /// Throws if one exceeds its count.
  private func rows(
    of name: String, _ place: TouchedSection.Place?, _ order: [PlacementResolver.PlacedRow]
  ) throws(DifferenceError) -> ArraySlice<PlacementResolver.PlacedRow> {
    guard let place else { return [] }
    let start = order.partitioningIndex { $0.path.section >= place.index }
    let end = order.partitioningIndex { $0.path.section > place.index }
    let rows = order[start..<end]
    if let last = rows.last?.path, last.row >= place.count {
      throw DifferenceError(.badFacts, "A row is at \(last), but section \(name) has \(place.count) rows.")
    }
    return rows
  }
}
