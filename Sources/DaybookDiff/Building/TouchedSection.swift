/// Where a section that changed rows left or entered is in the old and in the new result, as an ordering with counts
/// knows it.
///
/// A section that is only in the old result is deleted, one that is only in the new one inserted. One that is in both
/// is not reported; giving it makes the builder check its counts.
package struct TouchedSection: Hashable, Sendable {
  /// Where a section is in one result.
  package struct Place: Hashable, Sendable {
    /// How many sections of that result are before it.
    package var index: Int
    /// How many rows it has in that result.
    package var count: Int

    package init(index: Int, count: Int) {
      self.index = index
      self.count = count
    }
  }

  package var name: String
  /// Its place in the old result; nil if it is not there.
  package var old: Place?
  /// Its place in the new result; nil if it is not there.
  package var new: Place?

  package init(name: String, old: Place?, new: Place?) {
    self.name = name
    self.old = old
    self.new = new
  }
}
