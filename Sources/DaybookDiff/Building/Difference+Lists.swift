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
  public init(
    from old: SectionedIDs<ID>, to new: SectionedIDs<ID>,
    keyChanged: (ID) -> Bool, stateChanged: (ID) -> Bool
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
    from old: SectionedIDs<ID>, to new: SectionedIDs<ID>, alteration: (ID) -> Alteration
  ) throws {
    let comparison = try ListComparison(old: old, new: new)
    self = try comparison.builder(alteration).build()
  }
}
