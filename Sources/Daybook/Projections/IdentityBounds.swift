import DaybookModel

/// Two identities between which all objects of an entity are, once they were found out.
struct IdentityBounds {
  private var least = ObjectID(high: .max, low: .max)
  private var greatest = ObjectID.zero
  private var isKnown = false
  private var lookupCount = 0

  /// A look at the first and the last row costs more than one look-up, so it must be likely to spare some.
  private static let lookupsBeforeFinding = 8

  /// Whether no object has this identity.
  @inline(__always)
  func exclude(_ id: ObjectID) -> Bool { isKnown && (id > greatest || id < least) }

  /// Notes that an object may have this identity from now on.
  @inline(__always)
  mutating func include(_ id: ObjectID) {
    if id > greatest { greatest = id }
    if id < least { least = id }
  }

  /// Counts a look-up, and says whether it is time to find the bounds.
  mutating func shouldBeFound() -> Bool {
    guard !isKnown else { return false }
    lookupCount += 1
    return lookupCount >= IdentityBounds.lookupsBeforeFinding
  }

  /// - Parameter ends: The first and the last object that there is; nil for none.
  mutating func find(_ ends: (first: ObjectID, last: ObjectID)?) {
    if let ends {
      include(ends.first)
      include(ends.last)
    }
    isKnown = true
  }
}
