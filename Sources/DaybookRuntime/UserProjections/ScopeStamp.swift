/// The rows that are read in a scope: another stamp means that rows were replaced by rebuilt ones.
package struct ScopeStamp: Hashable, Sendable {
  /// The rows of one projection.
  struct Part: Hashable, Sendable {
    let projection: String
    let version: UInt64
    /// The number of the rows, which grows each time that rows with other bytes take their place.
    let fold: UInt64
  }

  let parts: [Part]

  /// The stamp of stored objects.
  package static let stored = ScopeStamp(parts: [])

  /// Whether rows of an earlier reader were replaced by ones that this stamp has.
  func isLater(than other: ScopeStamp) -> Bool {
    zip(parts, other.parts).contains { $0.fold > $1.fold }
  }
}
