import DaybookModel

/// Two identities between which all objects of an entity are, once they are found.
struct IdentityBounds {
  private var least = ObjectID(high: .max, low: .max)
  private var greatest = ObjectID.zero
  private var isKnown = false
  private var lookupCount = 0

  /// The number of look-ups before the bounds are found.
  ///
  /// Reading the first and the last row costs more than one look-up, so it must be likely to save several.
  private static let lookupsBeforeFinding = 8

  /// Returns whether no object can have this identity.
  @inline(__always)
  func exclude(_ id: ObjectID) -> Bool { isKnown && (id > greatest || id < least) }

  /// Records that an object may have this identity.
  @inline(__always)
  mutating func include(_ id: ObjectID) {
    if id > greatest { greatest = id }
    if id < least { least = id }
  }

  /// Counts a look-up, and returns whether it is time to find the bounds.
  mutating func shouldBeFound() -> Bool {
    guard !isKnown else { return false }
    lookupCount += 1
    return lookupCount >= IdentityBounds.lookupsBeforeFinding
  }

  /// - Parameter ends: The first and the last object, or `nil` if there are no objects.
  mutating func find(_ ends: (first: ObjectID, last: ObjectID)?) {
    if let ends {
      include(ends.first)
      include(ends.last)
    }
    isKnown = true
  }
}
