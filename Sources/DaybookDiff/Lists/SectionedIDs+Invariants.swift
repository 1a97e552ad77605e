extension SectionedIDs {
  /// Checks that ids and section names are distinct and that no section is empty.
  ///
  /// The nameless section of a result without a section key may be empty.
  ///
  /// - Throws: ``DifferenceError`` with the code `badList` and the first fault.
  /// - Complexity: O(*n*) for *n* rows.
  public func checkInvariants() throws {
    try checkSections()
    var seen: Set<ID> = []
    seen.reserveCapacity(count)
    for id in sections.lazy.flatMap(\.ids) where !seen.insert(id).inserted {
      throw DifferenceError(.badList, "Row \(id) is in the list twice.")
    }
  }

  private func checkSections() throws(DifferenceError) {
    var seen: Set<SectionName> = []
    for section in sections where !seen.insert(SectionName(section.name)).inserted {
      throw DifferenceError(.badList, "Section \(section.name.debugDescription) is in the list twice.")
    }
    if let empty = firstEmptySection {
      throw DifferenceError(.badList, "Section \(empty.name.debugDescription) has no rows.")
    }
  }

  /// The first section without rows, except a nameless section that is alone and may be empty.
  var firstEmptySection: Section? {
    if sections.count == 1, sections[0].name.isEmpty { return nil }
    return sections.first { $0.ids.isEmpty }
  }
}
