/// The places of a section that changed rows left or entered, from an ordering with counts.
///
/// A section that is only in the old result is deleted, one that is only in the new one inserted. A section in both
/// results is not reported; passing it makes the builder check its counts.
package struct TouchedSection: Hashable, Sendable {
  /// The place of a section in one result.
  package struct Place: Hashable, Sendable {
    /// The number of sections before it in the result.
    package var index: Int
    /// The number of its rows in the result.
    package var count: Int

    package init(index: Int, count: Int) {
      self.index = index
      self.count = count
    }
  }

  package var name: String
  /// Its place in the old result, or `nil` if it is not there.
  package var old: Place?
  /// Its place in the new result, or `nil` if it is not there.
  package var new: Place?

  package init(name: String, old: Place?, new: Place?) {
    self.name = name
    self.old = old
    self.new = new
  }
}

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
