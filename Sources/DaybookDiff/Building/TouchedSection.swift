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
