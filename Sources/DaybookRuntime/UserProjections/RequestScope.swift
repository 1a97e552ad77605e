/// The projections whose derived entities requests reach, by rising name; none for stored objects alone.
///
/// All that is read in a scope is of one position: the lowest checkpoint of the projections.
package struct RequestScope: Hashable, Sendable {
  package let projections: [String]

  init(_ projections: Set<String>) {
    self.projections = projections.sorted()
  }

  /// The stored objects alone, which are read at the head.
  package static let stored = RequestScope([])

  package var isStored: Bool { projections.isEmpty }
}
