/// Tells which section of one result is which of the other, from the sections that are in only one of them.
///
/// The sections of both results are in the same order in both. So the surviving section that has *r* survivors before
/// it in the old result is the one that has *r* survivors before it in the new one: *r* is the section's identity, and
/// it follows from an index by taking off the deleted (or inserted) sections before it. The untouched sections need not
/// be known for that.
struct SectionRanks {
  /// The indexes of the sections that are in this result only, rising.
  private let own: [Int]

  init(own: [Int]) {
    self.own = own.sorted()
  }

  /// How many surviving sections are before a section; nil if it does not survive itself.
  ///
  /// - Complexity: O(log *s*) for *s* sections that are in this result only.
  func survivingRank(of section: Int) -> Int? {
    let before = own.partitioningIndex { $0 >= section }
    if before < own.count, own[before] == section { return nil }
    return section - before
  }

  /// An index that was given twice.
  var repeated: Int? {
    zip(own, own.dropFirst()).first { $0 == $1 }?.0
  }
}
