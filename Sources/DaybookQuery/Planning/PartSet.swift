/// Numbers of parts of a filter.
///
/// A plan makes several of these sets for each request, so the numbers below 64, which are almost all, are bits.
struct PartSet: Sendable, Hashable, ExpressibleByArrayLiteral {
  private var bits: UInt64 = 0
  private var further: Set<Int> = []

  init(arrayLiteral parts: Int...) {
    for part in parts { insert(part) }
  }

  var count: Int { bits.nonzeroBitCount + further.count }

  func contains(_ part: Int) -> Bool { part < 64 ? bits & (1 &<< UInt64(part)) != 0 : further.contains(part) }

  mutating func insert(_ part: Int) {
    if part < 64 { bits |= 1 &<< UInt64(part) } else { further.insert(part) }
  }
}
