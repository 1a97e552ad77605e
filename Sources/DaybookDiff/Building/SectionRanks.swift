/// Matches the sections of two results, from the sections that are in only one of them.
///
/// The sections of both results are in the same order in both. So the surviving section that has *r* survivors before
/// it in the old result is the one that has *r* survivors before it in the new one: *r* is the section's identity, and
/// it follows from an index by subtracting the deleted (or inserted) sections before it. This requires no knowledge of
/// the untouched sections.
struct SectionRanks {
  /// The indexes of the sections that are in this result only, ascending.
  private let own: [Int]

  init(own: [Int]) {
    self.own = own.sorted()
  }

  /// Returns the number of surviving sections before a section, or `nil` if it is no survivor.
  ///
  /// - Complexity: O(log *s*) for *s* sections that are in this result only.
  func survivingRank(of section: Int) -> Int? {
    let before = own.partitioningIndex { $0 >= section }
    if before < own.count, own[before] == section { return nil }
    return section - before
  }

  /// An index that occurs twice, or `nil` if all differ.
  var repeated: Int? {
    zip(own, own.dropFirst()).first { $0 == $1 }?.0
  }
}
